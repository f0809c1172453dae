import { describe, expect, test } from 'vitest'
import * as contract from '../../src/accounts/contract-factors.ts'
import * as proofs from '../../src/accounts/contract-proofs.ts'
import { makeAdmin } from '../../src/accounts/server/accounts.ts'
import {
  addsPasskey,
  adminWithApp,
  asksToConfirm,
  codeOf,
  confirms,
  LIVE_ASKING,
  logsIn,
  ORIGIN,
  passes,
  takesStep,
} from '../../src/accounts/server/factors/factors-under-test.ts'
import { all, keptBy } from '../../src/app/every-endpoint/endpoints-under-test.ts'
import { commonRefusals } from '../../src/foundation/refusal.ts'
import { Authenticator } from '../../src/testing/authenticator.ts'
import type { Person } from '../../src/testing/person.ts'
import { openStudio, type StudioUnderTest } from '../../src/testing/studio-under-test.ts'
import { callWith, everyCall } from './callers.ts'

const { factorRefusals } = contract
const statusOf = ({ status }: { status: number }) => status
const ways = <Way>(many: number, way: (i: number) => Way) => Array.from({ length: many }, (_, i) => way(i))

/** A live site whose owner, Dora, has an app, a passkey and recovery codes. */
async function openGuarded() {
  const cast = await openStudio({ env: LIVE_ASKING })
  const { secret, recoveryCodes } = await adminWithApp(cast.studio, cast.dora)
  const { device } = await addsPasskey(cast.dora)
  return { ...cast, secret, recoveryCodes, device }
}

/** Somebody who knows a password, at a browser of their own. */
function knows(studio: StudioUnderTest, owner: Person, name = 'Mallory'): Person {
  return Object.assign(studio.visitor(name), { email: owner.email, password: owner.password })
}

/** The same, with the password accepted and the second step before them. */
async function waiting(studio: StudioUnderTest, owner: Person, name?: string): Promise<Person> {
  const browser = knows(studio, owner, name)
  expect((await logsIn(browser)).body).toEqual({ secondFactorRequired: true })
  return browser
}

const isIn = async (person: Person) => (await person.request('GET', '/api/auth/user')).status === 200
const isAdmin = async (person: Person) => (await person.request('GET', '/api/admin/users')).status === 200
const cookieOf = (person: Person, name: string) =>
  [...person.cookies].find(([key]) => key.replace('__Host-', '') === name)?.[1] ?? ''

describe('a code of the app', () => {
  test('that was used is worth nothing anywhere, at once or later, however it is written', async () => {
    const { studio, dora, secret } = await openGuarded()
    const code = codeOf(studio, secret)
    expect((await takesStep(await waiting(studio, dora), { code })).status).toBe(200)
    const browsers = await Promise.all(ways(4, (i) => waiting(studio, dora, `M${i}`)))
    const written = [code, ` ${code}`, `${code.slice(0, 3)} ${code.slice(3)}`, `${code}\t`]
    const again = await Promise.all(browsers.map((browser, i) => takesStep(browser, { code: written[i] })))
    expect(again.map(statusOf)).toEqual([400, 400, 400, 400])
    expect(await confirms(dora, { code })).toBeRefused(factorRefusals.wrong_code)
    for (const browser of browsers) expect(await isIn(browser)).toBe(false)
  })

  test('sent to two endpoints at once is taken by one', async () => {
    const { studio, dora, secret } = await openGuarded()
    const browser = await waiting(studio, dora)
    const code = codeOf(studio, secret)
    const answers = await Promise.all([takesStep(browser, { code }), confirms(dora, { code })])
    expect(answers.map(statusOf).sort()).toEqual([200, 400])
  })

  test.each([-20, -3, -2, 2, 3, 20, 2880])('of %i half minutes away opens nothing', async (steps) => {
    const { studio, dora, secret } = await openGuarded()
    const browser = await waiting(studio, dora)
    expect(await takesStep(browser, { code: codeOf(studio, secret, steps) })).toBeRefused(factorRefusals.wrong_code)
    expect(await confirms(dora, { code: codeOf(studio, secret, steps) })).toBeRefused(factorRefusals.wrong_code)
    expect(await isIn(browser)).toBe(false)
  })

  test('of before the newest that was taken opens nothing, although its time is not over', async () => {
    const { studio, dora, secret } = await openGuarded()
    expect((await takesStep(await waiting(studio, dora), { code: codeOf(studio, secret, 1) })).status).toBe(200)
    for (const steps of [-1, 0, 1]) {
      const answer = await takesStep(await waiting(studio, dora), { code: codeOf(studio, secret, steps) })
      expect(answer).toBeRefused(factorRefusals.wrong_code)
    }
  })

  test('guessed sixty at once, from many sign-ins and a stolen session: five are looked at, and the right one after them is not', async () => {
    const { studio, dora, secret, device } = await openGuarded()
    const browsers = await Promise.all(ways(10, (i) => waiting(studio, dora, `M${i}`)))
    const thief = studio.visitor('Thief')
    thief.useCookiesOf(dora)
    const guess = (i: number) => ({ code: String(100_000 + i) })
    const sent = ways(60, (i) => {
      const browser = browsers[i % browsers.length] as Person
      return i % 6 === 5 ? confirms(thief, guess(i)) : takesStep(browser, guess(i))
    })
    const statuses = (await Promise.all(sent)).map(statusOf)
    expect(statuses.filter((status) => status === 400)).toHaveLength(5)
    expect(statuses.filter((status) => status === 429)).toHaveLength(55)
    const [browser] = browsers as [Person]
    const late = await takesStep(browser, { code: codeOf(studio, secret) })
    expect(late).toBeRefused(commonRefusals.too_many_requests)
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(60)
    // A new sign-in begins no new count, and the owner comes in by passkey all the same.
    expect((await takesStep(await waiting(studio, dora), { code: '000000' })).status).toBe(429)
    const { body } = await browser.call(proofs.beginSecondStep)
    expect((await takesStep(browser, { passkey: device.answer(body.passkey) })).status).toBe(200)
  })

  test('set up by a thief needs the step that is there', async () => {
    const { studio, dora } = await openGuarded()
    passes(studio, 6 * 60)
    const thief = studio.visitor('Thief')
    thief.useCookiesOf(dora)
    expect(await thief.call(contract.beginApp)).toBeRefused(commonRefusals.step_up)
    // Another's sealed secret, or one that was made up, is none.
    const eve = await studio.admin('Eve')
    await logsIn(eve)
    const { body } = await eve.call(contract.beginApp)
    const code = codeOf(studio, body.secret)
    const ana = await studio.admin('Anabel')
    await logsIn(ana)
    for (const setUp of [body.setUp, 'AAAA', `${body.setUp.slice(0, -4)}AAAA`])
      expect(await ana.call(contract.addApp, { body: { setUp, code } })).toBeRefused(factorRefusals.set_up_expired)
    expect(await isAdmin(ana)).toBe(false)
  })
})

describe('a recovery code', () => {
  test('used by ten at once lets one in, and is gone', async () => {
    const { studio, dora, recoveryCodes } = await openGuarded()
    const [code = ''] = recoveryCodes
    const browsers = await Promise.all(ways(4, (i) => waiting(studio, dora, `M${i}`)))
    const written = [code, code.toUpperCase(), code.replaceAll('-', ' '), code.replaceAll('-', '')]
    const answers = await Promise.all([
      ...browsers.map((browser, i) => takesStep(browser, { code: written[i] })),
      confirms(dora, { code }),
    ])
    expect(answers.map(statusOf).sort()).toEqual([200, 400, 400, 400, 400])
    expect(await studio.count('select count(*) from recovery_codes')).toBe(9)
    expect(await studio.count("select count(*) from security_events where kind = 'recovery_code_used'")).toBe(1)
  })

  test('guessed fifty at once meets the count of codes', async () => {
    const { studio, dora, recoveryCodes } = await openGuarded()
    const browsers = await Promise.all(ways(5, (i) => waiting(studio, dora, `M${i}`)))
    const [real = ''] = recoveryCodes
    const guess = (i: number) => real.replace(/[a-z0-9]{2}$/i, String(i + 10))
    const sent = ways(50, (i) => takesStep(browsers[i % 5] as Person, { code: guess(i) }))
    const statuses = (await Promise.all(sent)).map(statusOf)
    expect(statuses.filter((status) => status === 400)).toHaveLength(5)
    expect(statuses.filter((status) => status === 429)).toHaveLength(45)
    expect(await studio.count('select count(*) from recovery_codes')).toBe(10)
  })

  test('is its owner’s: another admin’s opens nothing, nor does one of before the newest ten', async () => {
    const { studio, dora, recoveryCodes } = await openGuarded()
    const eve = await studio.admin('Eve')
    const { recoveryCodes: hers } = await adminWithApp(studio, eve)
    expect((await takesStep(await waiting(studio, dora), { code: hers[0] })).status).toBe(400)
    expect((await dora.call(contract.renewRecoveryCodes)).status).toBe(200)
    expect((await takesStep(await waiting(studio, dora), { code: recoveryCodes[0] })).status).toBe(400)
  })
})

describe('a passkey', () => {
  /** What each question is for, how it is come by and where it is answered. */
  const questions = ['sign_in', 'second_step', 'confirm'] as const
  async function asked(purpose: (typeof questions)[number], browser: Person, dora: Person) {
    if (purpose === 'sign_in') return (await browser.call(proofs.beginPasskeySignIn)).body
    if (purpose === 'second_step') return (await browser.call(proofs.beginSecondStep)).body.passkey
    return (await asksToConfirm(dora)).passkey
  }
  const answers = (purpose: (typeof questions)[number], browser: Person, dora: Person, passkey: object) => {
    if (purpose === 'sign_in') return browser.call(proofs.signInWithPasskey, { body: { passkey } })
    return purpose === 'second_step' ? takesStep(browser, { passkey }) : confirms(dora, { passkey })
  }

  test.each(questions.flatMap((of) => questions.map((at) => [of, at] as const)))(
    'asked for %s and answered at %s counts only where it was asked',
    async (of, at) => {
      const { studio, dora, device } = await openGuarded()
      const browser = await waiting(studio, dora)
      const passkey = device.answer(await asked(of, browser, dora))
      const answer = await answers(at, browser, dora, passkey)
      if (of === at) expect(answer.status).toBe(200)
      else expect(answer).toBeRefused(factorRefusals.passkey_expired)
      expect(await isIn(browser)).toBe(of === at && at !== 'confirm')
    },
  )

  test('that answers what another account was asked opens neither', async () => {
    const { studio, ana, dora, device } = await openGuarded()
    const { device: hers } = await addsPasskey(ana)
    const browser = await waiting(studio, dora)
    const { body } = await browser.call(proofs.beginSecondStep)
    // Ana's device signs Dora's question, under Dora's passkey's name or her own.
    const signed = hers.answer(body.passkey)
    for (const id of [signed.id, device.ids[0] ?? ''])
      expect((await takesStep(browser, { passkey: { ...signed, id, rawId: id } })).status).toBe(400)
    const anas = (await asksToConfirm(ana)).passkey
    expect((await takesStep(browser, { passkey: device.answer(anas) })).status).toBe(400)
    expect((await confirms(ana, { passkey: device.answer((await asksToConfirm(ana)).passkey) })).status).toBe(400)
    // Whose it is cannot be written into the answer.
    const own = (await ana.call(proofs.beginPasskeySignIn)).body
    const claimed = hers.answer(own)
    const response = { ...claimed.response, userHandle: Buffer.from(dora.id).toString('base64url') }
    expect(
      await studio.visitor().call(proofs.signInWithPasskey, { body: { passkey: { ...claimed, response } } }),
    ).toBeRefused(factorRefusals.passkey_refused)
    expect(await isIn(browser)).toBe(false)
  })

  test('that answered once is worth nothing to nine others who send the same at the same time', async () => {
    const { studio, dora, device } = await openGuarded()
    const browsers = await Promise.all(ways(10, (i) => waiting(studio, dora, `M${i}`)))
    const [first] = browsers as [Person]
    const { body } = await first.call(proofs.beginSecondStep)
    const passkey = device.answer(body.passkey)
    const statuses = (await Promise.all(browsers.map((browser) => takesStep(browser, { passkey })))).map(statusOf)
    expect(statuses.sort()).toEqual([200, ...ways(9, () => 400)])
  })

  const forgeries: [string, Parameters<Authenticator['answer']>[1]][] = [
    ['a page of another site', { origin: 'https://studio.example.evil' }],
    ['the same name on another port', { origin: 'http://localhost:4001' }],
    ['the same name with TLS', { origin: 'https://localhost:4000' }],
    ['a name below this one', { origin: 'http://evil.localhost:4000' }],
    ['no origin', { origin: 'null' }],
    ['another site’s key', { rpId: 'studio.example' }],
    ['a site above this one', { rpId: 'host' }],
    ['the words of making one', { type: 'webauthn.create' }],
    ['a payment', { type: 'payment.get' }],
  ]
  test.each(forgeries)('from %s opens nothing, at any of the three places', async (_, forged) => {
    const { studio, dora, device } = await openGuarded()
    const browser = await waiting(studio, dora)
    for (const of of questions) {
      const passkey = device.answer(await asked(of, browser, dora), forged)
      expect(await answers(of, browser, dora, passkey)).toBeRefused(factorRefusals.passkey_refused)
    }
    expect(await isIn(browser)).toBe(false)
  })

  test('that was tampered with, or did not look who touches it, opens nothing', async () => {
    const { studio, dora, device } = await openGuarded()
    const browser = await waiting(studio, dora)
    const good = async () => device.answer((await browser.call(proofs.beginSecondStep)).body.passkey)
    const flip = (text: string) => {
      const bytes = Buffer.from(text, 'base64url')
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
      return bytes.toString('base64url')
    }
    for (const part of ['signature', 'authenticatorData'] as const) {
      const passkey = await good()
      passkey.response = { ...passkey.response, [part]: flip(passkey.response[part]) }
      expect(await takesStep(browser, { passkey })).toBeRefused(factorRefusals.passkey_refused)
    }
    device.verifiesUser = false
    expect(await takesStep(browser, { passkey: await good() })).toBeRefused(factorRefusals.passkey_refused)
    expect(await isIn(browser)).toBe(false)
  })

  test('whose counter stands or goes back is a copy, also of two that come at once', async () => {
    const { studio, ana } = await openGuarded()
    const { device } = await addsPasskey(ana)
    const signsIn = async (counter: number) => {
      const phone = studio.visitor('Phone')
      const { body } = await phone.call(proofs.beginPasskeySignIn)
      return phone.call(proofs.signInWithPasskey, { body: { passkey: device.answer(body, { counter }) } })
    }
    expect((await signsIn(7)).status).toBe(200)
    for (const counter of [7, 6, 1, 0]) expect(await signsIn(counter)).toBeRefused(factorRefusals.passkey_refused)
    const both = await Promise.all([signsIn(8), signsIn(8), signsIn(8)])
    expect(both.map(statusOf).sort()).toEqual([200, 400, 400])
  })

  test('of another account is not taken over by adding it again', async () => {
    const { studio, ana, boris } = await openGuarded()
    const device = new Authenticator(ORIGIN)
    const made = device.make((await ana.call(contract.beginPasskey)).body)
    expect((await ana.call(contract.addPasskey, { body: { passkey: made } })).status).toBe(201)
    // Boris is asked himself, and answers with Ana's, and with one of his own device under her passkey's name.
    const asked = async () => (await boris.call(contract.beginPasskey)).body
    const adds = (passkey: object) => boris.call(contract.addPasskey, { body: { passkey } })
    await asked()
    expect(await adds(made)).toBeRefused(factorRefusals.passkey_expired)
    const id = Buffer.from(made.id, 'base64url')
    expect(await adds(new Authenticator(ORIGIN).make(await asked(), { id }))).toBeRefused(factorRefusals.passkey_known)
    const { rows } = await studio.server.database.pool.query('select user_id from passkeys where credential_id = $1', [
      id,
    ])
    expect(rows).toEqual([{ user_id: ana.id }])
  })
})

describe('a sign-in that waits for its second step', () => {
  const closed = everyCall.filter(([, , { who }]) => who !== 'anyone')

  test('is no session: its cookie opens none of the endpoints, under its own name or the session’s', async () => {
    const { studio, dora } = await openGuarded()
    const browser = await waiting(studio, dora)
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
    // Nor is a session a sign-in that waits.
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

  test('is completed once, and its cookie completes nothing afterwards, wherever it was copied to', async () => {
    const { studio, dora, secret } = await openGuarded()
    const browser = await waiting(studio, dora)
    const thief = studio.visitor('Thief')
    thief.useCookiesOf(browser)
    expect((await takesStep(browser, { code: codeOf(studio, secret) })).status).toBe(200)
    passes(studio, 60)
    expect(await takesStep(thief, { code: codeOf(studio, secret) })).toBeRefused(factorRefusals.sign_in_expired)
    expect(await isIn(thief)).toBe(false)
  })

  test('ends with the second steps that it was to be completed by', async () => {
    const { studio, dora } = await openGuarded()
    const browser = await waiting(studio, dora)
    await studio.server.database.pool.query('delete from pending_sign_ins')
    expect(await takesStep(browser, { code: '123456' })).toBeRefused(factorRefusals.sign_in_expired)
  })
})

describe('cookies of before', () => {
  test('a session with the password alone stays a member’s, however many second steps come afterwards elsewhere', async () => {
    const { studio, dora } = await openStudio({ env: LIVE_ASKING })
    const old = knows(studio, dora, 'Old')
    expect((await logsIn(old)).body).toMatchObject({ isAdmin: false, secondStep: 'set_up' })
    const { secret } = await adminWithApp(studio, dora)
    expect(await isAdmin(dora)).toBe(true)
    expect((await old.request('GET', '/api/auth/user')).body).toMatchObject({ isAdmin: false, secondStep: 'take' })
    expect(await isAdmin(old)).toBe(false)
    // It does not give itself a step of its own, nor take one away.
    for (const endpoint of [contract.beginPasskey, contract.beginApp, contract.removeApp, contract.renewRecoveryCodes])
      expect(await old.call(endpoint)).toBeRefused(commonRefusals.step_up)
    expect(await confirms(old, { password: dora.password })).toBeRefused(factorRefusals.password_not_enough)
    // An app that was begun before there was a step is not connected after it.
    passes(studio, 60)
    expect((await confirms(old, { code: codeOf(studio, secret) })).body).toMatchObject({ isAdmin: true })
  })

  test('setting up that began before the first step was there does not end beside it', async () => {
    const { studio, dora } = await openStudio({ env: LIVE_ASKING })
    const thief = knows(studio, dora, 'Thief')
    await logsIn(thief)
    const begun = (await thief.call(contract.beginApp)).body
    const asked = (await thief.call(contract.beginPasskey)).body
    await adminWithApp(studio, dora)
    const body = { setUp: begun.setUp, code: codeOf(studio, begun.secret) }
    expect(await thief.call(contract.addApp, { body })).toBeRefused(commonRefusals.step_up)
    const passkey = new Authenticator(ORIGIN).make(asked)
    expect(await thief.call(contract.addPasskey, { body: { passkey } })).toBeRefused(commonRefusals.step_up)
    expect(await isAdmin(thief)).toBe(false)
  })

  test('of two who set up the first step at once with the password alone one has it', async () => {
    const { studio, dora } = await openStudio({ env: LIVE_ASKING })
    await logsIn(dora)
    const thief = knows(studio, dora, 'Thief')
    await logsIn(thief)
    const both = await Promise.all(
      [dora, thief].map(async (who) => {
        const { body } = await who.call(contract.beginPasskey)
        return { who, passkey: new Authenticator(ORIGIN).make(body) }
      }),
    )
    const added = await Promise.all(
      both.map(({ who, passkey }) => who.call(contract.addPasskey, { body: { passkey } })),
    )
    expect(added.map(statusOf).sort()).toEqual([201, 403])
  })

  test('of a member are no admin’s when rights are given', async () => {
    const { studio, ana } = await openGuarded()
    const thief = studio.visitor('Thief')
    thief.useCookiesOf(ana)
    const { transaction } = studio.server.database
    await transaction((tx) => makeAdmin(tx, ana.email, studio.clock.now(), { keepPassword: true }))
    expect(await isAdmin(thief)).toBe(false)
  })

  test('of before the step open nothing once it gave the session its rights', async () => {
    const { studio, dora } = await openStudio({ env: LIVE_ASKING })
    await logsIn(dora)
    const thief = studio.visitor('Thief')
    thief.useCookiesOf(dora)
    await addsPasskey(dora)
    expect(await isAdmin(dora)).toBe(true)
    expect(await isIn(thief)).toBe(false)
  })
})

describe('the last second step', () => {
  test('stays, however often and at however many browsers its removal is asked for at once', async () => {
    const { studio, dora } = await openGuarded()
    const { body } = await dora.call(contract.getFactors)
    const params = { id: body.passkeys[0].id }
    const removals = ways(6, (i) =>
      i % 2 === 0 ? dora.call(contract.removeApp) : dora.call(contract.removePasskey, { params }),
    )
    const statuses = (await Promise.all(removals)).map(statusOf)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    const left = 'select (select count(*) from passkeys) + (select count(*) from authenticator_apps)'
    expect(await studio.count(left)).toBe(1)
    expect(await isAdmin(dora)).toBe(true)
  })

  test('stays also with ten recovery codes beside it, and is no other person’s to remove', async () => {
    const { studio, ana, dora, recoveryCodes } = await openGuarded()
    expect(recoveryCodes).toHaveLength(10)
    const { body } = await dora.call(contract.getFactors)
    const params = { id: body.passkeys[0].id }
    expect(await ana.call(contract.removePasskey, { params })).toBeRefused(factorRefusals.passkey_not_found)
    expect((await dora.call(contract.removePasskey, { params })).status).toBe(200)
    expect(await dora.call(contract.removeApp)).toBeRefused(factorRefusals.last_factor)
    // Replacing the app leaves one.
    const begun = (await dora.call(contract.beginApp)).body
    const code = codeOf(studio, begun.secret)
    expect((await dora.call(contract.addApp, { body: { setUp: begun.setUp, code } })).status).toBe(200)
    expect(await studio.count('select count(*) from authenticator_apps')).toBe(1)
  })
})

describe('what asks again who is there', () => {
  const asking = all.filter(([, { asksAgainAfterMinutes }]) => asksAgainAfterMinutes !== undefined)

  test.each(asking)('%s: a session that is old enough does none of it, however it is asked', async (name, endpoint) => {
    const { studio, ana, dora, secret } = await openGuarded()
    const used = codeOf(studio, secret)
    passes(studio, 31 * 60)
    const thief = studio.visitor('Thief')
    thief.useCookiesOf(dora)
    // That a session is used is written down behind an answer, every five minutes.
    await thief.request('GET', '/api/auth/user')
    const isUsed = 'select count(*) from sessions where last_used_at = $1'
    const now = studio.clock.now().toString()
    await expect.poll(() => studio.count(isUsed, [now]), { timeout: 10_000 }).toBe(1)
    const everythingKept = keptBy({ studio })
    const before = await everythingKept()
    const isAsked = (answer: { status: number; body: unknown }) =>
      expect(answer).toMatchObject({ status: 403, body: { stepUp: true, message: commonRefusals.step_up.message } })
    const claims: Record<string, string>[] = [
      {},
      { 'x-http-method-override': 'GET', 'x-method-override': 'GET' },
      { 'x-original-url': '/api/packages', 'x-rewrite-url': '/api/packages' },
      { 'x-step-up': 'true', 'step-up': 'done', stepup: '1', authorization: `Bearer ${used}` },
      { 'idempotency-key': crypto.randomUUID() },
    ]
    for (const headers of claims)
      for (const id of [undefined, '1', ana.id]) isAsked(await callWith(thief, name, endpoint, id, headers))
    const path = endpoint.path.replace(/:\w+/g, ana.id)
    const body = endpoint.method === 'GET' ? undefined : {}
    for (const query of ['stepUp=true', 'confirmed=1', `code=${used}`, '_method=GET', 'all=true'])
      isAsked(await thief.request(endpoint.method, `${path}?${query}`, body))
    for (const other of [
      path.toUpperCase(),
      `${path}/`,
      path.replace('/api', '/api/.'),
      path.replace('/api/', '/api//'),
      `${path}%20`,
      `${path};.css`,
      `${path}.json`,
    ]) {
      const { status } = await thief.request(endpoint.method, other, body)
      expect([other, [403, 404].includes(status)]).toEqual([other, true])
    }
    // What was proved with is no proof twice, nor is the password, and asking how to prove it proves nothing.
    expect((await confirms(thief, { code: used })).status).toBe(400)
    expect((await confirms(thief, { password: dora.password })).status).toBe(400)
    expect((await confirms(thief, {})).status).toBe(400)
    isAsked(await callWith(thief, name, endpoint))
    expect(await everythingKept()).toBe(before)
  })

  test('a proof opens the session that it was given in, and no other of the same person', async () => {
    const { studio, ana, dora, secret } = await openGuarded()
    const laptop = await waiting(studio, dora, 'Laptop')
    expect((await takesStep(laptop, { code: codeOf(studio, secret) })).status).toBe(200)
    passes(studio, 31 * 60)
    expect((await confirms(laptop, { code: codeOf(studio, secret) })).status).toBe(200)
    const reads = (who: Person) => who.request('GET', `/api/admin/users/${ana.id}/health`)
    expect((await reads(laptop)).status).toBe(200)
    expect(await reads(dora)).toBeRefused(commonRefusals.step_up)
  })

  test('an edit asks for what it changes, whatever else stands in it', async () => {
    const { studio, ana, boris, dora } = await openGuarded()
    passes(studio, 31 * 60)
    const edits = (id: string, body: object) => dora.request('PUT', `/api/admin/users/${id}`, body)
    for (const [id, body] of [
      [ana.id, { isAdmin: true }],
      [ana.id, { isAdmin: true, firstName: 'Ana', email: ana.email }],
      [ana.id, { email: 'thief@people.example' }],
      [ana.id, { email: ` ${'thief@people.example'} `, isAdmin: false }],
      [dora.id, { isAdmin: false }],
      [boris.id, { isAdmin: true, ifUpdatedAt: null }],
    ] as const)
      expect(await edits(id, body)).toBeRefused(commonRefusals.step_up)
    const changed = "select count(*) from users where email like 'thief%' or (is_admin and id <> $1)"
    expect(await studio.count(changed, [dora.id])).toBe(0)
  })
})
