import { expect, test } from 'vitest'
import { commonRefusals } from '#foundation/refusal.ts'
import { getMemberHealth, listHealthUpdates, markHealthUpdateSent } from '#health/contract.ts'
import { listUsers } from '#insights/contract.ts'
import { decideRefund, refundPurchase } from '#payments/contract.ts'
import { deleteUser, exportMemberData, exportMembers, exportOwnData } from '#privacy/contract.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import { editUser, getCurrentUser } from '../../contract.ts'
import * as contract from '../../contract-factors.ts'
import * as proofs from '../../contract-proofs.ts'
import { endOneSession, endSessions, listSessions } from '../../contract-sessions.ts'
import { throttles } from '../sign-in/throttle.ts'
import {
  adminWithApp,
  advanceClock,
  codeOf,
  LIVE_SECOND_FACTOR_ENV,
  logIn,
  registerPasskey,
  SECOND_FACTOR_ENV,
  startStepUp,
  submitStepUp,
} from './factors-under-test.ts'

const { factorRefusals } = contract
const HALF_AN_HOUR = 30 * 60

/** The requests that need a new proof of identity, as an admin makes them. */
const sensitive = (admin: Person, ana: Person): [string, () => Promise<{ status: number }>][] => [
  ['health answers', () => admin.call(getMemberHealth, { params: { id: ana.id } })],
  ['health updates', () => admin.call(listHealthUpdates)],
  ['a health update', () => admin.call(markHealthUpdateSent, { params: { id: 1 } })],
  ['a role', () => admin.call(editUser, { params: { id: ana.id }, body: { isAdmin: true } })],
  ['an email', () => admin.call(editUser, { params: { id: ana.id }, body: { email: 'new@people.example' } })],
  ['a refund', () => admin.call(refundPurchase, { params: { id: 999 }, body: {} })],
  ['a decision', () => admin.call(decideRefund, { params: { id: 999 }, body: {} })],
  ['an export', () => admin.call(exportMemberData, { params: { id: ana.id } })],
  ['the members’ file', () => admin.call(exportMembers)],
  ['ending a session', () => admin.call(endOneSession, { params: { id: crypto.randomUUID() } })],
  ['ending sessions', () => admin.call(endSessions)],
  ['erasing', () => admin.call(deleteUser, { params: { id: ana.id } })],
]

async function expectAsked(admin: Person, ana: Person): Promise<void> {
  for (const [what, ask] of sensitive(admin, ana)) {
    const answer = await ask()
    expect(answer, what).toBeRefused(commonRefusals.step_up_required)
    expect(answer, what).toMatchObject({ status: 403, body: { stepUp: true } })
  }
}

async function expectNotAsked(admin: Person, ana: Person): Promise<void> {
  // 503: this site takes no cards.
  for (const [what, ask] of sensitive(admin, ana)) expect([200, 404, 503], what).toContain((await ask()).status)
}

const usualAgain = (admin: Person, { id, email }: Person) =>
  admin.call(editUser, { params: { id }, body: { email, isAdmin: false, firstName: 'Annie' } })

test('live: sensitive actions need a step-up after 30 minutes, to the second', async () => {
  const { studio, ana, dora } = await openStudio({ env: LIVE_SECOND_FACTOR_ENV })
  const { secret } = await adminWithApp(studio, dora)
  await submitStepUp(dora, { code: codeOf(studio, secret) })
  advanceClock(studio, HALF_AN_HOUR - 1)
  expect((await dora.call(getMemberHealth, { params: { id: ana.id } })).status).toBe(200)
  advanceClock(studio, 1)
  const countReads = () => studio.count('select count(*) from health_reads')
  const before = await countReads()
  await expectAsked(dora, ana)
  expect(await countReads()).toBe(before)
  // The form sends every field; only what changes counts.
  expect((await usualAgain(dora, ana)).status).toBe(200)
  expect((await dora.call(listUsers)).status).toBe(200)
  expect((await dora.call(exportOwnData)).status).toBe(200)

  expect(await submitStepUp(dora, { code: '000000' })).toBeRefused(factorRefusals.invalid_code)
  await expectAsked(dora, ana)
  expect((await submitStepUp(dora, { code: codeOf(studio, secret) })).status).toBe(200)
  await expectNotAsked(dora, ana)
  expect(
    await studio.count("select count(*) from security_events where kind = 'stepped_up' and outcome = 'done'"),
  ).toBe(2)
})

test('a stolen session cannot do sensitive actions or complete a step-up', async () => {
  const { studio, ana, dora } = await openStudio({ env: LIVE_SECOND_FACTOR_ENV })
  const { secret } = await adminWithApp(studio, dora)
  const used = codeOf(studio, secret)
  await submitStepUp(dora, { code: used })
  advanceClock(studio, HALF_AN_HOUR)
  const thief = studio.visitor('Thief')
  thief.copyCookiesOf(dora)
  expect((await thief.call(getCurrentUser)).body.id).toBe(dora.id)
  await expectAsked(thief, ana)
  expect(await submitStepUp(thief, { password: dora.password })).toBeRefused(factorRefusals.password_not_sufficient)
  expect(await submitStepUp(thief, { code: used })).toBeRefused(factorRefusals.invalid_code)
  for (const answer of [
    await thief.call(contract.beginPasskey),
    await thief.call(contract.beginApp),
    await thief.call(contract.removeApp),
    await thief.call(contract.renewRecoveryCodes),
  ])
    expect(answer).toBeRefused(commonRefusals.step_up_required)
  await expectAsked(thief, ana)
})

test('live: a step-up replaces the token; the old one works for 30 seconds', async () => {
  const { studio, ana, dora } = await openStudio({ env: LIVE_SECOND_FACTOR_ENV })
  const { secret } = await adminWithApp(studio, dora)
  const thief = studio.visitor('Thief')
  thief.copyCookiesOf(dora)
  const before = (await dora.call(listSessions)).body
  expect((await submitStepUp(dora, { code: codeOf(studio, secret) })).status).toBe(200)
  expect(dora.cookies.get('session')).not.toBe(thief.cookies.get('session'))
  // One browser, as before, and as long as before.
  expect((await dora.call(listSessions)).body).toEqual(before)
  await expectNotAsked(dora, ana)
  expect((await dora.call(endSessions)).body.ended).toBe(0)
})

test('live: a replaced token cannot do sensitive actions, and expires after 30 seconds', async () => {
  const { studio, ana } = await openStudio({ env: LIVE_SECOND_FACTOR_ENV })
  const thief = studio.visitor('Thief')
  const late = studio.visitor('Late')
  thief.copyCookiesOf(ana)
  late.copyCookiesOf(ana)
  advanceClock(studio, 5 * 60)
  const proved = await Promise.all([ana, late].map((one) => submitStepUp(one, { password: ana.password })))
  expect(proved.map(({ status }) => status)).toEqual([200, 200])
  expect((await thief.call(getCurrentUser)).status).toBe(200)
  expect(await thief.call(endSessions)).toBeRefused(commonRefusals.step_up_required)
  advanceClock(studio, 30)
  expect(await thief.call(getCurrentUser)).toBeRefused(commonRefusals.unauthorized)
  // Of two concurrent proofs, one receives the token.
  const others = await Promise.all([ana, late].map((one) => one.call(getCurrentUser)))
  expect(others.map(({ status }) => status).sort()).toEqual([200, 401])
})

test('live: a member completes a step-up with the password or a passkey before changing factors', async () => {
  const { studio, ana, boris } = await openStudio({ env: LIVE_SECOND_FACTOR_ENV })
  advanceClock(studio, 5 * 60)
  expect(await ana.call(contract.beginPasskey)).toBeRefused(commonRefusals.step_up_required)
  expect(await startStepUp(ana)).toEqual({ password: true, codes: false, passkey: null })
  expect(await submitStepUp(ana, { password: 'not-hers' })).toBeRefused(factorRefusals.password_incorrect)
  expect((await submitStepUp(ana, { password: ana.password })).status).toBe(200)
  const { device, added } = await registerPasskey(ana)
  expect(added.status).toBe(201)

  advanceClock(studio, 5 * 60)
  const params = { id: added.body.passkey.id }
  expect(await ana.call(contract.removePasskey, { params })).toBeRefused(commonRefusals.step_up_required)
  const { passkey } = await startStepUp(ana)
  const answer = device.answer(passkey)
  expect(await submitStepUp(boris, { passkey: answer })).toBeRefused(factorRefusals.passkey_challenge_expired)
  expect((await submitStepUp(ana, { passkey: answer })).status).toBe(200)
  expect((await ana.call(contract.removePasskey, { params })).status).toBe(200)
})

test('live: a session has to wait after five wrong passwords', async () => {
  const { ana } = await openStudio({ env: LIVE_SECOND_FACTOR_ENV })
  for (let i = 0; i < 5; i++) expect((await submitStepUp(ana, { password: 'guess' })).status).toBe(400)
  expect(await submitStepUp(ana, { password: ana.password })).toBeRefused(commonRefusals.too_many_requests)
})

test('live: unknown promotion codes do not count as guesses at a password', async () => {
  const { studio, ana } = await openStudio({ env: LIVE_SECOND_FACTOR_ENV })
  const limits = throttles(studio.server.database.limited, 'live')
  for (let i = 0; i < 5; i++) await limits.countGuess(ana.id, '192.0.2.1')
  expect((await submitStepUp(ana, { password: ana.password })).status).toBe(200)
  expect(await studio.count('select points from throttles where key = $1', [`promotion:${ana.id}`])).toBe(5)
})

test('a demoted admin has no rights left, even after the second step', async () => {
  const { studio, ana, dora } = await openStudio({ env: SECOND_FACTOR_ENV })
  const eve = await studio.admin('Eve')
  await adminWithApp(studio, dora)
  await adminWithApp(studio, eve)
  const params = { id: eve.id }
  expect((await dora.call(editUser, { params, body: { isAdmin: false } })).status).toBe(200)
  expect([401, 403]).toContain((await usualAgain(eve, ana)).status)
})

test('the demo never requires a step-up', async () => {
  const { studio, ana, dora } = await openStudio()
  advanceClock(studio, 24 * 3600)
  await expectNotAsked(dora, ana)
})

test('a promoted member gets admin rights only after a second step', async () => {
  const { studio, ana, dora } = await openStudio({ env: SECOND_FACTOR_ENV })
  await adminWithApp(studio, dora)
  const { device } = await registerPasskey(ana)
  await promote(studio, dora, ana)
  const { body } = await logIn(ana)
  expect(body).toEqual({ secondFactorRequired: true })
  const { body: ways } = await ana.call(proofs.beginSecondStep)
  const done = await ana.call(proofs.completeSecondStep, { body: { passkey: device.answer(ways.passkey) } })
  expect(done.body).toMatchObject({ isAdmin: true })
  expect((await ana.call(listUsers)).status).toBe(200)
})

async function promote(studio: StudioUnderTest, admin: Person, member: Person): Promise<void> {
  const edited = await admin.call(editUser, { params: { id: member.id }, body: { isAdmin: true } })
  if (edited.status !== 200) throw new Error(`${member.name} could not be promoted: ${studio.faults()}`)
}
