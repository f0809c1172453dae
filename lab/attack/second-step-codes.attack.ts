import { describe, expect, test } from 'vitest'
import * as contract from '#accounts/contract-factors.ts'
import * as proofs from '#accounts/contract-proofs.ts'
import {
  adminWithApp,
  advanceClock,
  codeOf,
  logIn,
  submitSecondStep,
  submitStepUp,
} from '#accounts/server/factors/factors-under-test.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import type { Person } from '#testing/person.ts'
import { beforeSecondStep, isAdmin, isIn, openGuarded, statusOf, times } from './guarded-studio.ts'

const { factorRefusals } = contract

describe('a code of the app', () => {
  test('works once, however it is written', async () => {
    const { studio, dora, secret } = await openGuarded()
    const code = codeOf(studio, secret)
    expect((await submitSecondStep(await beforeSecondStep(studio, dora), { code })).status).toBe(200)
    const browsers = await Promise.all(times(4, (i) => beforeSecondStep(studio, dora, `M${i}`)))
    const written = [code, ` ${code}`, `${code.slice(0, 3)} ${code.slice(3)}`, `${code}\t`]
    const again = await Promise.all(browsers.map((browser, i) => submitSecondStep(browser, { code: written[i] })))
    expect(again.map(statusOf)).toEqual([400, 400, 400, 400])
    expect(await submitStepUp(dora, { code })).toBeRefused(factorRefusals.invalid_code)
    for (const browser of browsers) expect(await isIn(browser)).toBe(false)
  })

  test('sent to two endpoints concurrently is accepted by one', async () => {
    const { studio, dora, secret } = await openGuarded()
    const browser = await beforeSecondStep(studio, dora)
    const code = codeOf(studio, secret)
    const responses = await Promise.all([submitSecondStep(browser, { code }), submitStepUp(dora, { code })])
    expect(responses.map(statusOf).sort()).toEqual([200, 400])
  })

  test.each([-20, -3, -2, 2, 3, 20, 2880])('%i half minutes off is refused', async (steps) => {
    const { studio, dora, secret } = await openGuarded()
    const browser = await beforeSecondStep(studio, dora)
    expect(await submitSecondStep(browser, { code: codeOf(studio, secret, steps) })).toBeRefused(
      factorRefusals.invalid_code,
    )
    expect(await submitStepUp(dora, { code: codeOf(studio, secret, steps) })).toBeRefused(factorRefusals.invalid_code)
    expect(await isIn(browser)).toBe(false)
  })

  test('older than the last accepted one is refused', async () => {
    const { studio, dora, secret } = await openGuarded()
    expect(
      (await submitSecondStep(await beforeSecondStep(studio, dora), { code: codeOf(studio, secret, 1) })).status,
    ).toBe(200)
    for (const steps of [-1, 0, 1]) {
      const answer = await submitSecondStep(await beforeSecondStep(studio, dora), {
        code: codeOf(studio, secret, steps),
      })
      expect(answer).toBeRefused(factorRefusals.invalid_code)
    }
  })

  test('guessed sixty times concurrently is checked five times, and then even the right code has to wait', async () => {
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

  test('cannot be set up without the existing second step', async () => {
    const { studio, dora } = await openGuarded()
    advanceClock(studio, 6 * 60)
    const thief = studio.visitor('Thief')
    thief.copyCookiesOf(dora)
    expect(await thief.call(contract.beginApp)).toBeRefused(commonRefusals.step_up_required)
    // Another member's sealed secret, or a forged one, is refused.
    const eve = await studio.admin('Eve')
    await logIn(eve)
    const { body } = await eve.call(contract.beginApp)
    const code = codeOf(studio, body.secret)
    const ana = await studio.admin('Anabel')
    await logIn(ana)
    for (const setUp of [body.setUp, 'AAAA', `${body.setUp.slice(0, -4)}AAAA`])
      expect(await ana.call(contract.addApp, { body: { setUp, code } })).toBeRefused(factorRefusals.setup_expired)
    expect(await isAdmin(ana)).toBe(false)
  })
})

describe('a recovery code', () => {
  test('works once when sent concurrently', async () => {
    const { studio, dora, recoveryCodes } = await openGuarded()
    const [code = ''] = recoveryCodes
    const browsers = await Promise.all(times(4, (i) => beforeSecondStep(studio, dora, `M${i}`)))
    const written = [code, code.toUpperCase(), code.replaceAll('-', ' '), code.replaceAll('-', '')]
    const responses = await Promise.all([
      ...browsers.map((browser, i) => submitSecondStep(browser, { code: written[i] })),
      submitStepUp(dora, { code }),
    ])
    expect(responses.map(statusOf).sort()).toEqual([200, 400, 400, 400, 400])
    expect(await studio.count('select count(*) from recovery_codes')).toBe(9)
    expect(await studio.count("select count(*) from security_events where kind = 'recovery_code_used'")).toBe(1)
  })

  test('guesses share the limit of codes', async () => {
    const { studio, dora, recoveryCodes } = await openGuarded()
    const browsers = await Promise.all(times(5, (i) => beforeSecondStep(studio, dora, `M${i}`)))
    const [real = ''] = recoveryCodes
    const guess = (i: number) => real.replace(/[a-z0-9]{2}$/i, String(i + 10))
    const sent = times(50, (i) => submitSecondStep(browsers[i % 5] as Person, { code: guess(i) }))
    const statuses = (await Promise.all(sent)).map(statusOf)
    expect(statuses.filter((status) => status === 400)).toHaveLength(5)
    expect(statuses.filter((status) => status === 429)).toHaveLength(45)
    expect(await studio.count('select count(*) from recovery_codes')).toBe(10)
  })

  test('of another admin, or replaced by new ones, is refused', async () => {
    const { studio, dora, recoveryCodes } = await openGuarded()
    const eve = await studio.admin('Eve')
    const { recoveryCodes: hers } = await adminWithApp(studio, eve)
    expect((await submitSecondStep(await beforeSecondStep(studio, dora), { code: hers[0] })).status).toBe(400)
    expect((await dora.call(contract.renewRecoveryCodes)).status).toBe(200)
    expect((await submitSecondStep(await beforeSecondStep(studio, dora), { code: recoveryCodes[0] })).status).toBe(400)
  })
})
