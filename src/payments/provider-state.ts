import type Stripe from 'stripe'
import type { Pence } from '#foundation/money.ts'

/** The fields of a payment intent that matter here. */
export type PaidIntent = {
  status: string
  amount_received: number
  currency: string
  metadata: Record<string, string>
  latest_charge?: string | ChargedWith | null
}

export type ProviderRefund = {
  id: string
  amount: Pence
  status: 'pending' | 'succeeded' | 'failed'
  /** The provider's reason for the failure. */
  failure: string | null
  /** Our reference, if we requested the refund. */
  reference: string | null
  createdAt: Temporal.Instant
}

export type ProviderDispute = {
  id: string
  amount: Pence
  status: 'inquiry' | 'open' | 'won' | 'lost' | 'closed'
  reason: string
  openedAt: Temporal.Instant
  respondBy: Temporal.Instant | null
}

export type ProviderWarning = { id: string; kind: string; warnedAt: Temporal.Instant }

/** Everything the provider has about one payment. */
export type ProviderPayment = {
  intent: PaidIntent
  refunds: ProviderRefund[]
  disputes: ProviderDispute[]
  warnings: ProviderWarning[]
}

/** A movement of the account's balance. */
export type BalanceChange = {
  id: string
  kind: 'charge' | 'refund' | 'dispute' | 'other'
  paymentIntentId: string | null
  sourceId: string | null
  amountPence: Pence
  feePence: Pence
  madeAt: Temporal.Instant
}

export type ProviderPayout = {
  id: string
  amountPence: Pence
  status: 'pending' | 'in_transit' | 'paid' | 'failed' | 'canceled'
  arrivesOn: string
  createdAt: Temporal.Instant
  /** `never` for a payout that was made by hand: the provider does not list what is in it. */
  lines: 'complete' | 'incomplete' | 'never'
}

/** The payment method in words, if the charge was expanded. */
export function methodUsed({ latest_charge: charge }: PaidIntent): string | null {
  return typeof charge === 'object' ? describeMethod(charge) : null
}

const at = (seconds: number) => Temporal.Instant.fromEpochMilliseconds(seconds * 1000)

type StripeRefund = Pick<Stripe.Refund, 'id' | 'amount' | 'status' | 'failure_reason' | 'metadata' | 'created'>

const REFUND_STATUSES: Partial<Record<string, ProviderRefund['status']>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
}

export function toProviderRefund(refund: StripeRefund): ProviderRefund {
  const status = REFUND_STATUSES[refund.status ?? ''] ?? 'pending'
  return {
    id: refund.id,
    amount: refund.amount,
    status,
    failure: status === 'failed' ? (refund.failure_reason ?? refund.status) : null,
    reference: refund.metadata?.refundId ?? null,
    createdAt: at(refund.created),
  }
}

export function toProviderDispute(dispute: Stripe.Dispute): ProviderDispute {
  const due = dispute.evidence_details?.due_by
  return {
    id: dispute.id,
    amount: dispute.amount,
    status: disputeStatus(dispute.status),
    reason: dispute.reason.replaceAll('_', ' '),
    openedAt: at(dispute.created),
    respondBy: due ? at(due) : null,
  }
}

/** An appeal reopens a dispute; a prevented one ended in a refund; an unknown status counts as an inquiry. */
function disputeStatus(status: string): ProviderDispute['status'] {
  if (status === 'won' || status === 'lost') return status
  if (status === 'warning_closed' || status === 'prevented') return 'closed'
  const isOpen = ['needs_response', 'under_review', 'appeal_needs_response', 'appeal_under_review'].includes(status)
  return isOpen ? 'open' : 'inquiry'
}

export function toProviderWarning(warning: Stripe.Radar.EarlyFraudWarning): ProviderWarning {
  return { id: warning.id, kind: warning.fraud_type.replaceAll('_', ' '), warnedAt: at(warning.created) }
}

const KINDS: Record<string, BalanceChange['kind']> = {
  charge: 'charge',
  payment: 'charge',
  refund: 'refund',
  payment_refund: 'refund',
  refund_failure: 'refund',
  payment_failure_refund: 'refund',
}

/** A balance transaction with its source expanded; undefined for a payout itself. */
export function toBalanceChange(line: Stripe.BalanceTransaction): BalanceChange | undefined {
  if (line.type.startsWith('payout')) return undefined
  const source = typeof line.source === 'object' ? line.source : null
  const payment = source && 'payment_intent' in source ? source.payment_intent : null
  return {
    id: line.id,
    kind: source?.object === 'dispute' ? 'dispute' : (KINDS[line.type] ?? 'other'),
    paymentIntentId: typeof payment === 'object' ? (payment?.id ?? null) : payment,
    sourceId: source?.id ?? null,
    amountPence: line.amount,
    feePence: line.fee,
    madeAt: at(line.created),
  }
}

const PAYOUT_STATUSES = ['pending', 'in_transit', 'paid', 'failed', 'canceled'] as const

export function toProviderPayout(payout: Stripe.Payout): ProviderPayout {
  const ofAutomatic = payout.reconciliation_status === 'in_progress' ? 'incomplete' : 'complete'
  return {
    id: payout.id,
    amountPence: payout.amount,
    status: PAYOUT_STATUSES.find((known) => known === payout.status) ?? 'pending',
    // Stripe names the day as its midnight in UTC.
    arrivesOn: at(payout.arrival_date).toZonedDateTimeISO('UTC').toPlainDate().toString(),
    createdAt: at(payout.created),
    lines: payout.automatic ? ofAutomatic : 'never',
  }
}

/** The part of a Stripe charge that names the payment method. */
type ChargedWith = {
  payment_method_details?: {
    type: string
    card?: { brand?: string | null; last4?: string | null; wallet?: { type?: string } | null } | null
  } | null
}

const BRANDS: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}
const WALLETS: Record<string, string> = {
  apple_pay: 'Apple Pay',
  google_pay: 'Google Pay',
  samsung_pay: 'Samsung Pay',
  link: 'Link',
}
const OTHERS: Record<string, string> = {
  link: 'Link',
  paypal: 'PayPal',
  klarna: 'Klarna',
  revolut_pay: 'Revolut Pay',
  amazon_pay: 'Amazon Pay',
  afterpay_clearpay: 'Clearpay',
  pay_by_bank: 'Pay by Bank',
  bacs_debit: 'Bank debit',
  sepa_debit: 'Bank debit',
  us_bank_account: 'Bank debit',
  customer_balance: 'Bank transfer',
}

/** `Visa ending 4242`, `Apple Pay (Visa ending 4242)`, `Bank debit ending 2345`, `Link`; others in their own words. */
export function describeMethod(charge: ChargedWith | null | undefined): string | null {
  const details = charge?.payment_method_details
  if (!details) return null
  const { type, card } = details
  if (type === 'card') {
    const brand = BRANDS[card?.brand ?? ''] ?? 'Card'
    const named = card?.last4 ? `${brand} ending ${card.last4}` : brand
    const wallet = WALLETS[card?.wallet?.type ?? '']
    return wallet ? `${wallet} (${named})` : named
  }
  // Stripe puts a method's details under its type.
  const known = Object.entries(details).find(([name]) => name === type)?.[1]
  const last4 = typeof known === 'object' ? known?.last4 : undefined
  const name = OTHERS[type] ?? inWords(type)
  return last4 ? `${name} ending ${last4}` : name
}

function inWords(type: string): string {
  const words = type.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
