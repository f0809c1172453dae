/**
 * The life of a payment intent, without database or HTTP: every function takes one and answers what becomes of it.
 *
 *   requires_payment_method ──► requires_confirmation ──► succeeded ◄── processing (bank debit)
 *            ▲    confirm ──────────────┤                                  │
 *            └── decline ◄── requires_action (3-D Secure)     fails ───────┘   canceled: from all but these two
 */
import type Stripe from 'stripe'
import { debited, newDebit, notAuthorized } from './bank-debits.ts'
import type { Method } from './cards.ts'
import { type ErrorBody, unexpectedState, withDocUrl } from './errors.ts'
import type { Happening } from './happenings.ts'
import { declineOf, newCharge, seconds } from './objects.ts'
import { type Decline, declines } from './test-cards.ts'

/** What one step made of an intent. With `error` the step is kept all the same and the caller is told with 402. */
export interface Step {
  intent: Stripe.PaymentIntent
  charge?: Stripe.Charge
  happenings: Happening[]
  error?: ErrorBody
}

export interface Attempt {
  method: Method
  chargeId: string
  now: Date
  /** The card holder is not there to answer a question of their bank. */
  offSession: boolean
  /** Decline instead of asking. */
  errorOnRequiresAction: boolean
  /** What the browser has to do if the bank asks. */
  nextAction: Stripe.PaymentIntent.NextAction
}

/** Refuses (payment_intent_unexpected_state) what is over. */
export function assertConfirmable(intent: Stripe.PaymentIntent): void {
  if (intent.status === 'succeeded') {
    throw unexpectedState(
      'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.',
      intent,
    )
  }
  if (intent.status === 'processing') {
    throw unexpectedState('You cannot confirm this PaymentIntent because it has a status of processing.', intent)
  }
  if (intent.status === 'canceled') {
    throw unexpectedState(
      'You cannot confirm this PaymentIntent because it has a status of canceled. Only a PaymentIntent with one of the following statuses may be confirmed: requires_confirmation, requires_action.',
      intent,
    )
  }
}

/** Charges the card, asks its holder first, or tells why not. */
export function confirmIntent(intent: Stripe.PaymentIntent, attempt: Attempt): Step {
  assertConfirmable(intent)
  if (attempt.method.object.type === 'bacs_debit') return beginDebit(intent, attempt)
  const { authentication } = attempt.method
  if (authentication === 'broken') return authenticationFailed(intent, attempt.method)
  const asks = authentication === 'always' || (authentication === 'on_session' && !attempt.offSession)
  if (!asks) return charge(intent, attempt, false, declineOf(attempt.method))
  if (attempt.offSession || attempt.errorOnRequiresAction) {
    return charge(intent, attempt, false, declines.authentication_required)
  }
  const waiting: Stripe.PaymentIntent = {
    ...intent,
    payment_method: attempt.method.object.id,
    status: 'requires_action',
    next_action: attempt.nextAction,
    last_payment_error: null,
  }
  return { intent: waiting, happenings: [{ type: 'payment_intent.requires_action', object: waiting }] }
}

/** The holder's answer to the bank's question. Refuses when nothing was asked. */
export function authenticateIntent(
  intent: Stripe.PaymentIntent,
  attempt: Pick<Attempt, 'method' | 'chargeId' | 'now'>,
  outcome: 'succeeded' | 'failed',
): Step {
  if (intent.status !== 'requires_action') {
    throw unexpectedState(
      `This PaymentIntent could not be authenticated because it has a status of ${intent.status}. Only a PaymentIntent with the status requires_action may be authenticated.`,
      intent,
    )
  }
  if (outcome === 'failed') {
    const { error: _, ...step } = authenticationFailed(intent, attempt.method)
    return step
  }
  return charge(intent, attempt, true, declineOf(attempt.method))
}

/** A bank is asked for the money, which takes days. */
function beginDebit(intent: Stripe.PaymentIntent, { method, chargeId, now }: Attempt): Step {
  const waiting: Stripe.PaymentIntent = {
    ...intent,
    last_payment_error: null,
    latest_charge: chargeId,
    next_action: null,
    payment_method: method.object.id,
    payment_method_types: ['bacs_debit'],
    status: 'processing',
  }
  const made = newDebit(intent, method, chargeId, now)
  return { intent: waiting, charge: made, happenings: [{ type: 'payment_intent.processing', object: waiting }] }
}

/** What the bank says in the end. Refuses when nothing is on its way. */
export function settleDebit(
  intent: Stripe.PaymentIntent,
  charge: Stripe.Charge,
  outcome: 'succeeded' | 'failed',
): { intent: Stripe.PaymentIntent; charge: Stripe.Charge; happenings: Happening[] } {
  if (intent.status !== 'processing') {
    throw unexpectedState(`This PaymentIntent is not processing but has a status of ${intent.status}.`, intent)
  }
  const made = debited(charge, outcome)
  if (outcome === 'succeeded') {
    const paid: Stripe.PaymentIntent = { ...intent, amount_received: intent.amount, status: 'succeeded' }
    return { intent: paid, charge: made, happenings: [{ type: 'payment_intent.succeeded', object: paid }] }
  }
  const error = { type: 'card_error' as const, code: 'debit_not_authorized', message: notAuthorized, charge: made.id }
  const step = failed(intent, withDocUrl(error))
  return { intent: step.intent, charge: made, happenings: step.happenings }
}

function charge(
  intent: Stripe.PaymentIntent,
  attempt: Pick<Attempt, 'method' | 'chargeId' | 'now'>,
  authenticated: boolean,
  decline: Decline | null,
): Step {
  const made = newCharge(intent, attempt.method, { id: attempt.chargeId, now: attempt.now, authenticated, decline })
  if (decline) {
    const error = withDocUrl({
      type: 'card_error' as const,
      charge: made.id,
      ...decline,
      payment_method: attempt.method.object,
    })
    return { ...failed({ ...intent, latest_charge: made.id }, error), charge: made }
  }
  const paid: Stripe.PaymentIntent = {
    ...intent,
    amount_received: intent.amount,
    last_payment_error: null,
    latest_charge: made.id,
    next_action: null,
    payment_method: attempt.method.object.id,
    status: 'succeeded',
  }
  return { intent: paid, charge: made, happenings: [{ type: 'payment_intent.succeeded', object: paid }] }
}

function authenticationFailed(intent: Stripe.PaymentIntent, method: Method): Step {
  return failed(
    intent,
    withDocUrl({
      type: 'invalid_request_error' as const,
      code: 'payment_intent_authentication_failure',
      message:
        'The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new PaymentMethod to attempt to fulfill this PaymentIntent again.',
      payment_method: method.object,
    }),
  )
}

function failed(intent: Stripe.PaymentIntent, error: ErrorBody): Step {
  const open: Stripe.PaymentIntent = {
    ...intent,
    last_payment_error: error as Stripe.PaymentIntent.LastPaymentError,
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
  }
  return {
    intent: open,
    error: { ...error, payment_intent: open },
    happenings: [{ type: 'payment_intent.payment_failed', object: open }],
  }
}

/** Everything but a paid (or already canceled) intent, or one on its way, can be canceled. */
export function cancelIntent(
  intent: Stripe.PaymentIntent,
  reason: Stripe.PaymentIntent.CancellationReason | null,
  now: Date,
): Step {
  if (['succeeded', 'canceled', 'processing'].includes(intent.status)) {
    throw unexpectedState(
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_confirmation, requires_action.`,
      intent,
    )
  }
  const canceled: Stripe.PaymentIntent = {
    ...intent,
    canceled_at: seconds(now),
    cancellation_reason: reason,
    next_action: null,
    status: 'canceled',
  }
  return { intent: canceled, happenings: [{ type: 'payment_intent.canceled', object: canceled }] }
}

/**
 * Changes an intent without confirming it. Once paid or canceled only what describes it may change; while a bank's
 * question is open, another amount or card withdraws that question.
 */
export function updateIntent(intent: Stripe.PaymentIntent, changes: Partial<Stripe.PaymentIntent>): Step {
  const over = ['succeeded', 'canceled', 'processing'].includes(intent.status)
  const describing = new Set(['description', 'metadata', 'receipt_email', 'shipping'])
  const material = Object.keys(changes).filter((field) => !describing.has(field))
  const [first] = material
  if (over && first) {
    throw unexpectedState(
      `This PaymentIntent's ${first} could not be updated because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be updated: requires_payment_method, requires_confirmation, requires_action.`,
      intent,
    )
  }
  const changed: Stripe.PaymentIntent = { ...intent, ...changes }
  if (changes.payment_method) changed.last_payment_error = null
  if (changes.payment_method || (intent.status === 'requires_action' && material.length > 0)) {
    changed.status = 'requires_confirmation'
    changed.next_action = null
  }
  return { intent: changed, happenings: [] }
}
