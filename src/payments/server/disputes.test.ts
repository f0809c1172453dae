import { expect, test } from 'vitest'
import { bookingRefusals } from '#booking/refusals.ts'
import { today } from '#foundation/instants.ts'
import { getAnalytics } from '#insights/contract.ts'
import { pausePass } from '#schedule/contract-pauses.ts'
import { paymentRefusals, refundPurchase } from '../contract.ts'
import { activatePass, shareStudioWithBank, startPayment } from './bank-under-test.ts'
import { buyersIn } from './buyers-under-test.ts'

const story = shareStudioWithBank()
const { buyer, purchaseOf, mailSubjectsTo, mailsToOwner } = buyersIn(story)
const passOf = async (name: string) => {
  const query = 'select p.* from passes p join users u on u.id = p.user_id where u.first_name = $1'
  const { rows } = await story.studio.server.database.pool.query(query, [name])
  return rows[0]
}

test('an open dispute freezes the pass: no booking, no refund; booked classes stay', async () => {
  const { studio, bank, dora } = story
  const { member, intentId } = await buyer('Iris', 'pm_card_createDispute')
  const booked = await member.book(await studio.createClass('Wednesday 09:30'))
  expect(booked.status).toBe(201)
  await bank.deliverEvents(studio, intentId)
  expect(await member.book(await studio.createClass('Tuesday 10:00'))).toBeRefused(bookingRefusals.pass_on_hold)
  const purchase = await purchaseOf('Iris')
  expect(purchase.disputes).toMatchObject([{ status: 'open', reason: 'fraudulent', amount: '45.50' }])
  const params = { id: purchase.id }
  const order = { amount: '1.00', reason: 'To be kind' }
  for (const body of [{}, order]) {
    expect(await dora.call(refundPurchase, { params, body })).toBeRefused(paymentRefusals.refund_while_disputed)
  }
  expect((await member.request('GET', '/api/user/bookings')).body).toMatchObject([{ status: 'confirmed' }])
  expect((await member.request('GET', '/api/user/passes')).body[0].frozenAt).not.toBeNull()
  expect(await mailSubjectsTo(member)).toContain('Your Pass of Iris is on hold')
  const [notice, ...more] = await mailsToOwner('Pass of Iris')
  expect(more).toEqual([])
  expect(notice?.subject).toMatch(/^A payment is disputed: £45\.50/)
  expect(notice?.text).toContain('Send evidence by')
  expect(notice?.text).toContain('We have put the pass on hold and emailed the member.')
  // A waiting member with a frozen pass is skipped.
  const full = await studio.createClass({ at: 'Friday 18:00', places: 1 })
  const holder = await studio.member('Holger', { health: true, credits: 1 })
  const held = (await holder.book(full)).body
  await member.request('POST', `/api/classes/${full}/waitlist`)
  await holder.cancel(held.id)
  expect((await member.request('GET', '/api/user/waitlist')).body).toHaveLength(1)
})

test('adds days on which the pass was paused as well only once', async () => {
  const { studio, bank, dora } = story
  const { intentId } = await buyer('Paula')
  const { id, expires_at: before } = await passOf('Paula')
  const dispute = await bank.simulate('dispute', intentId)
  await bank.deliverEvents(studio, intentId)
  const [first, second] = [today(studio.clock.now()), today(studio.clock.now().add({ hours: 24 }))]
  await dora.call(pausePass, { params: { id }, body: { from: first, to: second, reason: 'Away' } })
  studio.clock.advance({ hours: 5 * 24 })
  await bank.decideDispute(dispute.id, 'winning_evidence')
  await bank.deliverEvents(studio, intentId)
  const { expires_at: after } = await passOf('Paula')
  expect(Temporal.Instant.from(before).until(Temporal.Instant.from(after)).total('days')).toBe(5)
})

test('a won dispute thaws the pass and adds the frozen time', async () => {
  const { studio, bank } = story
  const { member, intentId } = await buyer('Wanda')
  const before = (await passOf('Wanda')).expires_at
  const dispute = await bank.simulate('dispute', intentId)
  await bank.deliverEvents(studio, intentId)
  studio.clock.advance({ hours: 5 * 24 })
  await bank.decideDispute(dispute.id, 'winning_evidence')
  await bank.deliverEvents(studio, intentId)
  const after = await passOf('Wanda')
  expect(after).toMatchObject({ frozen_at: null, refunded_at: null, credits_remaining: 3 })
  const days = Temporal.Instant.from(before).until(Temporal.Instant.from(after.expires_at)).total('days')
  expect(days).toBe(5)
  expect((await member.book(await studio.createClass('2026-12-20 10:00'))).status).toBe(201)
  expect((await mailSubjectsTo(member)).slice(-2)).toEqual(
    expect.arrayContaining(['Your Pass of Wanda can be used again']),
  )
  expect((await mailsToOwner('Pass of Wanda')).map(({ subject }) => subject.split(':')[0]).sort()).toEqual([
    'A dispute was won',
    'A payment is disputed',
  ])
})

test('a lost dispute voids the pass, cancels its bookings and is no longer revenue', async () => {
  const { studio, bank, dora } = story
  const { member, intentId } = await buyer('Lorna')
  const revenue = async () => Number((await dora.call(getAnalytics)).body.totalRevenue)
  const [earned, booking] = [await revenue(), await member.book(await studio.createClass('2026-12-21 09:30'))]
  expect(booking.status).toBe(201)
  const dispute = await bank.simulate('dispute', intentId, { reason: 'product_not_received' })
  await bank.deliverEvents(studio, intentId)
  await bank.decideDispute(dispute.id, 'losing_evidence')
  await bank.deliverEvents(studio, intentId)
  expect(await passOf('Lorna')).toMatchObject({ credits_remaining: 0, frozen_at: null })
  expect((await member.request('GET', '/api/user/bookings')).body).toMatchObject([{ status: 'cancelled' }])
  expect(earned - (await revenue())).toBe(45.5)
  expect(await purchaseOf('Lorna')).toMatchObject({
    disputes: [{ status: 'lost' }],
    refund: { most: '0.00', reason: paymentRefusals.refund_payment_lost.message },
  })
  const subjects = await mailSubjectsTo(member)
  expect(subjects).toContain('Your Pass of Lorna has ended')
  expect(subjects).not.toContain('Your Pass of Lorna can be used again')
  const [lost] = (await mailsToOwner('Pass of Lorna')).filter(({ subject }) => subject.startsWith('A dispute was lost'))
  expect(lost?.text).toMatch(/Classes cancelled\s+1/)
})

test('an inquiry freezes nothing; the owner is emailed, and may refund', async () => {
  const { studio, bank, dora } = story
  const { member, intentId } = await buyer('Inka', 'pm_card_createDisputeInquiry')
  await bank.deliverEvents(studio, intentId)
  expect((await member.book(await studio.createClass('2026-12-22 10:00'))).status).toBe(201)
  expect(await mailsToOwner('Pass of Inka')).toMatchObject([
    { subject: expect.stringMatching(/^A bank has a question/) },
  ])
  const params = { id: (await purchaseOf('Inka')).id }
  const refunded = await dora.call(refundPurchase, { params, body: { amount: '45.50', reason: 'Asked by the bank' } })
  expect(refunded.status).toBe(200)
  expect((await mailSubjectsTo(member)).filter((subject) => subject.includes('hold'))).toEqual([])
})

test('an early fraud warning is emailed to the owner once, and changes nothing', async () => {
  const { studio, bank } = story
  const { member, intentId } = await buyer('Wilma', 'pm_card_createIssuerFraudRecord')
  await bank.deliverEvents(studio, intentId)
  await bank.deliverEvent(studio, 'payment_intent.succeeded', intentId)
  expect(await mailsToOwner('Pass of Wilma')).toMatchObject([
    { subject: expect.stringMatching(/^Early fraud warning/) },
  ])
  expect((await purchaseOf('Wilma')).warnings).toMatchObject([{ kind: 'made with stolen card' }])
  expect(await studio.creditsOf(member)).toBe(3)
})

test("a dispute of an erased member's payment settles the money", async () => {
  const { studio, bank, dora } = story
  const { member, intentId } = await buyer('Gonda')
  const { id } = await purchaseOf('Gonda')
  await dora.request('DELETE', `/api/admin/users/${member.id}`)
  const dispute = await bank.simulate('dispute', intentId)
  await bank.decideDispute(dispute.id, 'losing_evidence')
  await bank.deliverEvents(studio, intentId)
  expect(await studio.count('select lost_pence from purchases where id = $1', [id])).toBe(4550)
  const [lost] = (await mailsToOwner('Pass of Gonda')).filter(({ subject }) => subject.startsWith('A dispute was lost'))
  expect(lost?.text).toContain('The bank has taken the money back for good.')
  expect(lost?.text).not.toContain('told')
})

test('with two disputes the pass stays frozen until both are decided, and only then is the member emailed that it can be used again', async () => {
  const { studio, bank } = story
  const { member, intentId } = await buyer('Twyla')
  const [first, second] = [await bank.simulate('dispute', intentId), await bank.simulate('dispute', intentId)]
  await bank.deliverEvents(studio, intentId)
  await bank.decideDispute(first.id, 'winning_evidence')
  await bank.deliverEvents(studio, intentId)
  expect(await passOf('Twyla')).toMatchObject({ frozen_at: expect.anything() })
  await bank.decideDispute(second.id, 'winning_evidence')
  await bank.deliverEvents(studio, intentId)
  expect(await passOf('Twyla')).toMatchObject({ frozen_at: null })
  const won = (await mailsToOwner('Pass of Twyla')).filter(({ subject }) => subject.startsWith('A dispute was won'))
  expect(won.map(({ text }) => text.includes('can be used again'))).toEqual([false, true])
  const thawed = (await mailSubjectsTo(member)).filter((subject) => subject.includes('can be used again'))
  expect(thawed).toHaveLength(1)
})

test('a once-only package can be bought again after a lost dispute, not during it', async () => {
  const { studio, bank } = story
  const member = await studio.member('Onna', { health: true })
  const bought = await studio.createPackage({ name: 'Once', price: '30.00', purchaseOncePerUser: true })
  const started = await startPayment(member, bought)
  await bank.pay(started)
  await activatePass(member, bought, started)
  const intentId: string = started.body.paymentIntentId
  const dispute = await bank.simulate('dispute', intentId)
  await bank.deliverEvents(studio, intentId)
  expect(await startPayment(member, bought)).toBeRefused(paymentRefusals.package_already_held)
  await bank.decideDispute(dispute.id, 'losing_evidence')
  await bank.deliverEvents(studio, intentId)
  expect((await startPayment(member, bought)).status).toBe(200)
})
