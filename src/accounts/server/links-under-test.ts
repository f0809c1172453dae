import type { Person } from '#testing/person.ts'
import type { StudioUnderTest } from '#testing/studio-under-test.ts'
import { requestPasswordReset, setPassword } from '../contract.ts'

export const requestResetLink = (who: Person, email: string) => who.call(requestPasswordReset, { body: { email } })
export const setNewPassword = (who: Person, token: string, password = 'changed') =>
  who.call(setPassword, { body: { token, password } })
export const logIn = (who: Person, email: string, password: string) =>
  who.request('POST', '/api/login', { username: email, password })

/** The tokens of mailed links, oldest first. */
export async function mailedTokens(studio: StudioUnderTest, to: { email: string }): Promise<string[]> {
  const mails = await studio.mailTo(to)
  return mails.flatMap(({ text }) => /\/auth#(?:reset|invitation)=([\w-]+)/.exec(text)?.[1] ?? [])
}

/** Requests links one after the other, so that the mails are in order. */
export async function requestResetLinks(studio: StudioUnderTest, who: Person, times: number): Promise<string[]> {
  for (let n = 0; n < times; n++) {
    await requestResetLink(studio.visitor(), who.email)
    studio.clock.advance({ seconds: 1 })
    await studio.mailTo(who)
  }
  return await mailedTokens(studio, who)
}
