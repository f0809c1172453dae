import { expect, test } from 'vitest'
import { blockMember } from '#booking/contract.ts'
import { paymentRefusals } from '../contract.ts'
import { activatePass, openStudioWithBank, startPayment } from './bank-under-test.ts'

test('refunds a payment started before the member was blocked, and emails both sides why', async () => {
  const { studio, bank, ana, dora } = await openStudioWithBank()
  const bought = await studio.createPackage({ name: 'Winter Pass', price: '45.50' })
  const started = await startPayment(ana, bought)
  await bank.pay(started)
  const before = await studio.creditsOf(ana)
  await dora.call(blockMember, { params: { id: ana.id }, body: { reason: 'Shouts' } })
  for (const _ of ['at first', 'and again'])
    expect(await activatePass(ana, bought, started)).toBeRefused(paymentRefusals.blocked_purchase_refunded)
  await studio.runQueue('send-refund')
  expect(await bank.refundsOf(started.body.paymentIntentId)).toEqual([4550])
  expect(await studio.creditsOf(ana)).toBe(before)
  const [mail] = (await studio.mailTo(ana)).filter(({ subject }) => subject.includes('returned'))
  expect(mail?.text).toContain('your account is on hold')
  expect(mail?.text).not.toContain('Shouts')
})
