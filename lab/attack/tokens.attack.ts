import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { accountRefusals } from '#accounts/contract.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'

const TOKEN = /#(?:reset|verify|set-password|invitation)=([\w-]+)/
const requestResetLink = (who: Person, email: string) => who.request('POST', '/api/password-reset', { email })
const setPassword = (who: Person, token: string, password: string) =>
  who.request('POST', '/api/password-reset/confirm', { token, password })
const logIn = (who: Person, username: string, password: string) =>
  who.request('POST', '/api/login', { username, password })

/** Tokens of the links emailed to a person, oldest first. */
async function tokensTo(studio: StudioUnderTest, person: Person): Promise<string[]> {
  return (await studio.mailTo(person)).flatMap(({ text }) => TOKEN.exec(text)?.[1] ?? [])
}

async function withLinks(many: number) {
  const cast = await openStudio()
  for (let i = 0; i < many; i++) await requestResetLink(cast.ana, cast.ana.email)
  const tokens = await tokensTo(cast.studio, cast.ana)
  expect(tokens).toHaveLength(many)
  return { ...cast, tokens, first: tokens[0] as string, last: tokens.at(-1) as string }
}

describe('an emailed link', () => {
  test('expires when another of the same account was used, which ends every session', async () => {
    const { studio, ana, tokens, first, last } = await withLinks(3)
    expect((await setPassword(studio.visitor(), first, 'a-new-password')).status).toBe(200)
    for (const token of tokens)
      expect(await setPassword(studio.visitor(), token, 'another')).toBeRefused(accountRefusals.link_expired)
    expect((await ana.request('GET', '/api/auth/user')).status).toBe(401)
    expect(last).not.toBe(first)
  })

  test('has one purpose', async () => {
    const { studio, last } = await withLinks(1)
    const visitor = studio.visitor()
    expect((await visitor.request('POST', '/api/verify-email', { token: last })).status).toBe(400)
    for (const path of [`/api/newsletter/confirm?token=${last}`, `/api/calendar/${last}.ics`])
      expect([path, [400, 404].includes((await visitor.request('GET', path)).status)]).toEqual([path, true])
    expect((await setPassword(visitor, last, 'a-new-password')).status).toBe(200)
  })

  test('is refused when changed or forged', async () => {
    const { studio, last, boris } = await withLinks(1)
    const made = [
      randomBytes(32).toString('base64url'),
      '',
      last.slice(0, -1),
      `${last}A`,
      `${last}=`,
      last.toLowerCase() === last ? last.toUpperCase() : last.toLowerCase(),
      ` ${last}x`,
      `${last}\u0000`,
      boris.id,
      '%',
      "' or '1'='1",
    ]
    for (const token of made) {
      const { status } = await setPassword(studio.visitor(), token, 'a-new-password')
      expect([token, status]).toEqual([token, 400])
    }
  })

  test('requested by another person goes to the account’s address and changes nothing', async () => {
    const { studio, ana, boris } = await openStudio()
    await requestResetLink(boris, ana.email.toUpperCase())
    expect(await tokensTo(studio, boris)).toEqual([])
    expect(await tokensTo(studio, ana)).toHaveLength(1)
    expect((await logIn(studio.visitor(), ana.email, ana.password)).status).toBe(200)
  })

  test.each([
    'ana@people.example,mallory@evil.example',
    'ana@people.example\nbcc: mallory@evil.example',
    'ana@people.example%0abcc:mallory@evil.example',
    'ana@people.example mallory@evil.example',
    '"ana@people.example" <mallory@evil.example>',
    'ana@people.example\u0000@evil.example',
  ])('requested with %j is emailed to nobody else', async (email) => {
    const { studio, ana } = await openStudio()
    await requestResetLink(ana, email)
    await requestResetLink(ana, [email, ana.email] as unknown as string)
    for (const { to } of await studio.mailbox()) expect(to).not.toContain('evil.example')
  })
})

describe('a session', () => {
  test('is new after signing in', async () => {
    const { studio, ana, boris } = await openStudio()
    // A thief's own session, and one that never existed.
    for (const planted of [
      boris.cookies.get('session') as string,
      encodeURIComponent(`${randomBytes(32).toString('base64url')}.x`),
    ]) {
      const victim = studio.visitor('Ana')
      const response = await victim.request(
        'POST',
        '/api/login',
        { username: ana.email, password: ana.password },
        { cookie: `session=${planted}` },
      )
      expect(response.status).toBe(200)
      const given = victim.cookies.get('session')
      expect(given).toBeDefined()
      expect(given).not.toBe(planted)
      const thief = await studio.visitor().request('GET', '/api/auth/user', undefined, { cookie: `session=${planted}` })
      expect(thief.body.id).not.toBe(ana.id)
    }
  })

  test('cannot be mixed with a planted one', async () => {
    const { studio, ana, boris } = await openStudio()
    const [own, planted] = [ana.cookies.get('session'), boris.cookies.get('session')]
    for (const cookie of [
      `session=${planted}; session=${own}`,
      `session=${own}; session=${planted}`,
      `session=${own}; SESSION=${planted}`,
    ]) {
      const { status, body } = await studio.visitor().request('GET', '/api/auth/user', undefined, { cookie })
      expect([ana.id, boris.id, undefined]).toContain(status === 200 ? body.id : undefined)
    }
  })
})
