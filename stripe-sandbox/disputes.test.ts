import type Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { asServer, rejection, shareSandbox } from './sandbox-under-test.ts'

const sandbox = shareSandbox()
describe('disputes', () => {
  test.each([
    ['pm_card_createDispute', 'fraudulent', 'needs_response', ['created', 'funds_withdrawn']],
    ['pm_card_createDisputeInquiry', 'fraudulent', 'warning_needs_response', ['created']],
  ])('%s is disputed as %s', async (method, reason, status, events) => {
    const intent = await sandbox.paid(method)
    const { data } = await sandbox.stripe.disputes.list({ payment_intent: intent.id })
    expect(data).toMatchObject([{ reason, status, amount: 4500, payment_intent: intent.id }])
    expect((await sandbox.chargeOf(intent)).disputed).toBe(true)
    expect((await sandbox.eventsOf(intent)).filter((type) => type.startsWith('charge.dispute'))).toEqual(
      events.map((event) => `charge.dispute.${event}`),
    )
  })

  test.each([
    ['pm_card_createDispute', 'winning_evidence', 'won', ['closed', 'funds_reinstated', 'updated']],
    ['pm_card_createDispute', 'losing_evidence', 'lost', ['closed', 'updated']],
    ['pm_card_createDisputeInquiry', 'winning_evidence', 'warning_closed', ['closed', 'updated']],
    ['pm_card_createDisputeInquiry', 'losing_evidence', 'lost', ['closed', 'updated']],
  ])('%s with %s is %s', async (method, evidence, status, events) => {
    const intent = await sandbox.paid(method)
    const [dispute] = (await sandbox.stripe.disputes.list({ payment_intent: intent.id })).data
    await sandbox.deliverDue()
    sandbox.received.length = 0
    const evidenceText = { evidence: { uncategorized_text: evidence } }
    expect(await sandbox.stripe.disputes.update(dispute?.id ?? '', evidenceText)).toMatchObject({ status })
    expect(await sandbox.eventsOf(intent)).toEqual(events.map((event) => `charge.dispute.${event}`))
  })

  test('cannot be decided twice', async () => {
    const intent = await sandbox.paid('pm_card_createDispute')
    const [dispute] = (await sandbox.stripe.disputes.list({ payment_intent: intent.id })).data
    const decide = () =>
      sandbox.stripe.disputes.update(dispute?.id ?? '', { evidence: { uncategorized_text: 'losing_evidence' } })
    expect((await decide()).status).toBe('lost')
    expect((await rejection(decide())).message).toContain('already closed')
  })

  test('can be opened by a test', async () => {
    const intent = await sandbox.paid('pm_card_visa')
    const path = `/v1/payment_intents/${intent.id}/dispute`
    const { json } = await sandbox.call(path, { reason: 'product_not_received', inquiry: 'true' }, asServer)
    expect(json).toMatchObject({ reason: 'product_not_received', status: 'warning_needs_response' })
  })

  test('prevent refunds, unless won or only an inquiry', async () => {
    const refund = (intent: Stripe.PaymentIntent) => sandbox.stripe.refunds.create({ payment_intent: intent.id })
    const disputed = await sandbox.paid('pm_card_createDispute')
    expect((await rejection(refund(disputed))).code).toBe('charge_disputed')
    const [dispute] = (await sandbox.stripe.disputes.list({ payment_intent: disputed.id })).data
    await sandbox.stripe.disputes.update(dispute?.id ?? '', { evidence: { uncategorized_text: 'winning_evidence' } })
    expect((await refund(disputed)).status).toBe('succeeded')
    expect((await refund(await sandbox.paid('pm_card_createDisputeInquiry'))).status).toBe('succeeded')
  })
})

test('a test card causes an early fraud warning', async () => {
  const intent = await sandbox.paid('pm_card_createIssuerFraudRecord')
  const { data } = await sandbox.stripe.radar.earlyFraudWarnings.list({ payment_intent: intent.id })
  expect(data).toMatchObject([{ object: 'radar.early_fraud_warning', actionable: true }])
  expect(await sandbox.eventsOf(intent)).toContain('radar.early_fraud_warning.created')
})
