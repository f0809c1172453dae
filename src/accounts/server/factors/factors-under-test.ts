import { generateSync } from 'otplib'
import { Authenticator } from '#testing/authenticator.ts'
import { LIVE } from '#testing/live.ts'
import type { Person } from '#testing/person.ts'
import type { StudioUnderTest } from '#testing/studio-under-test.ts'
import { login } from '../../contract.ts'
import * as contract from '../../contract-factors.ts'
import * as proofs from '../../contract-proofs.ts'

export const ORIGIN = 'http://localhost:4000'
/** The demo, which has a mailbox to look at, asking for what live mode asks for. */
export const ASKING = { ADMIN_SECOND_FACTOR: 'required', APP_URL: ORIGIN }
/** A live site, whose mail waits in the outbox. */
export const LIVE_ASKING = { ...LIVE, ADMIN_SECOND_FACTOR: 'required', APP_URL: ORIGIN }

/** Logs in with the password alone. */
export const logsIn = (person: Person) =>
  person.call(login, { body: { username: person.email, password: person.password } })

/** Has a new device make a passkey for somebody who is signed in. */
export async function addsPasskey(person: Person, device = new Authenticator(ORIGIN)) {
  const send = await makesPasskey(person, device)
  return { device, added: await send() }
}

/** The same up to the moment before it is sent, for those who send at once. */
export async function makesPasskey(person: Person, device = new Authenticator(ORIGIN)) {
  const { body: question } = await person.call(contract.beginPasskey)
  const passkey = device.make(question)
  return () => person.call(contract.addPasskey, { body: { passkey } })
}

/** Connects an authenticator app; answers its secret and what the site said. */
export async function addsApp(studio: StudioUnderTest, person: Person) {
  const { body: begun } = await person.call(contract.beginApp)
  const code = codeOf(studio, begun.secret)
  const added = await person.call(contract.addApp, { body: { setUp: begun.setUp, code } })
  return { secret: begun.secret as string, added }
}

/** What the app shows at the studio's present moment, or so many half minutes from it. */
export function codeOf(studio: StudioUnderTest, secret: string, steps = 0): string {
  const epoch = Math.floor(studio.clock.now().epochMilliseconds / 1000) + steps * 30
  return generateSync({ secret, epoch })
}

/** Lets half minutes go by: a code that was taken is not taken again. */
export const passes = (studio: StudioUnderTest, seconds: number) =>
  studio.clock.set(studio.clock.now().add({ seconds }))

export const takesStep = (person: Person, body: object) => person.call(proofs.completeSecondStep, { body })
export const confirms = (person: Person, body: object) => person.call(proofs.confirmItIsMe, { body })
export const asksToConfirm = async (person: Person) => (await person.call(proofs.beginConfirming)).body

/** An admin with an authenticator app, signed in with both. */
export async function adminWithApp(studio: StudioUnderTest, person: Person) {
  await logsIn(person)
  const { secret, added } = await addsApp(studio, person)
  passes(studio, 60)
  return { secret, recoveryCodes: added.body.recoveryCodes as string[] }
}

/** Signs a new browser in with a device's passkey alone. */
export async function signsInWithPasskey(studio: StudioUnderTest, device: Authenticator) {
  const browser = studio.visitor('Browser')
  const { body: question } = await browser.call(proofs.beginPasskeySignIn)
  return await browser.call(proofs.signInWithPasskey, { body: { passkey: device.answer(question) } })
}
