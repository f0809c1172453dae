import { randomBytes } from 'node:crypto'
import type Stripe from 'stripe'
import type { Charge, Decline, Dispute, Method, PaymentIntent, Refund, Warning } from './shapes.ts'

const WEEK_SECONDS = 7 * 24 * 60 * 60
/** The account's prefix on a card statement, and the statement's length. */
export const STATEMENT = { prefix: 'SANDBOX* ', length: 22 }

export const seconds = (now: Date): number => Math.floor(now.getTime() / 1000)

/** An id that looks like Stripe's: `pi_3…`, `ch_3…`. */
export const newId = (prefix: string): string => `${prefix}_3${randomBytes(12).toString('hex')}`

export function newPaymentIntent(
  wanted: {
    amount: number
    currency: string
    description?: string
    metadata?: Record<string, string>
    statement_descriptor_suffix?: string
  },
  now: Date,
): PaymentIntent {
  const id = newId('pi')
  return {
    id,
    object: 'payment_intent',
    amount: wanted.amount,
    amount_received: 0,
    automatic_payment_methods: { enabled: true },
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: `${id}_secret_${randomBytes(12).toString('hex')}`,
    confirmation_method: 'automatic',
    created: seconds(now),
    currency: wanted.currency,
    description: wanted.description ?? null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    metadata: wanted.metadata ?? {},
    next_action: null,
    payment_method: null,
    payment_method_types: ['card'],
    receipt_email: null,
    statement_descriptor_suffix: wanted.statement_descriptor_suffix ?? null,
    status: 'requires_payment_method',
  }
}

/** The payment without what a browser may not see: metadata and charge. */
export function forBrowser(intent: PaymentIntent): Partial<PaymentIntent> {
  const seen: Partial<PaymentIntent> = { ...intent }
  for (const field of ['amount_received', 'latest_charge', 'metadata', 'statement_descriptor_suffix'] as const) {
    delete seen[field]
  }
  return seen
}

/** One attempt to charge: it succeeds, is declined, or is a pending bank debit. */
export function newCharge(intent: PaymentIntent, method: Method, decline: Decline | null, now: Date): Charge {
  const isDebit = method.details.type === 'bacs_debit'
  const paid = !decline && !isDebit
  const accepted = isDebit ? 'pending' : 'succeeded'
  const suffix = intent.statement_descriptor_suffix?.toUpperCase() ?? ''
  return {
    id: newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: paid ? intent.amount : 0,
    amount_refunded: 0,
    billing_details: method.payer,
    calculated_statement_descriptor: `${STATEMENT.prefix}${suffix}`.replace(/\W+$/, ''),
    captured: paid,
    created: seconds(now),
    currency: intent.currency,
    description: intent.description ?? null,
    disputed: false,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    livemode: false,
    metadata: intent.metadata,
    paid,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: method.details,
    receipt_email: null,
    refunded: false,
    status: decline ? 'failed' : accepted,
  }
}

export function newRefund(
  charge: Charge,
  wanted: { amount: number; reason?: Stripe.Refund['reason']; metadata?: Record<string, string> },
  now: Date,
): Refund {
  return {
    id: newId('re'),
    object: 'refund',
    amount: wanted.amount,
    charge: charge.id,
    created: seconds(now),
    currency: charge.currency,
    metadata: wanted.metadata ?? {},
    payment_intent: charge.payment_intent,
    reason: wanted.reason ?? null,
    status: 'succeeded',
  }
}

export function newDispute(charge: Charge, about: { reason: string; isInquiry: boolean }, now: Date): Dispute {
  return {
    id: newId('dp'),
    object: 'dispute',
    amount: charge.amount,
    charge: charge.id,
    created: seconds(now),
    currency: charge.currency,
    evidence: { uncategorized_text: null },
    evidence_details: { due_by: seconds(now) + WEEK_SECONDS, has_evidence: false },
    is_charge_refundable: about.isInquiry,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason: about.reason,
    status: about.isInquiry ? 'warning_needs_response' : 'needs_response',
  }
}

export function newWarning(charge: Charge, now: Date): Warning {
  return {
    id: newId('issfr'),
    object: 'radar.early_fraud_warning',
    actionable: true,
    charge: charge.id,
    created: seconds(now),
    fraud_type: 'made_with_stolen_card',
    livemode: false,
    payment_intent: charge.payment_intent,
  }
}
