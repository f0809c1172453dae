import { describe, expect, test } from 'vitest'
import { rejection, shareSandbox } from './sandbox-under-test.ts'

const sandbox = shareSandbox()
describe('bank debits', () => {
  const debits = (account: string) =>
    sandbox.stripe.paymentIntents.create({
      amount: 4500,
      currency: 'gbp',
      confirm: true,
      payment_method_data: { type: 'bacs_debit', bacs_debit: { sort_code: '10-88-00', account_number: account } },
    })

  test('are pending, cannot be cancelled or confirmed again, and succeed', async () => {
    const intent = await debits('00012345')
    expect(intent).toMatchObject({ status: 'processing', amount_received: 0 })
    expect(await sandbox.chargeOf(intent)).toMatchObject({
      status: 'pending',
      paid: false,
      payment_method_details: { type: 'bacs_debit', bacs_debit: { last4: '2345' } },
    })
    for (const step of ['cancel', 'confirm'] as const) {
      const refused = await rejection(sandbox.stripe.paymentIntents[step](intent.id))
      expect(refused.code).toBe('payment_intent_unexpected_state')
    }
    await sandbox.pool.query(`update sandbox.objects set due_at = clock_timestamp() where id = $1`, [intent.id])
    await sandbox.deliverDue()
    expect((await sandbox.stripe.paymentIntents.retrieve(intent.id)).status).toBe('succeeded')
    expect(await sandbox.chargeOf(intent)).toMatchObject({ status: 'succeeded', paid: true })
    expect(await sandbox.eventsOf(intent)).toEqual([
      'payment_intent.created',
      'payment_intent.processing',
      'payment_intent.succeeded',
    ])
    expect((await sandbox.stripe.refunds.create({ payment_intent: intent.id })).amount).toBe(4500)
  })

  test('fail for some accounts, and are refused for unknown ones', async () => {
    const intent = await debits('33333335')
    await sandbox.pool.query(`update sandbox.objects set due_at = clock_timestamp() where id = $1`, [intent.id])
    await sandbox.deliverDue()
    expect((await sandbox.stripe.paymentIntents.retrieve(intent.id)).status).toBe('requires_payment_method')
    expect((await rejection(debits('12345678'))).code).toBe('account_number_invalid')
  })
})

test.each([
  ['<3 PILATES', 'cannot contain'],
  ['2026', 'at least one letter'],
  ['MUCH TOO LONG FOR IT', 'at most 22'],
])('refuses the statement suffix %s', async (suffix, why) => {
  const wish = { amount: 4500, currency: 'gbp', statement_descriptor_suffix: suffix }
  expect((await rejection(sandbox.stripe.paymentIntents.create(wish))).message).toContain(why)
})
