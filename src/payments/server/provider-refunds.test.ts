import { describe, expect, test } from 'vitest'
import { bookingRefusals } from '#booking/refusals.ts'
import { decideRefund, listPurchases, paymentRefusals } from '../contract.ts'
import { shareStudioWithBank } from './bank-under-test.ts'
import { buyersIn } from './buyers-under-test.ts'

const story = shareStudioWithBank()
const { buyer, purchaseOf, mailSubjectsTo, mailsToOwner, refund } = buyersIn(story)

describe('a refund made at the provider', () => {
  test('in full voids the pass, cancels its bookings and offers the places; member and owner are emailed', async () => {
    const { studio, bank } = story
    const { member, intentId } = await buyer('Fulla')
    const classId = await studio.createClass({ at: 'Thursday 10:00', places: 1 })
    const booking = (await member.book(classId)).body
    const waiting = await studio.member('Willa', { health: true, credits: 1 })
    await waiting.request('POST', `/api/classes/${classId}/waitlist`)
    await bank.stripe.refunds.create({ payment_intent: intentId })
    await bank.deliverEvents(studio, intentId)

    expect(await studio.creditsOf(member)).toBe(0)
    const { body } = await member.request('GET', '/api/user/bookings')
    expect(body).toMatchObject([{ id: booking.id, status: 'cancelled', paymentStatus: 'refunded' }])
    expect(await studio.creditsOf(waiting)).toBe(0)
    expect(await purchaseOf('Fulla')).toMatchObject({
      refundedAmount: '45.50',
      refunds: [{ origin: 'provider', status: 'succeeded', decision: null }],
    })
    const subjects = await mailSubjectsTo(member)
    expect(subjects.filter((subject) => subject.includes('refund'))).toEqual(['Your refund of £45.50'])
    expect(subjects.filter((subject) => subject.includes('cancelled'))).toHaveLength(1)
    expect(await mailsToOwner('Pass of Fulla')).toMatchObject([{ subject: expect.stringContaining('refunded') }])
    expect(await member.book(await studio.createClass('Friday 10:00'))).toBeRefused(bookingRefusals.no_credits)
  })

  test('in part is recorded and leaves the pass valid; the owner decides once how many credits to take', async () => {
    const { studio, bank, dora, ana } = story
    const { member, intentId } = await buyer('Parta')
    await bank.stripe.refunds.create({ payment_intent: intentId, amount: 1500 })
    await bank.deliverEvents(studio, intentId)
    expect(await studio.creditsOf(member)).toBe(3)
    const purchase = await purchaseOf('Parta', { attention: 'true' })
    expect(purchase).toMatchObject({ refundedAmount: '15.00', refunds: [{ decision: 'credits' }] })
    await buyer('Later')
    const decisions = (await dora.read(listPurchases)).map(({ needsDecision }) => needsDecision)
    expect(decisions.indexOf(false), 'those that need a decision come first').toBeGreaterThan(0)
    expect(decisions.lastIndexOf(true)).toBeLessThan(decisions.indexOf(false))
    const ofParta = await dora.read(listPurchases, { query: { userId: member.id } })
    expect(ofParta).toMatchObject([{ needsDecision: true }])
    expect(await mailsToOwner('Pass of Parta')).toMatchObject([
      { subject: expect.stringMatching(/^Part of a payment/) },
    ])

    const params = { id: purchase.refunds[0]?.id ?? 0 }
    expect((await ana.call(decideRefund, { params, body: { credits: 1 } })).status).toBe(403)
    const tooMany = await dora.call(decideRefund, { params, body: { credits: 4 } })
    expect(tooMany).toBeRefused(paymentRefusals.insufficient_credits)
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
    expect(await dora.call(decideRefund, { params, body: {} })).toBeRefused(paymentRefusals.refund_already_decided)
    expect(await purchaseOf('Parta', { attention: 'true' })).toBeUndefined()
    expect(await dora.call(decideRefund, { params: { id: 999_999 }, body: {} })).toBeRefused(
      paymentRefusals.refund_not_found,
    )
  })

  test('in part may take all remaining credits', async () => {
    const { studio, bank, dora } = story
    const { member, intentId } = await buyer('Alla')
    await bank.stripe.refunds.create({ payment_intent: intentId, amount: 1500 })
    await bank.deliverEvents(studio, intentId)
    const params = { id: (await purchaseOf('Alla'))?.refunds[0]?.id ?? 0 }
    expect((await dora.call(decideRefund, { params, body: { credits: 3 } })).status).toBe(200)
    expect(await studio.creditsOf(member)).toBe(0)
  })

  test('in parts that add up ends the pass with the last', async () => {
    const { studio, bank } = story
    const { member, intentId } = await buyer('Bita')
    await bank.stripe.refunds.create({ payment_intent: intentId, amount: 4000 })
    await bank.deliverEvents(studio, intentId)
    expect(await studio.creditsOf(member)).toBe(3)
    await bank.stripe.refunds.create({ payment_intent: intentId, amount: 550 })
    await bank.deliverEvents(studio, intentId)
    expect(await studio.creditsOf(member)).toBe(0)
    expect(await purchaseOf('Bita')).toMatchObject({ refundedAmount: '45.50', refund: { most: '0.00' } })
  })

  test('after the pass has ended does not mention it, and reports a full refund only when complete', async () => {
    const { studio, bank, dora } = story
    const { member, intentId, purchase } = await buyer('Resta')
    await refund(dora, purchase.id, {})
    await studio.runQueue('send-refund')
    for (const amount of [200, 255]) {
      await bank.stripe.refunds.create({ payment_intent: intentId, amount })
      await bank.deliverEvents(studio, intentId)
    }
    const subjects = (await mailsToOwner('Pass of Resta')).map(({ subject }) => subject.split(':')[0])
    expect(subjects).toEqual([
      'Part of a payment was refunded at the card provider',
      'A payment was refunded at the card provider',
    ])
    const more = (await studio.mailTo(member)).filter(({ subject }) => /£2\.(00|55)/.test(subject))
    expect(more).toHaveLength(2)
    for (const { text } of more) expect(text).not.toContain('can no longer be used')
  })

  test('in full that failed leaves the pass valid; the owner is emailed, the member is not', async () => {
    const { studio, bank } = story
    const { member, intentId } = await buyer('Failthere', 'pm_card_refundFail')
    const refund = await bank.stripe.refunds.create({ payment_intent: intentId })
    await bank.simulate('settle', refund.id)
    await bank.deliverEvents(studio, intentId)
    expect(await studio.creditsOf(member)).toBe(3)
    expect((await member.book(await studio.createClass('Friday 11:00'))).status).toBe(201)
    expect(await purchaseOf('Failthere', { attention: 'true' })).toMatchObject({
      refundedAmount: null,
      refunds: [{ origin: 'provider', status: 'failed', decision: 'failed' }],
    })
    expect((await mailSubjectsTo(member)).filter((subject) => subject.includes('refund'))).toEqual([])
    const [mail, ...more] = await mailsToOwner('Pass of Failthere')
    expect(more).toEqual([])
    expect(mail?.subject).toMatch(/^A refund failed: £45\.50/)
    expect(mail?.text).toContain('We have not emailed the member.')
    expect(mail?.text).toMatch(/Reason given by the card provider\s+lost or stolen card/)
  })

  test('of an erased member still settles the money', async () => {
    const { studio, bank, dora } = story
    const { member, intentId, purchase } = await buyer('Erasa')
    await dora.request('DELETE', `/api/admin/users/${member.id}`)
    await bank.stripe.refunds.create({ payment_intent: intentId })
    await bank.deliverEvents(studio, intentId)
    const query = 'select refunded_pence from purchases where id = $1 and user_id is null'
    expect(await studio.count(query, [purchase.id])).toBe(4550)
    const [mail] = (await mailsToOwner('Pass of Erasa')).filter(({ subject }) => subject.includes('refunded'))
    expect(mail?.text).toContain('The payment has been refunded in full.')
    expect(mail?.text).not.toContain('emailed the member')
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
