import { describe, expect, test } from 'vitest'
import { getAnalytics } from '#insights/contract.ts'
import { paymentRefusals, refundByHand } from '../contract.ts'
import { recordSale, voidSale } from '../contract-desk.ts'
import { exportPurchases } from '../contract-receipts.ts'
import { shareStudioWithBank } from './bank-under-test.ts'
import { buyersIn } from './buyers-under-test.ts'
import { receiptWords } from './paper/receipt-paper.ts'
import { receiptOf } from './receipts.ts'

const story = shareStudioWithBank()
const { buyer, purchaseOf, refund, mailSubjectsTo } = buyersIn(story)

const BY_HAND = { method: 'bank_transfer', amount: '10.00', paidOn: '2026-12-07', reason: 'Agreed' } as const
const byHand = (id: number, more: object = {}) =>
  story.dora.call(refundByHand, { params: { id }, body: { ...BY_HAND, ...more } })
const fileOf = async (name: string) =>
  String((await story.dora.call(exportPurchases, {})).body)
    .split('\r\n')
    .filter((line) => line.includes(`Pass of ${name}`))
    .map((line) => line.split(','))
const receiptLines = async (id: number) => {
  const { lines, total, note } = receiptWords(await receiptOf(story.studio.db, { id }), { number: 'GB 1', rate: 20 })
  return { back: lines.slice(1), total, note }
}

describe('money given back by hand', () => {
  test('after a refund that failed is in every book, and the decision is made', async () => {
    const { studio, bank, dora } = story
    const { member, intentId, purchase } = await buyer('Fergus', 'pm_card_refundFail')
    const revenue = async () => Number((await dora.call(getAnalytics)).body.totalRevenue)
    const earned = await revenue()
    await refund(dora, purchase.id, {})
    await studio.runQueue('send-refund')
    const [sent] = (await bank.stripe.refunds.list({ payment_intent: intentId })).data
    await bank.simulate('settle', sent?.id ?? '')
    await bank.deliverEvents(studio, intentId)
    expect(await purchaseOf('Fergus', { attention: true })).toMatchObject({ refund: { most: '45.50' } })
    const { status, body } = await byHand(purchase.id, { amount: '40.95' })
    expect([status, body.refundedAmount, body.refund.most]).toEqual([201, '40.95', '4.55'])
    expect(await purchaseOf('Fergus', { attention: true })).toBeUndefined()
    expect(earned - (await revenue())).toBeCloseTo(40.95)
    expect((await fileOf('Fergus')).map((cells) => [...cells.slice(0, 2), cells[6], cells[9], cells[13]])).toEqual([
      ['07/12/2026', 'Sale', 'Visa ending 5126', '0.00', 'not known yet'],
      ['07/12/2026', 'Refund', 'Bank transfer', '40.95', ''],
    ])
    expect(await receiptLines(purchase.id)).toEqual({
      back: [['Refunded on 07/12/2026, bank transfer', '-£40.95']],
      total: ['Paid, less what was refunded', '£4.55'],
      note: 'This includes VAT at 20%: £0.76.',
    })
    const mail = (await studio.mailTo(member)).findLast(({ subject }) => subject === 'Your refund of £40.95')
    expect(mail?.text).toContain('We have given back £40.95 for Pass of Fergus by bank transfer.')
    expect(await bank.refundsOf(intentId)).toEqual([4095])
  })

  test('is in every book beside money that was refunded at the provider as well', async () => {
    const { studio, bank, dora } = story
    const { intentId, purchase } = await buyer('Igor')
    const earned = Number((await dora.call(getAnalytics)).body.totalRevenue)
    expect((await byHand(purchase.id, { amount: '45.50' })).status).toBe(201)
    await bank.stripe.refunds.create({ payment_intent: intentId, amount: 1500 })
    await bank.deliverEvents(studio, intentId)
    expect(await purchaseOf('Igor')).toMatchObject({ refundedAmount: '60.50', refund: { most: '0.00' } })
    expect((await fileOf('Igor')).map((cells) => `${cells[1]} ${cells[9]}`).sort()).toEqual([
      'Refund 15.00',
      'Refund 45.50',
      'Sale 0.00',
    ])
    expect(earned - Number((await dora.call(getAnalytics)).body.totalRevenue)).toBeCloseTo(60.5)
    const { back, total } = await receiptLines(purchase.id)
    expect([back.map(([, amount]) => amount), total[1]]).toEqual([['-£45.50', '-£15.00'], '£0.00'])
  })

  test('counts on its day, and takes credits', async () => {
    const { studio } = story
    const { member, purchase } = await buyer('Hanna')
    studio.travelTo('Thursday 09:00')
    const { body } = await byHand(purchase.id, { method: 'other', paidOn: '2026-12-09', credits: 2 })
    expect(body).toMatchObject({ creditsRemaining: 1, refunds: [{ method: 'other', creditsTaken: 2 }] })
    expect((await fileOf('Hanna')).map(([day, kind]) => [day, kind])).toContainEqual(['09/12/2026', 'Refund'])
    expect((await studio.mailTo(member)).at(-1)?.text).toContain('in the way that we agreed')
    studio.travelTo('Monday 09:00')
  })

  test('of everything that is left ends the pass, together with what goes back by card', async () => {
    const { studio, bank } = story
    const whole = await buyer('Wanda')
    expect((await byHand(whole.purchase.id, { amount: '45.50' })).body).toMatchObject({ creditsRemaining: 0 })
    expect(await mailSubjectsTo(whole.member)).toContain('Your refund of £45.50')
    const part = await buyer('Piers')
    await byHand(part.purchase.id, { amount: '20.00' })
    await bank.stripe.refunds.create({ payment_intent: part.intentId, amount: 2550 })
    await bank.deliverEvents(studio, part.intentId)
    expect(await purchaseOf('Piers')).toMatchObject({ creditsRemaining: 0, refundedAmount: '45.50' })
  })

  test('is refused beside its field above what is left, on an impossible day, and of a voided sale', async () => {
    const { studio, ana, dora } = story
    const { purchase } = await buyer('Nils')
    for (const [more, refusal, path] of [
      [{ amount: '45.51' }, paymentRefusals.refund_exceeds_payment, 'amount'],
      [{ paidOn: '2026-12-08' }, paymentRefusals.refund_day_impossible, 'paidOn'],
      [{ paidOn: '2026-12-06' }, paymentRefusals.refund_day_impossible, 'paidOn'],
    ] as const) {
      const response = await byHand(purchase.id, more)
      expect(response).toBeRefused(refusal)
      expect(response.body).toMatchObject({ errors: [{ path }] })
    }
    expect(await byHand(purchase.id, { credits: 4 })).toBeRefused(paymentRefusals.insufficient_credits)
    const sold = await studio.createPackage({})
    const sale = await dora.call(recordSale, { params: { id: ana.id }, body: { packageId: sold.id, method: 'cash' } })
    await dora.call(voidSale, { params: { id: ana.id, purchaseId: sale.body.id } })
    const voided = await byHand(sale.body.id)
    expect(voided).toBeRefused(paymentRefusals.refund_sale_voided)
    expect(voided.body).toMatchObject({ errors: [{ path: 'amount' }] })
    expect(await byHand(987_654)).toBeRefused(paymentRefusals.purchase_not_found)
    expect((await ana.call(refundByHand, { params: { id: purchase.id }, body: BY_HAND })).status).toBe(403)
  })
})

test('a member who cancels by law pays no fee; a sale face to face has no such right', async () => {
  const { studio, ana, dora } = story
  const { purchase } = await buyer('Clara')
  expect((await refund(dora, purchase.id, { isCancellation: true })).body).toMatchObject({
    refundedAmount: '45.50',
    creditsRemaining: 0,
  })
  expect((await fileOf('Clara')).map((cells) => cells.slice(8, 10))).toContainEqual(['0.00', '45.50'])
  const sold = await studio.createPackage({})
  const sale = await dora.call(recordSale, { params: { id: ana.id }, body: { packageId: sold.id, method: 'cash' } })
  expect(await refund(dora, sale.body.id, { isCancellation: true })).toBeRefused(paymentRefusals.no_right_to_cancel)
})

test('the total on a receipt is never below zero: what the bank takes beyond it is the loss of the studio', async () => {
  const { studio, bank, dora } = story
  const { intentId, purchase } = await buyer('Lotta')
  await refund(dora, purchase.id, { amount: '20.00', reason: 'Asked for' })
  await studio.runQueue('send-refund')
  const dispute = await bank.simulate('dispute', intentId, { reason: 'fraudulent' })
  await bank.decideDispute(dispute.id, 'losing_evidence')
  await bank.deliverEvents(studio, intentId)
  expect(await receiptLines(purchase.id)).toEqual({
    back: [
      ['Refunded on 07/12/2026', '-£20.00'],
      ['Taken back by your bank', '-£25.50'],
    ],
    total: ['Paid, less what was refunded', '£0.00'],
    note: 'This includes VAT at 20%: £0.00.',
  })
  expect((await fileOf('Lotta')).map((cells) => cells[9])).toEqual(['0.00', '20.00', '45.50'])
})
