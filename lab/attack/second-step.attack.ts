import { describe, expect, test } from 'vitest'
import * as contract from '#accounts/contract-factors.ts'
import * as proofs from '#accounts/contract-proofs.ts'
import {
  adminWithApp,
  advanceClock,
  codeOf,
  LIVE_SECOND_FACTOR_ENV,
  logIn,
  ORIGIN,
  registerPasskey,
  submitSecondStep,
  submitStepUp,
} from '#accounts/server/factors/factors-under-test.ts'
import { keptBy } from '#app/every-endpoint/endpoints-under-test.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { Authenticator } from '#testing/authenticator.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import { callWith, everyCall } from './callers.ts'

const { factorRefusals } = contract

/** A live site whose owner, Dora, has an app, a passkey and recovery codes. */
async function openGuarded() {
  const cast = await openStudio({ env: LIVE_SECOND_FACTOR_ENV })
  const { secret, recoveryCodes } = await adminWithApp(cast.studio, cast.dora)
  const { device } = await registerPasskey(cast.dora)
  return { ...cast, secret, recoveryCodes, device }
}

/** The browser of a thief who knows the password. */
function knows(studio: StudioUnderTest, owner: Person, name = 'Mallory'): Person {
  return Object.assign(studio.visitor(name), { email: owner.email, password: owner.password })
}

/** The same browser after the password was accepted, where the second step is still missing. */
async function beforeSecondStep(studio: StudioUnderTest, owner: Person, name?: string): Promise<Person> {
  const browser = knows(studio, owner, name)
  expect((await logIn(browser)).body).toEqual({ secondFactorRequired: true })
  return browser
}

const times = <Item>(many: number, make: (i: number) => Item) => Array.from({ length: many }, (_, i) => make(i))
const statusOf = ({ status }: { status: number }) => status
const isAdmin = async (person: Person) => (await person.request('GET', '/api/admin/users')).status === 200
/** A cookie's value, by its name without the `__Host-` prefix; empty if there is none. */
const cookieOf = (person: Person, name: string) =>
  [...person.cookies].find(([key]) => key.replace('__Host-', '') === name)?.[1] ?? ''

describe('a sign-in before its second step', () => {
  const closed = everyCall.filter(([, , { who }]) => who !== 'anyone')

  test('is not a session: its cookie is refused by every endpoint', async () => {
    const { studio, dora } = await openGuarded()
    const browser = await beforeSecondStep(studio, dora)
    const pending = cookieOf(browser, 'second-step')
    expect(pending).not.toBe('')
    const before = await keptBy({ studio })()
    for (const [what, name, endpoint] of closed) {
      for (const cookie of [
        `second-step=${pending}`,
        `session=${pending}`,
        `session=${pending}; second-step=${pending}; signed-in=yes`,
      ]) {
        const answer = await callWith(studio.visitor(), name, endpoint, undefined, { cookie })
        expect([what, cookie.split('=')[0], answer.status]).toEqual([what, cookie.split('=')[0], 401])
      }
    }
    expect(await keptBy({ studio })()).toBe(before)
    // A session cookie is not a pending sign-in either.
    const answer = await studio
      .visitor()
      .request(
        'POST',
        '/api/login/second-step',
        { code: '123456' },
        { cookie: `second-step=${cookieOf(dora, 'session')}` },
      )
    expect(answer).toBeRefused(factorRefusals.sign_in_expired)
  })
})

describe('older sessions', () => {
  test('a session with only a password stays a member’s when a second step is set up elsewhere', async () => {
    const { studio, dora } = await openStudio({ env: LIVE_SECOND_FACTOR_ENV })
    const old = knows(studio, dora, 'Old')
    expect((await logIn(old)).body).toMatchObject({ isAdmin: false, secondStep: 'set_up' })
    const { secret } = await adminWithApp(studio, dora)
    expect(await isAdmin(dora)).toBe(true)
    expect((await old.request('GET', '/api/auth/user')).body).toMatchObject({ isAdmin: false, secondStep: 'take' })
    expect(await isAdmin(old)).toBe(false)
    // It can neither add nor remove a second step.
    for (const endpoint of [contract.beginPasskey, contract.beginApp, contract.removeApp, contract.renewRecoveryCodes])
      expect(await old.call(endpoint)).toBeRefused(commonRefusals.step_up_required)
    expect(await submitStepUp(old, { password: dora.password })).toBeRefused(factorRefusals.password_not_sufficient)
    advanceClock(studio, 60)
    expect((await submitStepUp(old, { code: codeOf(studio, secret) })).body).toMatchObject({ isAdmin: true })
  })

  test('a setup started before the first second step cannot finish after it', async () => {
    const { studio, dora } = await openStudio({ env: LIVE_SECOND_FACTOR_ENV })
    const thief = knows(studio, dora, 'Thief')
    await logIn(thief)
    const started = (await thief.call(contract.beginApp)).body
    const challenge = (await thief.call(contract.beginPasskey)).body
    await adminWithApp(studio, dora)
    const body = { setUp: started.setUp, code: codeOf(studio, started.secret) }
    expect(await thief.call(contract.addApp, { body })).toBeRefused(commonRefusals.step_up_required)
    const passkey = new Authenticator(ORIGIN).make(challenge)
    expect(await thief.call(contract.addPasskey, { body: { passkey } })).toBeRefused(commonRefusals.step_up_required)
    expect(await isAdmin(thief)).toBe(false)
  })
})

describe('the last second step', () => {
  test('survives concurrent removals', async () => {
    const { studio, dora } = await openGuarded()
    const { body } = await dora.call(contract.getFactors)
    const params = { id: body.passkeys[0].id }
    const removals = times(6, (i) =>
      i % 2 === 0 ? dora.call(contract.removeApp) : dora.call(contract.removePasskey, { params }),
    )
    const statuses = (await Promise.all(removals)).map(statusOf)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    const left = 'select (select count(*) from passkeys) + (select count(*) from authenticator_apps)'
    expect(await studio.count(left)).toBe(1)
    expect(await isAdmin(dora)).toBe(true)
  })

  test('stays despite recovery codes, and cannot be removed by another member', async () => {
    const { studio, ana, dora, recoveryCodes } = await openGuarded()
    expect(recoveryCodes).toHaveLength(10)
    const { body } = await dora.call(contract.getFactors)
    const params = { id: body.passkeys[0].id }
    expect(await ana.call(contract.removePasskey, { params })).toBeRefused(factorRefusals.passkey_not_found)
    expect((await dora.call(contract.removePasskey, { params })).status).toBe(200)
    expect(await dora.call(contract.removeApp)).toBeRefused(factorRefusals.last_second_factor)
    // Replacing the app leaves one.
    const started = (await dora.call(contract.beginApp)).body
    const code = codeOf(studio, started.secret)
    expect((await dora.call(contract.addApp, { body: { setUp: started.setUp, code } })).status).toBe(200)
    expect(await studio.count('select count(*) from authenticator_apps')).toBe(1)
  })
})

test('a code guessed sixty times concurrently is checked five times, and then even the right code has to wait', async () => {
  const { studio, dora, secret, device } = await openGuarded()
  const browsers = await Promise.all(times(10, (i) => beforeSecondStep(studio, dora, `M${i}`)))
  const thief = studio.visitor('Thief')
  thief.copyCookiesOf(dora)
  const guess = (i: number) => ({ code: String(100_000 + i) })
  const sent = times(60, (i) => {
    const browser = browsers[i % browsers.length] as Person
    return i % 6 === 5 ? submitStepUp(thief, guess(i)) : submitSecondStep(browser, guess(i))
  })
  const statuses = (await Promise.all(sent)).map(statusOf)
  expect(statuses.filter((status) => status === 400)).toHaveLength(5)
  expect(statuses.filter((status) => status === 429)).toHaveLength(55)
  const [browser] = browsers as [Person]
  const late = await submitSecondStep(browser, { code: codeOf(studio, secret) })
  expect(late).toBeRefused(commonRefusals.too_many_requests)
  expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(60)
  // A new sign-in does not reset the count, and a passkey still works.
  expect((await submitSecondStep(await beforeSecondStep(studio, dora), { code: '000000' })).status).toBe(429)
  const { body } = await browser.call(proofs.beginSecondStep)
  expect((await submitSecondStep(browser, { passkey: device.answer(body.passkey) })).status).toBe(200)
})
