import { describe, expect, test } from 'vitest'
import type { Person } from '#testing/person.ts'
import { codeRefusals } from '../code-refusals.ts'
import { confirmOrder, endOrder, listPurchases, paymentRefusals } from '../contract.ts'
import { createPromotionCode } from '../contract-codes.ts'
import { activatePass, shareStudioWithBank, startPayment } from './bank-under-test.ts'

const story = shareStudioWithBank()
const confirm = (who: Person, id: string, tab: string, isBeginRequested = false) =>
  who.call(confirmOrder, { params: { id }, body: { tab, isBeginRequested } })
const end = (who: Person, id: string, tab: string) => who.call(endOrder, { params: { id }, query: { tab } })

/** An order of a member, with its payment. */
async function order(name: string) {
  const member = await story.studio.member(name)
  const bought = await story.studio.createPackage({ price: '45.00' })
  const started = await startPayment(member, bought)
  return { member, bought, started, id: String(started.body.paymentIntentId) }
}

describe('an order that two tabs share', () => {
  test('is of the tab that pays for it, until that fails', async () => {
    const { studio, bank, dora } = story
    const { member, bought, started, id } = await order('Tia')
    expect((await confirm(member, id, 'one', true)).status).toBe(200)
    expect(await confirm(member, id, 'two')).toBeRefused(paymentRefusals.payment_confirmed_elsewhere)
    expect(await end(member, id, 'two')).toBeRefused(paymentRefusals.payment_confirmed_elsewhere)
    expect((await confirm(member, id, 'one', true)).status).toBe(200)
    await bank.pay(started, 'pm_card_chargeDeclined')
    expect((await confirm(member, id, 'two')).status).toBe(200)
    // Of two presses at the same time, one is first.
    await bank.pay(started, 'pm_card_chargeDeclined')
    const presses = await Promise.all(['three', 'four'].map((tab) => confirm(member, id, tab, tab === 'three')))
    expect(presses.map(({ status }) => status).sort()).toEqual([200, 409])
    studio.clock.advance({ minutes: 1 })
    expect((await confirm(member, id, 'one', true)).status).toBe(200)
    await bank.pay(started)
    await activatePass(member, bought, started)
    expect(await confirm(member, id, 'two')).toBeRefused(paymentRefusals.payment_already_completed)
    expect(await end(member, id, 'two')).toBeRefused(paymentRefusals.payment_already_completed)
    const [purchase] = await dora.read(listPurchases, { query: { userId: member.id } })
    expect(purchase?.beginRequestedAt).not.toBeNull()
  })

  test('is of the tab whose member is at the bank', async () => {
    const { studio, bank } = story
    const { member, started, id } = await order('Tom')
    await confirm(member, id, 'one')
    await bank.pay(started, 'pm_card_authenticationRequired')
    studio.clock.advance({ minutes: 14 })
    expect(await confirm(member, id, 'two')).toBeRefused(paymentRefusals.payment_confirmed_elsewhere)
    studio.clock.advance({ minutes: 1 })
    expect((await confirm(member, id, 'two')).status).toBe(200)
  })
})

test('an order that ended unpaid is not confirmed, and nobody else can confirm or end one', async () => {
  const { bank, boris } = story
  const { member, bought, id } = await order('Uma')
  expect(await confirm(boris, id, 'one')).toBeRefused(paymentRefusals.payment_not_found)
  expect(await end(boris, id, 'one')).toBeRefused(paymentRefusals.payment_not_found)
  expect(await confirm(member, 'pi_unknown', 'one')).toBeRefused(paymentRefusals.payment_not_found)
  expect((await end(member, id, 'one')).status).toBe(200)
  expect(await bank.statusOf(id)).toBe('canceled')
  expect(await confirm(member, id, 'one')).toBeRefused(paymentRefusals.payment_ended)
  expect((await startPayment(member, bought)).body.paymentIntentId).not.toBe(id)
})

test('an order that is corrected frees its code, and a single use belongs to the latest order', async () => {
  const { studio, bank, ana, boris, dora } = story
  const form = { kind: 'percent', value: 10, maxUses: 1, oncePerMember: false, firstPurchaseOnly: false } as const
  expect((await dora.call(createPromotionCode, { body: { code: 'ONLY-ONE', ...form } })).status).toBe(201)
  const { id: packageId } = await studio.createPackage({ price: '50.00' })
  const start = (who: Person, recipientName: string) => {
    const body = { packageId, amount: '45.00', code: 'ONLY-ONE', gift: { recipientName } }
    return who.request('POST', '/api/create-payment-intent', body)
  }
  const { body: grace } = await start(ana, 'Grace')
  const { body: henry } = await start(ana, 'Henry')
  expect(henry.paymentIntentId).not.toBe(grace.paymentIntentId)
  expect(await bank.statusOf(grace.paymentIntentId)).toBe('canceled')
  expect(await start(boris, 'Ida')).toBeRefused(codeRefusals.code_used_up)
  await end(ana, henry.paymentIntentId, 'one')
  expect((await start(boris, 'Ida')).status).toBe(200)
})

test('two orders with a code that can be used often are two payments, and an open checkout keeps its code', async () => {
  const { studio, bank, ana, dora } = story
  const form = { kind: 'percent', value: 10, maxUses: 9, oncePerMember: false, firstPurchaseOnly: false } as const
  await dora.call(createPromotionCode, { body: { code: 'OFTEN', ...form } })
  const { id: packageId } = await studio.createPackage({ price: '50.00' })
  const start = (recipientName: string) =>
    ana.request('POST', '/api/create-payment-intent', {
      packageId,
      amount: '45.00',
      code: 'OFTEN',
      gift: { recipientName },
    })
  const [grace, henry] = [await start('Grace'), await start('Henry')]
  studio.clock.advance({ minutes: 25 })
  expect((await start('Grace')).body).toEqual(grace.body)
  studio.clock.advance({ minutes: 10 })
  await studio.server.workers['reconcile-payments']({}, 'by hand')
  expect(await bank.statusOf(grace.body.paymentIntentId)).toBe('requires_payment_method')
  expect(await bank.statusOf(henry.body.paymentIntentId)).toBe('canceled')
})
