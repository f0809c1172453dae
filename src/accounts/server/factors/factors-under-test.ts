import { generateSync } from 'otplib'
import { Authenticator } from '#testing/authenticator.ts'
import { LIVE } from '#testing/live-settings.ts'
import type { Person } from '#testing/person.ts'
import type { StudioUnderTest } from '#testing/studio-under-test.ts'
import { login } from '../../contract.ts'
import * as contract from '../../contract-factors.ts'
import * as proofs from '../../contract-proofs.ts'

export const ORIGIN = 'http://localhost:4000'
/** The demo, which has a readable mailbox, with the second step of live mode. */
export const SECOND_FACTOR_ENV = { ADMIN_SECOND_FACTOR: 'required', APP_URL: ORIGIN }
/** A live site, whose mail stays in the outbox. */
export const LIVE_SECOND_FACTOR_ENV = { ...LIVE, ADMIN_SECOND_FACTOR: 'required', APP_URL: ORIGIN }

/** Logs in with the password alone. */
export const logIn = (person: Person) =>
  person.call(login, { body: { username: person.email, password: person.password } })

/** Adds a passkey from a new device for a signed-in user. */
export async function registerPasskey(person: Person, device = new Authenticator(ORIGIN)) {
  const send = await createPasskey(person, device)
  return { device, added: await send() }
}

/** Creates the passkey and returns a function that sends it, for concurrent requests. */
export async function createPasskey(person: Person, device = new Authenticator(ORIGIN)) {
  const { body: question } = await person.call(contract.beginPasskey)
  const passkey = device.make(question)
  return () => person.call(contract.addPasskey, { body: { passkey } })
}

/** Adds an authenticator app; returns its secret and the response. */
export async function addAuthenticatorApp(studio: StudioUnderTest, person: Person) {
  const { body: setUp } = await person.call(contract.beginApp)
  const code = codeOf(studio, setUp.secret)
  const added = await person.call(contract.addApp, { body: { setUp: setUp.setUp, code } })
  return { secret: setUp.secret as string, added }
}

/** The app's code now, or the given number of half minutes later. */
export function codeOf(studio: StudioUnderTest, secret: string, steps = 0): string {
  const epoch = Math.floor(studio.clock.now().epochMilliseconds / 1000) + steps * 30
  return generateSync({ secret, epoch })
}

/** Advances the clock, because a code works once. */
export const advanceClock = (studio: StudioUnderTest, seconds: number) =>
  studio.clock.set(studio.clock.now().add({ seconds }))

export const submitSecondStep = (person: Person, body: object) => person.call(proofs.completeSecondStep, { body })
export const submitStepUp = (person: Person, body: object) => person.call(proofs.completeStepUp, { body })
export const startStepUp = async (person: Person) => (await person.call(proofs.beginStepUp)).body

/** An admin with an authenticator app, signed in with both. */
export async function adminWithApp(studio: StudioUnderTest, person: Person) {
  await logIn(person)
  const { secret, added } = await addAuthenticatorApp(studio, person)
  advanceClock(studio, 60)
  return { secret, recoveryCodes: added.body.recoveryCodes as string[] }
}

/** Signs a new browser in with a device's passkey alone. */
export async function signInByPasskey(studio: StudioUnderTest, device: Authenticator) {
  const browser = studio.visitor('Browser')
  const { body: question } = await browser.call(proofs.beginPasskeySignIn)
  return await browser.call(proofs.signInWithPasskey, { body: { passkey: device.answer(question) } })
}
