import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asServer, type SandboxUnderTest, scratchDatabase, startSandbox } from './sandbox-under-test.ts'

let database: Awaited<ReturnType<typeof scratchDatabase>>
let sandbox: SandboxUnderTest

beforeAll(async () => {
  database = await scratchDatabase()
  sandbox = await startSandbox(database.url)
})
afterAll(async () => {
  await sandbox.stop()
  await database.drop()
})

const pays = (method: string) =>
  sandbox.stripe.paymentIntents.create({
    amount: 4500,
    currency: 'gbp',
    payment_method: method,
    confirm: true,
    expand: ['latest_charge'],
  })
const chargeOf = async ({ id }: Stripe.PaymentIntent) =>
  (await sandbox.stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] })).latest_charge as Stripe.Charge
const refundsOf = ({ id }: Stripe.PaymentIntent) => sandbox.stripe.refunds.list({ payment_intent: id })
const rejection = (promise: Promise<unknown>): Promise<Stripe.errors.StripeError> =>
  promise.then(
    () => Promise.reject(new Error('was not refused')),
    (error) => error,
  )
/** The kinds of events about a payment, in their order. */
async function eventsOf({ id }: Stripe.PaymentIntent) {
  await sandbox.deliverDue()
  const about = ({ event }: { event: Stripe.Event }) => {
    const object = event.data.object as { id?: string; payment_intent?: string }
    return object.id === id || object.payment_intent === id
  }
  return sandbox.received.filter(about).map(({ event }) => event.type)
}

describe('disputes', () => {
  test.each([
    ['pm_card_createDispute', 'fraudulent', 'needs_response', ['created', 'funds_withdrawn']],
    [
      'pm_card_createDisputeProductNotReceived',
      'product_not_received',
      'needs_response',
      ['created', 'funds_withdrawn'],
    ],
    ['pm_card_createDisputeInquiry', 'fraudulent', 'warning_needs_response', ['created']],
  ])('%s is disputed as %s', async (method, reason, status, events) => {
    const intent = await pays(method)
    const { data } = await sandbox.stripe.disputes.list({ payment_intent: intent.id })
    expect(data).toMatchObject([{ reason, status, amount: 4500, payment_intent: intent.id }])
    expect(await sandbox.stripe.disputes.retrieve(data[0]?.id ?? '')).toEqual(data[0])
    expect((await chargeOf(intent)).disputed).toBe(true)
    expect((await eventsOf(intent)).filter((type) => type.startsWith('charge.dispute')).sort()).toEqual(
      events.map((event) => `charge.dispute.${event}`),
    )
  })

  test.each([
    ['pm_card_createDispute', 'winning_evidence', 'won', ['closed', 'funds_reinstated', 'updated']],
    ['pm_card_createDispute', 'losing_evidence', 'lost', ['closed', 'updated']],
    ['pm_card_createDispute', 'some words', 'under_review', ['updated']],
    ['pm_card_createDisputeInquiry', 'winning_evidence', 'warning_closed', ['closed', 'updated']],
    ['pm_card_createDisputeInquiry', 'escalate_inquiry_evidence', 'needs_response', ['funds_withdrawn', 'updated']],
  ])('%s with %s is %s', async (method, evidence, status, events) => {
    const intent = await pays(method)
    const [dispute] = (await sandbox.stripe.disputes.list({ payment_intent: intent.id })).data
    const before = await eventsOf(intent)
    const told = { evidence: { uncategorized_text: evidence } }
    expect(await sandbox.stripe.disputes.update(dispute?.id ?? '', told)).toMatchObject({ status })
    expect((await eventsOf(intent)).slice(before.length).sort()).toEqual(
      events.map((event) => `charge.dispute.${event}`),
    )
  })

  test('given up it is lost, and closed is closed', async () => {
    const intent = await pays('pm_card_createDispute')
    const [dispute] = (await sandbox.stripe.disputes.list({ payment_intent: intent.id })).data
    const id = dispute?.id ?? ''
    expect((await sandbox.stripe.disputes.close(id)).status).toBe('lost')
    expect((await rejection(sandbox.stripe.disputes.close(id))).message).toContain('already closed')
  })

  test('a disputed charge cannot be refunded; one that is only asked about, or won, can', async () => {
    const refund = (intent: Stripe.PaymentIntent) => sandbox.stripe.refunds.create({ payment_intent: intent.id })
    const disputed = await pays('pm_card_createDispute')
    expect((await rejection(refund(disputed))).code).toBe('charge_disputed')
    const [dispute] = (await sandbox.stripe.disputes.list({ payment_intent: disputed.id })).data
    await sandbox.stripe.disputes.update(dispute?.id ?? '', { evidence: { uncategorized_text: 'winning_evidence' } })
    expect((await refund(disputed)).status).toBe('succeeded')
    expect((await refund(await pays('pm_card_createDisputeInquiry'))).status).toBe('succeeded')
  })
})

test('a card network warns of a card early', async () => {
  const intent = await pays('pm_card_createIssuerFraudRecord')
  const { data } = await sandbox.stripe.radar.earlyFraudWarnings.list({ payment_intent: intent.id })
  expect(data).toMatchObject([{ object: 'radar.early_fraud_warning', actionable: true }])
  expect(await sandbox.stripe.radar.earlyFraudWarnings.retrieve(data[0]?.id ?? '')).toEqual(data[0])
  expect(await eventsOf(intent)).toContain('radar.early_fraud_warning.created')
})

describe('refunds that take their time', () => {
  test('pending, then succeeded', async () => {
    const intent = await pays('pm_card_pendingRefund')
    const refund = await sandbox.stripe.refunds.create({ payment_intent: intent.id, amount: 1000 })
    expect(refund.status).toBe('pending')
    await sandbox.pool.query(`update sandbox.later set due_at = clock_timestamp() where id = $1`, [refund.id])
    await expect.poll(async () => (await refundsOf(intent)).data[0]?.status, { timeout: 10_000 }).toBe('succeeded')
    expect((await eventsOf(intent)).filter((type) => type.startsWith('refund'))).toEqual([
      'refund.created',
      'refund.updated',
    ])
  })

  test('succeeded, then failed: the money is the charge’s again', async () => {
    const intent = await pays('pm_card_refundFail')
    const refund = await sandbox.stripe.refunds.create({ payment_intent: intent.id })
    expect([refund.status, (await chargeOf(intent)).refunded]).toEqual(['succeeded', true])
    const { json } = await sandbox.call(`/v1/refunds/${refund.id}/settle`, {}, asServer)
    expect(json).toMatchObject({ status: 'failed', failure_reason: 'lost_or_stolen_card' })
    expect(await chargeOf(intent)).toMatchObject({ refunded: false, amount_refunded: 0 })
    expect(await eventsOf(intent)).toContain('refund.failed')
    expect((await sandbox.stripe.refunds.create({ payment_intent: intent.id })).amount).toBe(4500)
  })
})

describe('bank debits', () => {
  const debits = (account: string) =>
    sandbox.stripe.paymentIntents.create({
      amount: 4500,
      currency: 'gbp',
      confirm: true,
      payment_method_data: { type: 'bacs_debit', bacs_debit: { sort_code: '10-88-00', account_number: account } },
    })

  test('are on their way, cannot be cancelled or confirmed again, and arrive', async () => {
    const intent = await debits('00012345')
    expect(intent).toMatchObject({ status: 'processing', amount_received: 0 })
    expect(await chargeOf(intent)).toMatchObject({
      status: 'pending',
      paid: false,
      payment_method_details: { type: 'bacs_debit', bacs_debit: { last4: '2345' } },
    })
    for (const step of ['cancel', 'confirm'] as const) {
      const refused = await rejection(sandbox.stripe.paymentIntents[step](intent.id))
      expect(refused.code).toBe('payment_intent_unexpected_state')
    }
    await sandbox.pool.query(`update sandbox.later set due_at = clock_timestamp() where id = $1`, [intent.id])
    const status = async () => (await sandbox.stripe.paymentIntents.retrieve(intent.id)).status
    await expect.poll(status, { timeout: 10_000 }).toBe('succeeded')
    expect(await chargeOf(intent)).toMatchObject({ status: 'succeeded', paid: true })
    expect(await eventsOf(intent)).toEqual([
      'payment_intent.created',
      'payment_intent.processing',
      'payment_intent.succeeded',
    ])
    expect((await sandbox.stripe.refunds.create({ payment_intent: intent.id })).amount).toBe(4500)
  })

  test('fail for some accounts, and are refused for unknown ones', async () => {
    const intent = await debits('33333335')
    await sandbox.pool.query(`update sandbox.later set due_at = clock_timestamp() where id = $1`, [intent.id])
    const status = async () => (await sandbox.stripe.paymentIntents.retrieve(intent.id)).status
    await expect.poll(status, { timeout: 10_000 }).toBe('requires_payment_method')
    expect((await rejection(debits('12345678'))).code).toBe('account_number_invalid')
  })
})

test.each([
  ['<3 PILATES', 'cannot contain'],
  ['2026', 'at least one letter'],
  ['MUCH TOO LONG FOR IT', 'at most 22'],
])('the statement suffix %s is refused', async (suffix, why) => {
  const wish = { amount: 4500, currency: 'gbp', statement_descriptor_suffix: suffix }
  expect((await rejection(sandbox.stripe.paymentIntents.create(wish))).message).toContain(why)
})
