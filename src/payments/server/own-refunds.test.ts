import { describe, expect, test } from 'vitest'
import { paymentRefusals } from '../contract.ts'
import { shareStudioWithBank } from './bank-under-test.ts'
import { buyersIn } from './buyers-under-test.ts'

const story = shareStudioWithBank()
const { buyer, purchaseOf, mailSubjectsTo, mailsToOwner, refund } = buyersIn(story)
const refundFor = async (purchaseId: number): Promise<{ id: number; reference: string }> => {
  const { pool } = story.studio.server.database
  return (await pool.query('select id, reference from refunds where purchase_id = $1', [purchaseId])).rows[0]
}

describe('a refund of ours', () => {
  test("is recognised in the provider's events, and never counted twice", async () => {
    const { studio, bank, dora } = story
    const { member, intentId, purchase } = await buyer('Owna')
    await refund(dora, purchase.id, {})
    await studio.runQueue('send-refund')
    await bank.deliverEvents(studio, intentId)
    expect(await purchaseOf('Owna')).toMatchObject({
      refundedAmount: '40.95',
      refunds: [{ origin: 'rule', status: 'succeeded', amount: '40.95' }],
    })
    expect((await mailSubjectsTo(member)).filter((subject) => subject.includes('refund'))).toHaveLength(1)
    expect(await mailsToOwner('Pass of Owna')).toEqual([])
  })

  test('is recognised even before our job has recorded it', async () => {
    const { studio, bank, dora } = story
    const { intentId, purchase } = await buyer('Racia')
    await refund(dora, purchase.id, {})
    const { id, reference } = await refundFor(purchase.id)
    const order = { payment_intent: intentId, amount: 4095, metadata: { refundId: reference } }
    await bank.stripe.refunds.create(order)
    await bank.deliverEvents(studio, intentId)
    await studio.runQueue('send-refund')
    expect(await bank.refundsOf(intentId)).toEqual([4095])
    expect((await purchaseOf('Racia')).refunds).toMatchObject([{ id, origin: 'rule', status: 'succeeded' }])
  })

  test('is sent even if another refund of the payment carries its number', async () => {
    const { studio, bank, dora } = story
    const { intentId, purchase } = await buyer('Numera')
    await refund(dora, purchase.id, { amount: '30.00', reason: 'Moved away' })
    const { id } = await refundFor(purchase.id)
    // As for a refund that a restore has forgotten.
    const forgotten = { payment_intent: intentId, amount: 1000, metadata: { refundId: String(id) } }
    await bank.stripe.refunds.create(forgotten)
    await studio.runQueue('send-refund')
    await bank.deliverEvents(studio, intentId)
    expect((await bank.refundsOf(intentId)).toSorted()).toEqual([1000, 3000])
    expect(await purchaseOf('Numera')).toMatchObject({
      refundedAmount: '40.00',
      refunds: [
        { id, origin: 'owner', amount: '30.00', status: 'succeeded' },
        { origin: 'provider', amount: '10.00', status: 'succeeded' },
      ],
    })
  })

  test("at the owner's discretion is any part with a reason and credits, never more than was paid", async () => {
    const { studio, bank, dora } = story
    const { member, intentId, purchase } = await buyer('Beata')
    await member.book(await studio.createClass('Tuesday 11:00'))
    expect(await refund(dora, purchase.id, {})).toBeRefused(paymentRefusals.refund_pass_used)
    const silent = await refund(dora, purchase.id, { amount: '10.00' })
    const nothing = await refund(dora, purchase.id, { amount: '£0', reason: 'None' })
    expect(nothing.body.errors).toMatchObject([{ path: 'amount', message: 'Amount must be greater than 0' }])
    expect(silent).toMatchObject({ status: 400, body: { errors: [{ path: 'reason', message: 'Please say why' }] } })
    const reason = 'The shower was cold'
    const part = await refund(dora, purchase.id, { amount: '15.50', reason, credits: 1 })
    expect(part).toMatchObject({ status: 200, body: { refunds: [{ origin: 'owner', reason, creditsTaken: 1 }] } })
    expect(await studio.creditsOf(member)).toBe(1)
    const [line] = (await dora.request('GET', `/api/admin/users/${member.id}`)).body.ledger
    expect(line).toMatchObject({ kind: 'refund', credits: -1, reason: 'Part of the purchase was refunded' })
    const [record] = (await dora.request('GET', `/api/admin/audit?subject=purchase:${purchase.id}`)).body
    expect(record.changes).toMatchObject({ reason: { after: reason }, credits: { after: -1 } })
    const [mail] = (await studio.mailTo(member)).filter(({ subject }) => subject === 'Your refund of £15.50')
    expect(mail?.text).toContain('Your pass now has fewer credits')
    expect(await refund(dora, purchase.id, { amount: '30.01', reason })).toBeRefused(
      paymentRefusals.refund_exceeds_payment,
    )
    const tooMany = await refund(dora, purchase.id, { amount: '1', reason, credits: 2 })
    expect(tooMany).toBeRefused(paymentRefusals.insufficient_credits)
    expect(await refund(dora, purchase.id, {})).toBeRefused(paymentRefusals.already_refunded)
    expect((await refund(dora, purchase.id, { amount: '£30', reason })).status).toBe(200)
    await studio.runQueue('send-refund')
    expect((await bank.refundsOf(intentId)).sort()).toEqual([1550, 3000])
    // Refunded in full: the pass has ended with its booking.
    expect(await studio.creditsOf(member)).toBe(0)
    expect((await member.request('GET', '/api/user/bookings')).body).toMatchObject([{ status: 'cancelled' }])
  })

  test('that fails is shown and emailed, and can be sent again', async () => {
    const { studio, bank, dora } = story
    const { member, intentId, purchase } = await buyer('Faila', 'pm_card_refundFail')
    await refund(dora, purchase.id, {})
    await studio.runQueue('send-refund')
    const [sent] = (await bank.stripe.refunds.list({ payment_intent: intentId })).data
    await bank.simulate('settle', sent?.id ?? '')
    await bank.deliverEvents(studio, intentId)
    const failed = await purchaseOf('Faila', { attention: 'true' })
    expect(failed).toMatchObject({ refundedAmount: null, refunds: [{ status: 'failed', decision: 'failed' }] })
    expect(await mailSubjectsTo(member)).toContain('Your refund of £40.95 did not arrive')
    expect(await mailsToOwner('Pass of Faila')).toMatchObject([{ subject: expect.stringMatching(/^A refund failed/) }])
    expect((await refund(dora, purchase.id, { amount: '40.95', reason: 'Failed before' })).status).toBe(200)
    expect((await purchaseOf('Faila')).refunds.map(({ decision }) => decision)).toEqual([null, null])
  })

  test('is withdrawn if everything was refunded there before it was sent', async () => {
    const { studio, bank, dora } = story
    const { member, intentId, purchase } = await buyer('Twista')
    await refund(dora, purchase.id, {})
    await bank.stripe.refunds.create({ payment_intent: intentId })
    await bank.deliverEvents(studio, intentId)
    await studio.runQueue('send-refund')
    expect(await bank.refundsOf(intentId)).toEqual([4550])
    expect(await purchaseOf('Twista')).toMatchObject({
      refundedAmount: '45.50',
      refunds: [
        { status: 'failed', decision: null },
        { origin: 'provider', status: 'succeeded' },
      ],
    })
    // It was never sent, so no bank refused it.
    expect((await mailSubjectsTo(member)).filter((subject) => subject.includes('did not arrive'))).toEqual([])
    // Queued by different jobs, in either order.
    const subjects = (await mailsToOwner('Pass of Twista')).map(({ subject }) => subject.split(':')[0]).toSorted()
    expect(subjects).toEqual(['A payment was refunded at the card provider', 'A refund was not needed'])
  })
})
