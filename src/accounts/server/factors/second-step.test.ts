import { expect, test } from 'vitest'
import { commonRefusals } from '#foundation/refusal.ts'
import { getMemberPage, listUsers } from '#insights/contract.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { getCurrentUser } from '../../contract.ts'
import * as contract from '../../contract-factors.ts'
import * as proofs from '../../contract-proofs.ts'
import {
  addAuthenticatorApp,
  adminWithApp,
  advanceClock,
  codeOf,
  createPasskey,
  LIVE_SECOND_FACTOR_ENV,
  logIn,
  registerPasskey,
  SECOND_FACTOR_ENV,
  submitSecondStep,
  submitStepUp,
} from './factors-under-test.ts'

const { factorRefusals } = contract

test('an admin without a second step is a member until one is set up', async () => {
  const { studio, dora, ana } = await openStudio({ env: SECOND_FACTOR_ENV })
  const { body } = await logIn(dora)
  expect(body).toMatchObject({ isAdmin: false, secondStep: 'set_up' })
  expect((await dora.call(getCurrentUser)).body).toMatchObject({ isAdmin: false, secondStep: 'set_up' })
  expect(await dora.call(listUsers)).toBeRefused(commonRefusals.second_factor_missing)
  expect(await ana.call(listUsers)).toBeRefused(commonRefusals.forbidden)

  const before = new Map(dora.cookies)
  const { added } = await registerPasskey(dora)
  expect(added.status).toBe(201)
  expect(added.body.user).toMatchObject({ isAdmin: true })
  expect(added.body.recoveryCodes).toHaveLength(10)
  expect((await dora.call(listUsers)).status).toBe(200)
  // Gaining admin rights replaces the token, and the old one stops working.
  expect(dora.cookies.get('session')).not.toBe(before.get('session'))
  const thief = studio.visitor('Thief')
  for (const [name, value] of before) (thief.cookies as Map<string, string>).set(name, value)
  expect((await thief.call(getCurrentUser)).status).toBe(401)
})

test('a teacher needs a second step like an admin, and even then may not call endpoints for admins', async () => {
  const { studio } = await openStudio({ env: SECOND_FACTOR_ENV })
  const tom = await studio.teacher('Tom')
  expect((await logIn(tom)).body).toMatchObject({ role: 'teacher', secondStep: 'set_up' })
  expect(await tom.call(listUsers)).toBeRefused(commonRefusals.forbidden)
  const { added } = await registerPasskey(tom)
  expect(added.body.recoveryCodes).toHaveLength(10)
  expect((await tom.call(getCurrentUser)).body).not.toHaveProperty('secondStep')
  expect(await tom.call(listUsers)).toBeRefused(commonRefusals.forbidden)
  expect(await tom.call(contract.removePasskey, { params: { id: added.body.passkey.id } })).toBeRefused(
    factorRefusals.last_second_factor,
  )
})

test('of two concurrent first factors, one is added', async () => {
  const { studio, dora } = await openStudio({ env: SECOND_FACTOR_ENV })
  const thief = Object.assign(studio.visitor('Thief'), { email: dora.email, password: dora.password })
  for (const one of [dora, thief]) await logIn(one)
  const made = await Promise.all([createPasskey(dora), createPasskey(thief)])
  const added = await Promise.all(made.map((send) => send()))
  expect(added.map(({ status }) => status).sort()).toEqual([201, 403])
  expect(await studio.count('select count(*) from passkeys')).toBe(1)
})

test('an admin with an app needs a code after the password; the code works once', async () => {
  const { studio, dora } = await openStudio({ env: SECOND_FACTOR_ENV })
  const { secret } = await adminWithApp(studio, dora)
  const phone = studio.visitor('Phone')
  const knows = Object.assign(phone, { email: dora.email, password: dora.password })
  const asked = await logIn(knows)
  expect(asked.status).toBe(200)
  expect(asked.body).toEqual({ secondFactorRequired: true })
  expect((await knows.call(getCurrentUser)).status).toBe(401)
  expect((await knows.call(proofs.beginSecondStep)).body).toEqual({ password: false, codes: true, passkey: null })

  expect(await submitSecondStep(knows, { code: '000000' })).toBeRefused(factorRefusals.invalid_code)
  const code = codeOf(studio, secret)
  const done = await submitSecondStep(knows, { code })
  expect(done.body).toMatchObject({ id: dora.id, isAdmin: true })
  expect((await knows.call(listUsers)).status).toBe(200)
  expect(await submitSecondStep(knows, { code })).toBeRefused(factorRefusals.sign_in_expired)

  // The same code again, in another browser: it was taken.
  const other = Object.assign(studio.visitor('Other'), { email: dora.email, password: dora.password })
  await logIn(other)
  expect(await submitSecondStep(other, { code })).toBeRefused(factorRefusals.invalid_code)
  expect(await submitSecondStep(other, { code: codeOf(studio, secret, -1) })).toBeRefused(factorRefusals.invalid_code)
  // One step ahead is the drift that clocks may have, two are not.
  expect(await submitSecondStep(other, { code: codeOf(studio, secret, 2) })).toBeRefused(factorRefusals.invalid_code)
  expect((await submitSecondStep(other, { code: codeOf(studio, secret, 1) })).status).toBe(200)
})

test('of two concurrent uses of one code, one succeeds', async () => {
  const { studio, dora } = await openStudio({ env: SECOND_FACTOR_ENV })
  const { secret } = await adminWithApp(studio, dora)
  const browsers = [1, 2, 3].map((n) =>
    Object.assign(studio.visitor(`B${n}`), { email: dora.email, password: dora.password }),
  )
  for (const browser of browsers) await logIn(browser)
  const code = codeOf(studio, secret)
  const responses = await Promise.all(browsers.map((browser) => submitSecondStep(browser, { code })))
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400])
})

test('a pending sign-in is completed once; a second try does not use up the code', async () => {
  const { studio, dora } = await openStudio({ env: SECOND_FACTOR_ENV })
  const { recoveryCodes } = await adminWithApp(studio, dora)
  const phone = Object.assign(studio.visitor('Phone'), { email: dora.email, password: dora.password })
  await logIn(phone)
  const responses = await Promise.all(recoveryCodes.slice(0, 4).map((code) => submitSecondStep(phone, { code })))
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400])
  expect(await studio.count('select count(*) from recovery_codes')).toBe(9)
})

test('a pending sign-in ends after five minutes or a password change, and belongs to its browser', async () => {
  const { studio, dora, boris } = await openStudio({ env: SECOND_FACTOR_ENV })
  const { secret } = await adminWithApp(studio, dora)
  const phone = Object.assign(studio.visitor('Phone'), { email: dora.email, password: dora.password })
  await logIn(phone)
  advanceClock(studio, 300)
  expect(await submitSecondStep(phone, { code: codeOf(studio, secret) })).toBeRefused(factorRefusals.sign_in_expired)

  await logIn(phone)
  await studio.server.database.pool.query("update users set password_hash = 'another' where id = $1", [dora.id])
  expect(await submitSecondStep(phone, { code: codeOf(studio, secret) })).toBeRefused(factorRefusals.sign_in_expired)
  expect(await submitSecondStep(boris, { code: codeOf(studio, secret) })).toBeRefused(factorRefusals.sign_in_expired)
})

test('each recovery code works once and its use is recorded', async () => {
  const { studio, dora } = await openStudio({ env: SECOND_FACTOR_ENV })
  const { recoveryCodes } = await adminWithApp(studio, dora)
  expect(new Set(recoveryCodes).size).toBe(10)
  const [first = '', second = ''] = recoveryCodes
  expect(await studio.count('select count(*) from recovery_codes where code_hash::text like $1', [`%${first}%`])).toBe(
    0,
  )
  for (const [code, status] of [
    [first.toUpperCase().replaceAll('-', ' '), 200],
    [first, 400],
    [second, 200],
  ] as const) {
    const phone = Object.assign(studio.visitor('Phone'), { email: dora.email, password: dora.password })
    await logIn(phone)
    expect((await submitSecondStep(phone, { code })).status).toBe(status)
  }
  expect(await studio.count("select count(*) from security_events where kind = 'recovery_code_used'")).toBe(2)
  const { body } = await dora.call(contract.getFactors)
  expect(body).toMatchObject({ recoveryCodes: 8, isRequired: true, mayUseCodes: true })

  const { body: renewed } = await dora.call(contract.renewRecoveryCodes)
  const phone = Object.assign(studio.visitor('Phone'), { email: dora.email, password: dora.password })
  await logIn(phone)
  expect(await submitSecondStep(phone, { code: recoveryCodes[5] })).toBeRefused(factorRefusals.invalid_code)
  expect((await submitSecondStep(phone, { code: renewed.recoveryCodes[0] })).status).toBe(200)
})

test('live: refuses codes for 15 minutes after five wrong ones, for this account only', async () => {
  const { studio, dora, ana } = await openStudio({ env: LIVE_SECOND_FACTOR_ENV })
  const { secret, recoveryCodes } = await adminWithApp(studio, dora)
  const phone = Object.assign(studio.visitor('Phone'), { email: dora.email, password: dora.password })
  await logIn(phone)
  for (let i = 0; i < 5; i++)
    expect(await submitSecondStep(phone, { code: '12345' })).toBeRefused(factorRefusals.invalid_code)
  const right = { code: codeOf(studio, secret) }
  expect(await submitSecondStep(phone, right)).toBeRefused(commonRefusals.too_many_requests)
  expect(await submitSecondStep(phone, { code: recoveryCodes[0] })).toBeRefused(commonRefusals.too_many_requests)
  expect((await logIn(ana)).status).toBe(200)
  expect(await studio.count("select count(*) from security_events where kind = 'second_factor_failed'")).toBe(5)
})

test('an emailed link is not a second step: it sets the password, but gives no admin rights and cannot add a factor', async () => {
  const { studio, dora, ana } = await openStudio({ env: SECOND_FACTOR_ENV })
  const { secret } = await adminWithApp(studio, dora)
  const { rows } = await studio.server.database.pool.query(
    "update sessions set method = 'mailed_link' where user_id = $1 returning id",
    [dora.id],
  )
  expect(rows).toHaveLength(1)
  expect((await dora.call(getCurrentUser)).body).toMatchObject({ isAdmin: false, secondStep: 'take' })
  expect(await dora.call(getMemberPage, { params: { id: ana.id } })).toBeRefused(commonRefusals.second_factor_missing)
  for (const answer of [
    await dora.call(contract.beginPasskey),
    await dora.call(contract.beginApp),
    await dora.call(contract.renewRecoveryCodes),
    await dora.call(contract.removeApp),
  ]) {
    expect(answer).toBeRefused(commonRefusals.step_up_required)
    expect(answer.body.stepUp).toBe(true)
  }
  expect(await submitStepUp(dora, { password: dora.password })).toBeRefused(factorRefusals.password_not_sufficient)
  expect((await submitStepUp(dora, { code: codeOf(studio, secret) })).body).toMatchObject({ isAdmin: true })
  expect((await dora.call(getMemberPage, { params: { id: ana.id } })).status).toBe(200)
})

test('setting up an app works for its user within 15 minutes and needs a correct code', async () => {
  const { studio, dora } = await openStudio({ env: SECOND_FACTOR_ENV })
  const eve = await studio.admin('Eve')
  await logIn(dora)
  await logIn(eve)
  const { body: setUp } = await dora.call(contract.beginApp)
  const sent = { setUp: setUp.setUp, code: codeOf(studio, setUp.secret) }
  expect(await eve.call(contract.addApp, { body: sent })).toBeRefused(factorRefusals.setup_expired)
  expect(await dora.call(contract.addApp, { body: { ...sent, code: '111111' } })).toBeRefused(
    factorRefusals.invalid_code,
  )
  expect(await studio.count('select count(*) from authenticator_apps')).toBe(0)
  expect((await dora.call(contract.addApp, { body: sent })).status).toBe(200)
  const { rows } = await studio.server.database.pool.query('select sealed_secret from authenticator_apps')
  expect(rows[0].sealed_secret.toString('latin1')).not.toContain(setUp.secret)
})

test('members cannot use codes; the demo does not require a second step', async () => {
  const { studio, ana, dora } = await openStudio()
  expect(await ana.call(contract.beginApp)).toBeRefused(commonRefusals.forbidden)
  expect(await ana.call(contract.renewRecoveryCodes)).toBeRefused(commonRefusals.forbidden)
  await addAuthenticatorApp(studio, dora)
  expect((await logIn(dora)).body).toMatchObject({ isAdmin: true })
  advanceClock(studio, 3 * 3600)
  expect((await dora.call(listUsers)).status).toBe(200)
})
