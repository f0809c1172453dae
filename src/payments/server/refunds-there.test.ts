import { describe, expect, test } from 'vitest'
import { bookingRefusals } from '../../booking/refusals.ts'
import { beginning } from '../../studio.ts'
import type { Person } from '../../testing/person.ts'
import { decideRefund, listPurchases, type Purchase, paymentRefusals, refundPurchase } from '../contract.ts'
import { begins, registers, shareStudioWithBank } from './bank-under-test.ts'

const story = shareStudioWithBank()

/** Somebody who has bought a pass of three classes for £45.50, with health information. */
async function buyer(name: string, card?: string) {
  const { studio, bank } = story
  const member = await studio.member(name, { health: true })
  const bought = await studio.package({ name: `Pass of ${name}`, price: '45.50', classCount: 3 })
  const begun = await begins(member, bought)
  await bank.pay(begun, card)
  await registers(member, bought, begun)
  const intentId: string = begun.body.paymentIntentId
  return { member, intentId, bought, purchase: await purchaseOf(name) }
}

async function purchaseOf(name: string, query: object = {}): Promise<Purchase> {
  const { body } = await story.dora.call(listPurchases, { query: { search: name, ...query } })
  return body[0]
}
const subjectsTo = async (person: { email: string }) =>
  (await story.studio.mailTo(person)).map(({ subject }) => subject)
const toOwner = async (name: string) =>
  (await story.studio.mailTo({ email: beginning.ownerEmail })).filter(({ text }) => text.includes(name))
const asks = (admin: Person, id: number, body: object) => admin.call(refundPurchase, { params: { id }, body })

describe('a refund made at the provider', () => {
  test('of all voids the pass, cancels its bookings and offers the places; member and owner are told', async () => {
    const { studio, bank } = story
    const { member, intentId } = await buyer('Fulla')
    const classId = await studio.class({ at: 'Thursday 10:00', places: 1 })
    const booking = (await studio.books(member, classId)).body
    const waiting = await studio.member('Willa', { health: true, credits: 1 })
    await waiting.request('POST', `/api/classes/${classId}/waitlist`)
    await bank.stripe.refunds.create({ payment_intent: intentId })
    await bank.tellsAll(studio, intentId)

    expect(await studio.creditsOf(member)).toBe(0)
    const { body } = await member.request('GET', '/api/user/bookings')
    expect(body).toMatchObject([{ id: booking.id, status: 'cancelled', paymentStatus: 'refunded' }])
    expect(await studio.creditsOf(waiting)).toBe(0)
    expect(await purchaseOf('Fulla')).toMatchObject({
      refundedAmount: '45.50',
      refunds: [{ origin: 'provider', status: 'succeeded', decision: null }],
    })
    const subjects = await subjectsTo(member)
    expect(subjects.filter((subject) => subject.includes('refund'))).toEqual(['Your refund of £45.50'])
    expect(subjects.filter((subject) => subject.includes('cancelled'))).toHaveLength(1)
    expect(await toOwner('Pass of Fulla')).toMatchObject([{ subject: expect.stringContaining('refunded') }])
    expect(await studio.books(member, await studio.class('Friday 10:00'))).toBeRefused(bookingRefusals.pass_empty)
  })

  test('of a part is on record and leaves the pass; the owner says once how many credits go', async () => {
    const { studio, bank, dora, ana } = story
    const { member, intentId } = await buyer('Parta')
    await bank.stripe.refunds.create({ payment_intent: intentId, amount: 1500 })
    await bank.tellsAll(studio, intentId)
    expect(await studio.creditsOf(member)).toBe(3)
    const purchase = await purchaseOf('Parta', { attention: 'true' })
    expect(purchase).toMatchObject({ refundedAmount: '15.00', refunds: [{ decision: 'credits' }] })
    expect(await toOwner('Pass of Parta')).toMatchObject([{ subject: expect.stringMatching(/^Part of a payment/) }])

    const params = { id: purchase.refunds[0]?.id ?? 0 }
    expect((await ana.call(decideRefund, { params, body: { credits: 1 } })).status).toBe(403)
    const tooMany = await dora.call(decideRefund, { params, body: { credits: 4 } })
    expect(tooMany).toBeRefused(paymentRefusals.credits_not_there)
    const decided = await dora.call(decideRefund, { params, body: { credits: 1 } })
    expect(decided.body.refunds).toMatchObject([{ creditsTaken: 1, decision: null }])
    expect(await studio.creditsOf(member)).toBe(2)
    const [record] = (await dora.request('GET', `/api/admin/audit?subject=purchase:${purchase.id}`)).body
    expect(record).toMatchObject({
      action: 'refund_decided',
      changes: { package: { after: 'Pass of Parta' }, refunded: { after: '15.00' }, credits: { after: -1 } },
    })
    const [line] = (await member.request('GET', '/api/user/credits')).body
    expect(line).toMatchObject({ reason: 'Part of the purchase was refunded' })
    expect(await dora.call(decideRefund, { params, body: {} })).toBeRefused(paymentRefusals.nothing_to_decide)
    expect(await purchaseOf('Parta', { attention: 'true' })).toBeUndefined()
    expect(await dora.call(decideRefund, { params: { id: 999_999 }, body: {} })).toBeRefused(
      paymentRefusals.refund_not_found,
    )
  })

  test('of a part may take all credits that are left', async () => {
    const { studio, bank, dora } = story
    const { member, intentId } = await buyer('Alla')
    await bank.stripe.refunds.create({ payment_intent: intentId, amount: 1500 })
    await bank.tellsAll(studio, intentId)
    const params = { id: (await purchaseOf('Alla'))?.refunds[0]?.id ?? 0 }
    expect((await dora.call(decideRefund, { params, body: { credits: 3 } })).status).toBe(200)
    expect(await studio.creditsOf(member)).toBe(0)
  })

  test('in parts that make up all ends the pass with the last of them', async () => {
    const { studio, bank } = story
    const { member, intentId } = await buyer('Bita')
    await bank.stripe.refunds.create({ payment_intent: intentId, amount: 4000 })
    await bank.tellsAll(studio, intentId)
    expect(await studio.creditsOf(member)).toBe(3)
    await bank.stripe.refunds.create({ payment_intent: intentId, amount: 550 })
    await bank.tellsAll(studio, intentId)
    expect(await studio.creditsOf(member)).toBe(0)
    expect(await purchaseOf('Bita')).toMatchObject({ refundedAmount: '45.50', refund: { most: '0.00' } })
  })

  test('after the pass has ended says nothing of the pass, and that all is back only when it is', async () => {
    const { studio, bank, dora } = story
    const { member, intentId, purchase } = await buyer('Resta')
    await asks(dora, purchase.id, {})
    await studio.works('send-refund')
    for (const amount of [200, 255]) {
      await bank.stripe.refunds.create({ payment_intent: intentId, amount })
      await bank.tellsAll(studio, intentId)
    }
    const told = (await toOwner('Pass of Resta')).map(({ subject }) => subject.split(':')[0])
    expect(told).toEqual([
      'Part of a payment was refunded at the card provider',
      'A payment was refunded at the card provider',
    ])
    const more = (await studio.mailTo(member)).filter(({ subject }) => /£2\.(00|55)/.test(subject))
    expect(more).toHaveLength(2)
    for (const { text } of more) expect(text).not.toContain('can no longer be used')
  })

  test('of all that has failed ends nothing and counts for nothing; the owner is told, the member is not', async () => {
    const { studio, bank } = story
    const { member, intentId } = await buyer('Failthere', 'pm_card_refundFail')
    const refund = await bank.stripe.refunds.create({ payment_intent: intentId })
    await bank.does('settle', refund.id)
    await bank.tellsAll(studio, intentId)
    expect(await studio.creditsOf(member)).toBe(3)
    expect((await studio.books(member, await studio.class('Friday 11:00'))).status).toBe(201)
    expect(await purchaseOf('Failthere', { attention: 'true' })).toMatchObject({
      refundedAmount: null,
      refunds: [{ origin: 'provider', status: 'failed', decision: 'failed' }],
    })
    expect((await subjectsTo(member)).filter((subject) => subject.includes('refund'))).toEqual([])
    expect(await toOwner('Pass of Failthere')).toMatchObject([{ subject: expect.stringMatching(/^A refund failed/) }])
  })

  test('of a member who is gone still settles the money', async () => {
    const { studio, bank, dora } = story
    const { member, intentId, purchase } = await buyer('Erasa')
    await dora.request('DELETE', `/api/admin/users/${member.id}`)
    await bank.stripe.refunds.create({ payment_intent: intentId })
    await bank.tellsAll(studio, intentId)
    const query = 'select refunded_pence from purchases where id = $1 and user_id is null'
    expect(await studio.count(query, [purchase.id])).toBe(4550)
  })

  test('whose webhook is lost is found by reconciliation', async () => {
    const { studio, bank } = story
    const { member, intentId } = await buyer('Losta')
    await bank.stripe.refunds.create({ payment_intent: intentId })
    await studio.server.workers['reconcile-payments']({}, 'by hand')
    expect(await studio.creditsOf(member)).toBe(3)
    studio.clock.advance({ hours: 2 })
    await studio.server.workers['reconcile-payments']({}, 'by hand')
    expect(await studio.creditsOf(member)).toBe(0)
  })
})

describe('our own refund', () => {
  test('is known when the provider tells of it, and never counted twice', async () => {
    const { studio, bank, dora } = story
    const { member, intentId, purchase } = await buyer('Owna')
    await asks(dora, purchase.id, {})
    await studio.works('send-refund')
    await bank.tellsAll(studio, intentId)
    expect(await purchaseOf('Owna')).toMatchObject({
      refundedAmount: '40.95',
      refunds: [{ origin: 'rule', status: 'succeeded', amount: '40.95' }],
    })
    expect((await subjectsTo(member)).filter((subject) => subject.includes('refund'))).toHaveLength(1)
    expect(await toOwner('Pass of Owna')).toEqual([])
  })

  test('told before our job has written it down is ours all the same', async () => {
    const { studio, bank, dora } = story
    const { intentId, purchase } = await buyer('Racia')
    await asks(dora, purchase.id, {})
    const refundId = await studio.count('select id from refunds where purchase_id = $1', [purchase.id])
    const order = { payment_intent: intentId, amount: 4095, metadata: { refundId: String(refundId) } }
    await bank.stripe.refunds.create(order)
    await bank.tellsAll(studio, intentId)
    await studio.works('send-refund')
    expect(await bank.refundsOf(intentId)).toEqual([4095])
    expect((await purchaseOf('Racia')).refunds).toMatchObject([{ id: refundId, origin: 'rule', status: 'succeeded' }])
  })

  test('beside the rule: any part with a reason, credits with it, and never more than was paid', async () => {
    const { studio, bank, dora } = story
    const { member, intentId, purchase } = await buyer('Beata')
    await studio.books(member, await studio.class('Tuesday 11:00'))
    expect(await asks(dora, purchase.id, {})).toBeRefused(paymentRefusals.refund_of_used_pass)
    const silent = await asks(dora, purchase.id, { amount: '10.00' })
    const nothing = await asks(dora, purchase.id, { amount: '£0', reason: 'None' })
    expect(nothing.body.errors).toMatchObject([{ path: 'amount', message: 'Amount must be greater than 0' }])
    expect(silent).toMatchObject({ status: 400, body: { errors: [{ path: 'reason', message: 'Please say why' }] } })
    const reason = 'The shower was cold'
    const part = await asks(dora, purchase.id, { amount: '15.50', reason, credits: 1 })
    expect(part).toMatchObject({ status: 200, body: { refunds: [{ origin: 'owner', reason, creditsTaken: 1 }] } })
    expect(await studio.creditsOf(member)).toBe(1)
    const [line] = (await dora.request('GET', `/api/admin/users/${member.id}`)).body.ledger
    expect(line).toMatchObject({ kind: 'refund', credits: -1, reason: 'Part of the purchase was refunded' })
    const [record] = (await dora.request('GET', `/api/admin/audit?subject=purchase:${purchase.id}`)).body
    expect(record.changes).toMatchObject({ reason: { after: reason }, credits: { after: -1 } })
    const [mail] = (await studio.mailTo(member)).filter(({ subject }) => subject === 'Your refund of £15.50')
    expect(mail?.text).toContain('Your pass now holds fewer credits')
    expect(await asks(dora, purchase.id, { amount: '30.01', reason })).toBeRefused(paymentRefusals.refund_too_much)
    const tooMany = await asks(dora, purchase.id, { amount: '1', reason, credits: 2 })
    expect(tooMany).toBeRefused(paymentRefusals.credits_not_there)
    expect(await asks(dora, purchase.id, {})).toBeRefused(paymentRefusals.refunded_before)
    expect((await asks(dora, purchase.id, { amount: '£30', reason })).status).toBe(200)
    await studio.works('send-refund')
    expect((await bank.refundsOf(intentId)).sort()).toEqual([1550, 3000])
    // All of it went back: the pass has ended and its booking with it.
    expect(await studio.creditsOf(member)).toBe(0)
    expect((await member.request('GET', '/api/user/bookings')).body).toMatchObject([{ status: 'cancelled' }])
  })

  test('that fails is shown and told, and can be sent anew', async () => {
    const { studio, bank, dora } = story
    const { member, intentId, purchase } = await buyer('Faila', 'pm_card_refundFail')
    await asks(dora, purchase.id, {})
    await studio.works('send-refund')
    const [sent] = (await bank.stripe.refunds.list({ payment_intent: intentId })).data
    await bank.does('settle', sent?.id ?? '')
    await bank.tellsAll(studio, intentId)
    const failed = await purchaseOf('Faila', { attention: 'true' })
    expect(failed).toMatchObject({ refundedAmount: null, refunds: [{ status: 'failed', decision: 'failed' }] })
    expect(await subjectsTo(member)).toContain('Your refund of £40.95 did not arrive')
    expect(await toOwner('Pass of Faila')).toMatchObject([{ subject: expect.stringMatching(/^A refund failed/) }])
    expect((await asks(dora, purchase.id, { amount: '40.95', reason: 'Failed before' })).status).toBe(200)
    expect((await purchaseOf('Faila')).refunds.map(({ decision }) => decision)).toEqual([null, null])
  })

  test('gives way when all was refunded there before it was sent', async () => {
    const { studio, bank, dora } = story
    const { member, intentId, purchase } = await buyer('Twista')
    await asks(dora, purchase.id, {})
    await bank.stripe.refunds.create({ payment_intent: intentId })
    await bank.tellsAll(studio, intentId)
    await studio.works('send-refund')
    expect(await bank.refundsOf(intentId)).toEqual([4550])
    expect(await purchaseOf('Twista')).toMatchObject({
      refundedAmount: '45.50',
      refunds: [
        { status: 'failed', decision: null },
        { origin: 'provider', status: 'succeeded' },
      ],
    })
    // No bank was asked, so none refused it.
    expect((await subjectsTo(member)).filter((subject) => subject.includes('did not arrive'))).toEqual([])
    // Each is written by a job of its own, whichever comes first.
    const told = (await toOwner('Pass of Twista')).map(({ subject }) => subject.split(':')[0]).toSorted()
    expect(told).toEqual(['A payment was refunded at the card provider', 'A refund was not needed'])
  })
})
