import { describe, expect, test } from 'vitest'
import { commonRefusals } from '../../foundation/refusal.ts'
import type { Person } from '../../testing/person.ts'
import { openStudio } from '../../testing/studio-under-test.ts'
import { createPaymentIntent, listPurchases, paymentRefusals } from '../contract.ts'
import { askToBegin, askToBeginPayment, listBeginOffers } from '../contract-begin.ts'
import { recordSale } from '../contract-desk.ts'
import { begins, openStudioWithBank, registers } from './bank-under-test.ts'
import { receiptWords } from './paper/receipt-paper.ts'
import { receiptOf } from './receipts.ts'

const ticks = (who: Person, id: string, isAsked: boolean) =>
  who.call(askToBeginPayment, { params: { id }, body: { isAsked } })

describe('at the checkout', () => {
  test('ticked before paying it stands in the receipt, by mail and as PDF; nobody is asked again', async () => {
    const { studio, bank, ana, boris, dora } = await openStudioWithBank()
    const bought = await studio.package({ price: '45.00' })
    const begun = await begins(ana, bought)
    const id = begun.body.paymentIntentId
    expect(await ticks(boris, id, true)).toBeRefused(paymentRefusals.intent_not_found)
    expect((await ticks(ana, id, true)).status).toBe(200)
    await bank.pay(begun)
    await registers(ana, bought, begun)
    const receipt = (await studio.mailTo(ana)).find(({ subject }) => subject.includes('receipt'))
    expect(receipt?.text).toContain('You asked us on 07/12/2026 to begin')
    expect(receipt?.text).not.toContain('Without that request')
    const purchase = await receiptOf(studio.db, { id: await studio.count('select id from purchases') })
    expect(receiptWords(purchase, null).facts).toContainEqual([
      'Within 14 days',
      'Asked on 07/12/2026 to begin before they are over',
    ])
    expect(await ana.reads(listBeginOffers)).toEqual([])
    expect(await dora.reads(listPurchases)).toMatchObject([
      { cancellableUntil: '2026-12-21', beginRequestedAt: '2026-12-07T09:00:00Z' },
    ])
    // Unticked in a tab that was left open: what is bought keeps it.
    await ticks(ana, id, false)
    expect((await dora.reads(listPurchases))[0]?.beginRequestedAt).toBe('2026-12-07T09:00:00Z')
  })

  test('unticked again, and at every new arrival, nothing was asked for; the payment is the same', async () => {
    const { studio, bank, ana, dora } = await openStudioWithBank()
    const bought = await studio.package({ price: '45.00' })
    const begun = await begins(ana, bought)
    await ticks(ana, begun.body.paymentIntentId, true)
    const again = await ana.call(createPaymentIntent, { body: { packageId: bought.id, amount: '45.00' } })
    expect(again.body.paymentIntentId).toBe(begun.body.paymentIntentId)
    await bank.pay(begun)
    await registers(ana, bought, begun)
    expect(await dora.reads(listPurchases)).toMatchObject([{ beginRequestedAt: null }])
    const receipt = (await studio.mailTo(ana)).find(({ subject }) => subject.includes('receipt'))
    expect(receipt?.text).toContain('Without that request you pay nothing for them.')
    // What is ticked a moment too late is on record all the same.
    await ticks(ana, begun.body.paymentIntentId, true)
    expect(await dora.reads(listPurchases)).toMatchObject([{ beginRequestedAt: '2026-12-07T09:00:00Z' }])
  })
})

test('with a booking: offered until the fourteenth day, for what was bought from afar, asked once', async () => {
  const { studio, ana, boris, dora } = await openStudio()
  const { id: packageId } = await studio.package({ name: 'Four' })
  const sells = (method: string) =>
    dora.call(recordSale, { params: { id: ana.id }, body: { packageId, method, amount: '40.00' } })
  // At the desk the law lets nobody cancel.
  await sells('cash')
  expect(await ana.reads(listBeginOffers)).toEqual([])
  const { body: bought } = await sells('bank_transfer')
  const offer = { purchaseId: bought.id, package: { id: packageId, name: 'Four' }, until: '2026-12-21' }
  expect(await ana.reads(listBeginOffers)).toEqual([offer])
  expect(await boris.reads(listBeginOffers)).toEqual([])
  studio.itIs('2026-12-21 23:59')
  expect(await ana.reads(listBeginOffers)).toEqual([offer])
  studio.itIs('2026-12-22 00:00')
  expect(await ana.reads(listBeginOffers)).toEqual([])
  await ana.call(askToBegin)
  const asked = async () => (await dora.reads(listPurchases)).map(({ beginRequestedAt }) => beginRequestedAt)
  expect(await asked()).toEqual([null, null])
  studio.itIs('2026-12-20 09:00')
  expect((await ana.call(askToBegin)).status).toBe(200)
  studio.itIs('2026-12-20 10:00')
  await Promise.all([ana.call(askToBegin), boris.call(askToBegin)])
  expect(await asked()).toEqual(['2026-12-20T09:00:00Z', null])
  expect(await studio.visitor().call(askToBegin)).toBeRefused(commonRefusals.unauthorized)
})
