/** Disputes, and the warnings of card networks that come before them. */
import type Stripe from 'stripe'
import { type Answer, assertServer, type Call } from './call.ts'
import { invalidRequest, noSuch } from './errors.ts'
import { recordEvents } from './events.ts'
import { expandAll } from './expand.ts'
import type { Happening } from './happenings.ts'
import { type Condition, listOf } from './lists.ts'
import { newDispute, newWarning } from './objects-of-trouble.ts'
import type { Parameters } from './parameters.ts'
import {
  findDispute,
  findDisputeForUpdate,
  findPaidChargeForUpdate,
  findWarning,
  insertDispute,
  insertWarning,
  saveCharge,
  saveDispute,
  type Tx,
} from './store.ts'
import type { Aftermath } from './test-cards.ts'

const knownInList = new Set([
  'charge',
  'created',
  'ending_before',
  'expand',
  'limit',
  'payment_intent',
  'starting_after',
])
const knownInUpdate = new Set(['evidence', 'expand', 'metadata', 'submit'])
const decided = new Set<Stripe.Dispute.Status>(['won', 'lost', 'warning_closed'])
/** What evidence in tests decides. Source: https://docs.stripe.com/testing#disputes */
const verdicts: Record<string, Stripe.Dispute.Status> = {
  winning_evidence: 'won',
  losing_evidence: 'lost',
  escalate_inquiry_evidence: 'needs_response',
}

/** What follows a successful charge of some test cards. */
export async function followCharge(tx: Tx, call: Call, charge: Stripe.Charge, aftermath: Aftermath | null) {
  if (aftermath === 'early_fraud_warning') return warn(tx, call, charge)
  if (aftermath === 'dispute_fraudulent') return open(tx, call, charge, { reason: 'fraudulent', isInquiry: false })
  if (aftermath === 'inquiry') return open(tx, call, charge, { reason: 'fraudulent', isInquiry: true })
  if (aftermath === 'dispute_product_not_received') {
    await open(tx, call, charge, { reason: 'product_not_received', isInquiry: false })
  }
}

async function warn(tx: Tx, call: Call, charge: Stripe.Charge): Promise<Stripe.Radar.EarlyFraudWarning> {
  const warning = newWarning(charge, call.now)
  await insertWarning(tx, warning)
  await recordEvents(tx, [{ type: 'radar.early_fraud_warning.created', object: warning }], call)
  return warning
}

async function open(
  tx: Tx,
  call: Call,
  charge: Stripe.Charge,
  about: { reason: string; isInquiry: boolean },
): Promise<Stripe.Dispute> {
  const dispute = newDispute(charge, about, call.now)
  await insertDispute(tx, dispute)
  await saveCharge(tx, { ...charge, disputed: true })
  const happenings: Happening[] = [{ type: 'charge.dispute.created', object: dispute }]
  if (!about.isInquiry) happenings.push({ type: 'charge.dispute.funds_withdrawn', object: dispute })
  await recordEvents(tx, happenings, call)
  return dispute
}

/**
 * The holder of the card disputes a payment: `POST /v1/payment_intents/:id/dispute` with `reason` and `inquiry`.
 * Not Stripe's: there the bank does it. For tests and for trying it out.
 */
export async function disputePaymentIntent(tx: Tx, call: Call): Promise<Answer> {
  const charge = await chargeOf(tx, call)
  const reason = call.params.text('reason') ?? 'fraudulent'
  const isInquiry = call.params.flag('inquiry') ?? false
  return { status: 200, body: await open(tx, call, charge, { reason, isInquiry }) }
}

/** The card's network warns of a payment: `POST /v1/payment_intents/:id/warn`. Not Stripe's either. */
export async function warnOfPaymentIntent(tx: Tx, call: Call): Promise<Answer> {
  return { status: 200, body: await warn(tx, call, await chargeOf(tx, call)) }
}

async function chargeOf(tx: Tx, call: Call): Promise<Stripe.Charge> {
  assertServer(call.caller)
  const charge = await findPaidChargeForUpdate(tx, call.id)
  if (!charge) throw noSuch('charge', call.id, 'intent')
  return charge
}

/** Evidence; `submit` (true if not sent) hands it in, and the words of {@link verdicts} in it decide. */
export async function updateDispute(tx: Tx, call: Call): Promise<Answer> {
  assertServer(call.caller)
  const { params } = call
  params.allowOnly(knownInUpdate)
  const dispute = await undecided(tx, call)
  const text = params.branch('evidence')?.text('uncategorized_text') ?? null
  const told: Stripe.Dispute = {
    ...dispute,
    evidence: { ...dispute.evidence, uncategorized_text: text ?? dispute.evidence.uncategorized_text },
    metadata: params.metadata(dispute.metadata),
  }
  if (!(params.flag('submit') ?? true)) return kept(tx, call, told, [])
  const verdict = verdicts[text ?? '']
  const isInquiry = dispute.status.startsWith('warning_')
  const waiting: Stripe.Dispute.Status = isInquiry ? 'warning_under_review' : 'under_review'
  const status = verdict === 'won' && isInquiry ? 'warning_closed' : (verdict ?? waiting)
  const details = { ...told.evidence_details, has_evidence: true, submission_count: 1 }
  return kept(tx, call, { ...told, status, evidence_details: details }, consequences(status, isInquiry))
}

/** Gives up: the dispute is lost. */
export async function closeDispute(tx: Tx, call: Call): Promise<Answer> {
  assertServer(call.caller)
  const dispute = await undecided(tx, call)
  return kept(tx, call, { ...dispute, status: 'lost' }, consequences('lost', false))
}

/** The events that a new status brings, besides the update itself. */
function consequences(status: Stripe.Dispute.Status, wasInquiry: boolean): Happening['type'][] {
  if (status === 'won') return ['charge.dispute.funds_reinstated', 'charge.dispute.closed']
  if (decided.has(status)) return ['charge.dispute.closed']
  return wasInquiry && status === 'needs_response' ? ['charge.dispute.funds_withdrawn'] : []
}

async function undecided(tx: Tx, call: Call): Promise<Stripe.Dispute> {
  const dispute = await findDisputeForUpdate(tx, call.id)
  if (!dispute) throw noSuch('dispute', call.id, 'dispute')
  if (decided.has(dispute.status)) throw invalidRequest('This dispute is already closed', { param: 'dispute' })
  return dispute
}

async function kept(tx: Tx, call: Call, dispute: Stripe.Dispute, more: Happening['type'][]): Promise<Answer> {
  await saveDispute(tx, dispute)
  const types: Happening['type'][] = ['charge.dispute.updated', ...more]
  await recordEvents(
    tx,
    types.map((type) => ({ type, object: dispute })),
    call,
  )
  return { status: 200, body: await expandAll(tx, dispute, call.params) }
}

export async function retrieveDispute(tx: Tx, call: Call): Promise<Answer> {
  assertServer(call.caller)
  const dispute = await findDispute(tx, call.id)
  if (!dispute) throw noSuch('dispute', call.id, 'dispute')
  return { status: 200, body: await expandAll(tx, dispute, call.params) }
}

export async function listDisputes(tx: Tx, call: Call): Promise<Answer> {
  assertServer(call.caller)
  call.params.allowOnly(knownInList)
  return listOf(tx, call, 'disputes', ofPayment(call.params))
}

export async function retrieveWarning(tx: Tx, call: Call): Promise<Answer> {
  assertServer(call.caller)
  const warning = await findWarning(tx, call.id)
  if (!warning) throw noSuch('early_fraud_warning', call.id, 'early_fraud_warning')
  return { status: 200, body: await expandAll(tx, warning, call.params) }
}

export async function listWarnings(tx: Tx, call: Call): Promise<Answer> {
  assertServer(call.caller)
  call.params.allowOnly(knownInList)
  return listOf(tx, call, 'early_fraud_warnings', ofPayment(call.params))
}

/** The list's conditions that name a payment or its charge. */
export function ofPayment(params: Parameters): Condition[] {
  return (['payment_intent', 'charge'] as const).flatMap((column) => {
    const value = params.text(column)
    return value === undefined ? [] : [{ sql: `${column} =`, value }]
  })
}
