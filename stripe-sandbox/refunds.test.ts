import { describe, expect, test } from 'vitest'
import { asServer, rejection, shareSandbox } from './sandbox-under-test.ts'

const sandbox = shareSandbox()
describe('refunds', () => {
  test('return a part, then the rest, then are refused', async () => {
    const intent = await sandbox.paid('pm_card_visa')
    const part = await sandbox.stripe.refunds.create({
      payment_intent: intent.id,
      amount: 4050,
      metadata: { why: 'cooling off' },
    })
    expect(part).toMatchObject({ object: 'refund', amount: 4050, status: 'succeeded', payment_intent: intent.id })
    const tooMuch = await rejection(sandbox.stripe.refunds.create({ payment_intent: intent.id, amount: 451 }))
    expect(tooMuch).toMatchObject({ statusCode: 400, param: 'amount' })
    const rest = await sandbox.stripe.refunds.create({ payment_intent: intent.id })
    expect(rest.amount).toBe(450)
    expect(await rejection(sandbox.stripe.refunds.create({ payment_intent: intent.id }))).toMatchObject({
      code: 'charge_already_refunded',
      statusCode: 400,
    })
    expect(await sandbox.chargeOf(intent)).toMatchObject({ refunded: true, amount_refunded: 4500 })
    const { data } = await sandbox.stripe.refunds.list({ payment_intent: intent.id })
    expect(data.map((each) => [each.id, each.amount])).toEqual([
      [rest.id, 450],
      [part.id, 4050],
    ])
  })

  test('return no more than was paid when they race', async () => {
    const intent = await sandbox.paid('pm_card_visa')
    const settled = await Promise.allSettled(
      Array.from({ length: 8 }, () => sandbox.stripe.refunds.create({ payment_intent: intent.id, amount: 1000 })),
    )
    expect(settled.filter((each) => each.status === 'fulfilled')).toHaveLength(4)
  })

  test('need a payment that succeeded', async () => {
    const open = await sandbox.stripe.paymentIntents.create({ amount: 4500, currency: 'gbp' })
    expect((await rejection(sandbox.stripe.refunds.create({ payment_intent: open.id }))).statusCode).toBe(400)
    expect(await rejection(sandbox.stripe.refunds.create({ payment_intent: 'pi_none' }))).toMatchObject({
      code: 'resource_missing',
      statusCode: 404,
    })
    expect(await rejection(sandbox.stripe.refunds.create({}))).toMatchObject({ code: 'parameter_missing' })
  })
})

describe('failing refunds', () => {
  test('succeed at first, then give the money back to the charge', async () => {
    const intent = await sandbox.paid('pm_card_refundFail')
    const refund = await sandbox.stripe.refunds.create({ payment_intent: intent.id })
    expect([refund.status, (await sandbox.chargeOf(intent)).refunded]).toEqual(['succeeded', true])
    const { json } = await sandbox.call(`/v1/refunds/${refund.id}/settle`, {}, asServer)
    expect(json).toMatchObject({ status: 'failed', failure_reason: 'lost_or_stolen_card' })
    expect(await sandbox.chargeOf(intent)).toMatchObject({ refunded: false, amount_refunded: 0 })
    expect(await sandbox.eventsOf(intent)).toContain('refund.failed')
    expect((await sandbox.stripe.refunds.create({ payment_intent: intent.id })).amount).toBe(4500)
  })
})
