/** Refunds, and reading charges and events. */
import type Stripe from 'stripe'
import { inWords } from './amounts.ts'
import { type Answer, assertServer, type Call } from './call.ts'
import { ofPayment } from './disputes.ts'
import { invalidRequest, noSuch } from './errors.ts'
import { type Cause, recordEvents } from './events.ts'
import { expandAll } from './expand.ts'
import { type Condition, listOf } from './lists.ts'
import { newRefund } from './objects.ts'
import type { Parameters } from './parameters.ts'
import {
  disputeOfCharge,
  findCharge,
  findEvent,
  findIntent,
  findMethod,
  findPaidChargeForUpdate,
  findRefund,
  findRefundForUpdate,
  forgetLater,
  insertLater,
  insertRefund,
  saveCharge,
  saveRefund,
  type Tx,
} from './store.ts'
import type { Aftermath } from './test-cards.ts'

const knownInCreate = new Set([
  'amount',
  'charge',
  'expand',
  'metadata',
  'payment_intent',
  'reason',
  'refund_application_fee',
  'reverse_transfer',
])
const knownInList = new Set([
  'charge',
  'created',
  'ending_before',
  'expand',
  'limit',
  'payment_intent',
  'starting_after',
])
const knownInEvents = new Set([
  'created',
  'delivery_success',
  'ending_before',
  'expand',
  'limit',
  'starting_after',
  'type',
  'types',
])

/** Returns all or part of what is left of a charge. Two at once cannot return more than was paid. */
export async function createRefund(tx: Tx, call: Call): Promise<Answer> {
  assertServer(call.caller)
  const { params } = call
  params.allowOnly(knownInCreate)
  const wished = params.integer('amount')
  const reason = params.choice('reason', ['duplicate', 'fraudulent', 'requested_by_customer']) ?? null
  const charge = await chargeToRefund(tx, params)
  const left = charge.amount - charge.amount_refunded
  if (left === 0) {
    throw invalidRequest(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' })
  }
  const amount = wished ?? left
  if (amount < 1) {
    throw invalidRequest('Invalid positive integer', { code: 'parameter_invalid_integer', param: 'amount' })
  }
  if (amount > left) {
    throw invalidRequest(
      `Refund amount (${inWords(amount, charge.currency)}) is greater than unrefunded amount on charge (${inWords(left, charge.currency)})`,
      { param: 'amount' },
    )
  }
  await refuseDisputed(tx, charge)
  const isPending = (await aftermathOf(tx, charge)) === 'refund_pending'
  const made = newRefund(charge, { amount, reason, metadata: params.metadata() }, call.now)
  const refund: Stripe.Refund = isPending ? { ...made, status: 'pending', pending_reason: 'processing' } : made
  const after = { ...charge, amount_refunded: charge.amount_refunded + amount, refunded: amount === left }
  await insertRefund(tx, refund, charge)
  await saveCharge(tx, after)
  await recordEvents(
    tx,
    [
      { type: 'refund.created', object: refund },
      { type: 'charge.refunded', object: after },
    ],
    call,
  )
  if (isPending || (await aftermathOf(tx, charge)) === 'refund_fails') {
    await insertLater(tx, { what: 'refund', id: refund.id })
  }
  return { status: 200, body: await expandAll(tx, refund, params) }
}

/** A bank that has taken the money back leaves nothing to refund; one that only asks does. */
async function refuseDisputed(tx: Tx, charge: Stripe.Charge): Promise<void> {
  const dispute = charge.disputed ? await disputeOfCharge(tx, charge.id) : undefined
  if (!dispute || dispute.status === 'won' || dispute.status.startsWith('warning_')) return
  throw invalidRequest(`Charge ${charge.id} has been charged back; cannot issue a refund.`, { code: 'charge_disputed' })
}

async function aftermathOf(tx: Tx, { payment_method: method }: Stripe.Charge): Promise<Aftermath | null> {
  return method === null ? null : ((await findMethod(tx, method))?.aftermath ?? null)
}

/**
 * What becomes of a refund in the end: `POST /v1/refunds/:id/settle` with `outcome=succeeded` or `failed` (if not sent,
 * as its card does). Not Stripe's: for tests; by itself it happens after half a minute.
 */
export async function settleRefund(tx: Tx, call: Call): Promise<Answer> {
  assertServer(call.caller)
  const outcome = call.params.choice('outcome', ['succeeded', 'failed'])
  const refund = await refundSettled(tx, call, call.id, outcome)
  if (!refund) throw noSuch('refund', call.id, 'refund')
  return { status: 200, body: refund }
}

/** Ends a refund; one that failed is the charge's money again. */
export async function refundSettled(
  tx: Tx,
  cause: Cause,
  id: string,
  wished?: 'succeeded' | 'failed',
): Promise<Stripe.Refund | undefined> {
  await forgetLater(tx, id)
  const found = await findRefund(tx, id)
  const charge = found && (await findPaidChargeForUpdate(tx, String(found.payment_intent)))
  const refund = await findRefundForUpdate(tx, id)
  if (!charge || !refund || refund.status === 'failed') return refund
  const outcome = wished ?? ((await aftermathOf(tx, charge)) === 'refund_fails' ? 'failed' : 'succeeded')
  if (outcome === refund.status) return refund
  const { pending_reason: _, ...settled } = { ...refund, status: outcome }
  if (outcome === 'succeeded') {
    await saveRefund(tx, settled)
    await recordEvents(tx, [{ type: 'refund.updated', object: settled }], cause)
    return settled
  }
  const failed: Stripe.Refund = { ...settled, failure_reason: 'lost_or_stolen_card' }
  await saveRefund(tx, failed)
  await saveCharge(tx, { ...charge, amount_refunded: charge.amount_refunded - refund.amount, refunded: false })
  await recordEvents(
    tx,
    [
      { type: 'refund.updated', object: failed },
      { type: 'refund.failed', object: failed },
    ],
    cause,
  )
  return failed
}

async function chargeToRefund(tx: Tx, params: Parameters): Promise<Stripe.Charge> {
  const [intentId, chargeId] = [params.text('payment_intent'), params.text('charge')]
  if (intentId === undefined && chargeId === undefined) {
    throw invalidRequest('One of the following params should be provided for this request: payment_intent or charge.', {
      code: 'parameter_missing',
    })
  }
  if (intentId !== undefined && chargeId !== undefined) {
    throw invalidRequest('You may only specify one of these parameters: charge, payment_intent.')
  }
  if (chargeId !== undefined) return paidCharge(tx, chargeId)
  const id = intentId ?? ''
  if (!(await findIntent(tx, id))) throw noSuch('payment_intent', id, 'payment_intent')
  const charge = await findPaidChargeForUpdate(tx, id)
  if (!charge) {
    throw invalidRequest(`This PaymentIntent (${id}) does not have a successful charge to refund.`, {
      param: 'payment_intent',
    })
  }
  return charge
}

async function paidCharge(tx: Tx, id: string): Promise<Stripe.Charge> {
  const charge = await findCharge(tx, id)
  if (!charge) throw noSuch('charge', id, 'charge')
  const locked = charge.paid ? await findPaidChargeForUpdate(tx, String(charge.payment_intent)) : undefined
  if (!locked) throw invalidRequest(`Charge ${id} was not successful and cannot be refunded.`, { param: 'charge' })
  return locked
}

export async function retrieveRefund(tx: Tx, call: Call): Promise<Answer> {
  assertServer(call.caller)
  const refund = await findRefund(tx, call.id)
  if (!refund) throw noSuch('refund', call.id, 'refund')
  return { status: 200, body: await expandAll(tx, refund, call.params) }
}

export async function listRefunds(tx: Tx, call: Call): Promise<Answer> {
  assertServer(call.caller)
  call.params.allowOnly(knownInList)
  return listOf(tx, call, 'refunds', ofPayment(call.params))
}

export async function retrieveCharge(tx: Tx, call: Call): Promise<Answer> {
  assertServer(call.caller)
  const charge = await findCharge(tx, call.id)
  if (!charge) throw noSuch('charge', call.id, 'charge')
  return { status: 200, body: await expandAll(tx, charge, call.params) }
}

export async function retrieveEvent(tx: Tx, call: Call): Promise<Answer> {
  assertServer(call.caller)
  const event = await findEvent(tx, call.id)
  if (!event) throw noSuch('event', call.id, 'id')
  return { status: 200, body: event }
}

/** `type` may end with `.*`; `types[]` names several. */
export async function listEvents(tx: Tx, call: Call): Promise<Answer> {
  assertServer(call.caller)
  const { params } = call
  params.allowOnly(knownInEvents)
  const conditions: Condition[] = []
  const [type, types, delivered] = [params.text('type'), params.list('types'), params.flag('delivery_success')]
  if (type?.endsWith('.*')) conditions.push({ sql: 'type ^@', value: type.slice(0, -1) })
  else if (type !== undefined) conditions.push({ sql: 'type =', value: type })
  if (types !== undefined) conditions.push({ sql: 'array[type] <@', value: types })
  if (delivered !== undefined) conditions.push({ sql: '(delivered_at is not null) =', value: delivered })
  return listOf(tx, call, 'events', conditions)
}
