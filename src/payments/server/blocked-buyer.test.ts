import { expect, test } from 'vitest'
import { blockMember } from '#booking/contract.ts'
import { paymentRefusals } from '../contract.ts'
import { begins, openStudioWithBank, registers } from './bank-under-test.ts'

test('refunds a payment started before the member was blocked, and emails both sides why', async () => {
  const { studio, bank, ana, dora } = await openStudioWithBank()
  const bought = await studio.package({ name: 'Winter Pass', price: '45.50' })
  const begun = await begins(ana, bought)
  await bank.pay(begun)
  const before = await studio.creditsOf(ana)
  await dora.call(blockMember, { params: { id: ana.id }, body: { reason: 'Shouts' } })
  for (const _ of ['at first', 'and again'])
    expect(await registers(ana, bought, begun)).toBeRefused(paymentRefusals.blocked_purchase_refunded)
  await studio.works('send-refund')
  expect(await bank.refundsOf(begun.body.paymentIntentId)).toEqual([4550])
  expect(await studio.creditsOf(ana)).toBe(before)
  const [told] = (await studio.mailTo(ana)).filter(({ subject }) => subject.includes('returned'))
  expect(told?.text).toContain('your account is on hold')
  expect(told?.text).not.toContain('Shouts')
})
