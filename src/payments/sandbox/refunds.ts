/** Refunds, and reading charges and events. */
import type Stripe from 'stripe'
import { inWords } from './amounts.ts'
import { type Answer, assertServer, type Call } from './call.ts'
import { invalidRequest, noSuch } from './errors.ts'
import { recordEvents } from './events.ts'
import { expandAll } from './expand.ts'
import { type Condition, listOf } from './lists.ts'
import { newRefund } from './objects.ts'
import type { Parameters } from './parameters.ts'
import {
  findCharge,
  findEvent,
  findIntent,
  findPaidChargeForUpdate,
  findRefund,
  insertRefund,
  saveCharge,
  type Tx,
} from './store.ts'

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
  const refund = newRefund(charge, { amount, reason, metadata: params.metadata() }, call.now)
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
  return { status: 200, body: await expandAll(tx, refund, params) }
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
  return listOf(tx, call, 'refunds', [...equals(call.params, 'payment_intent'), ...equals(call.params, 'charge')])
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

function equals(params: Parameters, column: 'payment_intent' | 'charge'): Condition[] {
  const value = params.text(column)
  return value === undefined ? [] : [{ sql: `${column} =`, value }]
}
