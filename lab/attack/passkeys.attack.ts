import { describe, expect, test } from 'vitest'
import * as contract from '#accounts/contract-factors.ts'
import * as proofs from '#accounts/contract-proofs.ts'
import {
  ORIGIN,
  registerPasskey,
  startStepUp,
  submitSecondStep,
  submitStepUp,
} from '#accounts/server/factors/factors-under-test.ts'
import { Authenticator } from '#testing/authenticator.ts'
import type { Person } from '#testing/person.ts'
import { beforeSecondStep, isIn, openGuarded, statusOf, times } from './guarded-studio.ts'

const { factorRefusals } = contract

describe('a passkey', () => {
  const purposes = ['sign_in', 'second_step', 'confirm'] as const
  async function challenge(purpose: (typeof purposes)[number], browser: Person, dora: Person) {
    if (purpose === 'sign_in') return (await browser.call(proofs.beginPasskeySignIn)).body
    if (purpose === 'second_step') return (await browser.call(proofs.beginSecondStep)).body.passkey
    return (await startStepUp(dora)).passkey
  }
  const sendResponse = (purpose: (typeof purposes)[number], browser: Person, dora: Person, passkey: object) => {
    if (purpose === 'sign_in') return browser.call(proofs.signInWithPasskey, { body: { passkey } })
    return purpose === 'second_step' ? submitSecondStep(browser, { passkey }) : submitStepUp(dora, { passkey })
  }

  test.each(purposes.flatMap((of) => purposes.map((at) => [of, at] as const)))(
    'challenged for %s and answered at %s counts only where it was challenged',
    async (of, at) => {
      const { studio, dora, device } = await openGuarded()
      const browser = await beforeSecondStep(studio, dora)
      const passkey = device.answer(await challenge(of, browser, dora))
      const answer = await sendResponse(at, browser, dora, passkey)
      if (of === at) expect(answer.status).toBe(200)
      else expect(answer).toBeRefused(factorRefusals.passkey_challenge_expired)
      expect(await isIn(browser)).toBe(of === at && at !== 'confirm')
    },
  )

  test('cannot answer the challenge of another account', async () => {
    const { studio, ana, dora, device } = await openGuarded()
    const { device: hers } = await registerPasskey(ana)
    const browser = await beforeSecondStep(studio, dora)
    const { body } = await browser.call(proofs.beginSecondStep)
    // Ana's device signs Dora's challenge, with Dora's passkey id or its own.
    const signed = hers.answer(body.passkey)
    for (const id of [signed.id, device.ids[0] ?? ''])
      expect((await submitSecondStep(browser, { passkey: { ...signed, id, rawId: id } })).status).toBe(400)
    const anas = (await startStepUp(ana)).passkey
    expect((await submitSecondStep(browser, { passkey: device.answer(anas) })).status).toBe(400)
    expect((await submitStepUp(ana, { passkey: device.answer((await startStepUp(ana)).passkey) })).status).toBe(400)
    // The user handle in the answer is not trusted.
    const own = (await ana.call(proofs.beginPasskeySignIn)).body
    const claimed = hers.answer(own)
    const response = { ...claimed.response, userHandle: Buffer.from(dora.id).toString('base64url') }
    expect(
      await studio.visitor().call(proofs.signInWithPasskey, { body: { passkey: { ...claimed, response } } }),
    ).toBeRefused(factorRefusals.passkey_rejected)
    expect(await isIn(browser)).toBe(false)
  })

  test('works once when ten browsers send the same answer', async () => {
    const { studio, dora, device } = await openGuarded()
    const browsers = await Promise.all(times(10, (i) => beforeSecondStep(studio, dora, `M${i}`)))
    const [first] = browsers as [Person]
    const { body } = await first.call(proofs.beginSecondStep)
    const passkey = device.answer(body.passkey)
    const statuses = (await Promise.all(browsers.map((browser) => submitSecondStep(browser, { passkey })))).map(
      statusOf,
    )
    expect(statuses.sort()).toEqual([200, ...times(9, () => 400)])
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
  test.each(forgeries)('from %s is rejected everywhere', async (_, forged) => {
    const { studio, dora, device } = await openGuarded()
    const browser = await beforeSecondStep(studio, dora)
    for (const of of purposes) {
      const passkey = device.answer(await challenge(of, browser, dora), forged)
      expect(await sendResponse(of, browser, dora, passkey)).toBeRefused(factorRefusals.passkey_rejected)
    }
    expect(await isIn(browser)).toBe(false)
  })

  test('with a changed signature or without user verification is rejected', async () => {
    const { studio, dora, device } = await openGuarded()
    const browser = await beforeSecondStep(studio, dora)
    const good = async () => device.answer((await browser.call(proofs.beginSecondStep)).body.passkey)
    const flip = (text: string) => {
      const bytes = Buffer.from(text, 'base64url')
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
      return bytes.toString('base64url')
    }
    for (const part of ['signature', 'authenticatorData'] as const) {
      const passkey = await good()
      passkey.response = { ...passkey.response, [part]: flip(passkey.response[part]) }
      expect(await submitSecondStep(browser, { passkey })).toBeRefused(factorRefusals.passkey_rejected)
    }
    device.verifiesUser = false
    expect(await submitSecondStep(browser, { passkey: await good() })).toBeRefused(factorRefusals.passkey_rejected)
    expect(await isIn(browser)).toBe(false)
  })

  test('whose counter does not grow is rejected as a copy, even concurrently', async () => {
    const { studio, ana } = await openGuarded()
    const { device } = await registerPasskey(ana)
    const signIn = async (counter: number) => {
      const phone = studio.visitor('Phone')
      const { body } = await phone.call(proofs.beginPasskeySignIn)
      return phone.call(proofs.signInWithPasskey, { body: { passkey: device.answer(body, { counter }) } })
    }
    expect((await signIn(7)).status).toBe(200)
    for (const counter of [7, 6, 1, 0]) expect(await signIn(counter)).toBeRefused(factorRefusals.passkey_rejected)
    const both = await Promise.all([signIn(8), signIn(8), signIn(8)])
    expect(both.map(statusOf).sort()).toEqual([200, 400, 400])
  })

  test('of another account cannot be registered again', async () => {
    const { studio, ana, boris } = await openGuarded()
    const device = new Authenticator(ORIGIN)
    const made = device.make((await ana.call(contract.beginPasskey)).body)
    expect((await ana.call(contract.addPasskey, { body: { passkey: made } })).status).toBe(201)
    // Boris answers with Ana's passkey, then with his own device under her passkey's id.
    const challenge = async () => (await boris.call(contract.beginPasskey)).body
    const add = (passkey: object) => boris.call(contract.addPasskey, { body: { passkey } })
    await challenge()
    expect(await add(made)).toBeRefused(factorRefusals.passkey_challenge_expired)
    const id = Buffer.from(made.id, 'base64url')
    expect(await add(new Authenticator(ORIGIN).make(await challenge(), { id }))).toBeRefused(
      factorRefusals.passkey_already_registered,
    )
    const { rows } = await studio.server.database.pool.query('select user_id from passkeys where credential_id = $1', [
      id,
    ])
    expect(rows).toEqual([{ user_id: ana.id }])
  })
})
