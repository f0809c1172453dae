/** A payment as the provider tells it, in our own words: what is there, whatever we know of it. */

import type { Pence } from '#foundation/money.ts'

/** The intent itself, as far as it matters here. */
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
  /** Why it failed, by the provider's word for it. */
  failure: string | null
  /** Our own reference, where we asked for it. */
  ours: string | null
  /** The purchase it is for, as we wrote it before refunds had numbers. */
  ofPurchase: number | null
  madeAt: Temporal.Instant
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

/** All that the provider knows of one payment. */
export type ProviderPayment = {
  intent: PaidIntent
  refunds: ProviderRefund[]
  disputes: ProviderDispute[]
  warnings: ProviderWarning[]
}

/** What was paid with, when the charge came along. */
export function methodUsed({ latest_charge: charge }: PaidIntent): string | null {
  return typeof charge === 'object' ? methodOf(charge) : null
}

const at = (seconds: number) => Temporal.Instant.fromEpochMilliseconds(seconds * 1000)

type StripeRefund = {
  id: string
  amount: number
  status: string | null
  failure_reason?: string | null
  metadata: Record<string, string> | null
  created: number
}

export function toProviderRefund(refund: StripeRefund): ProviderRefund {
  const { status } = refund
  const failed = status === 'failed' || status === 'canceled'
  return {
    id: refund.id,
    amount: refund.amount,
    status: failed ? 'failed' : status === 'succeeded' ? 'succeeded' : 'pending',
    failure: failed ? (refund.failure_reason ?? status) : null,
    ours: refund.metadata?.refundId ?? null,
    ofPurchase: numberIn(refund.metadata?.purchaseId),
    madeAt: at(refund.created),
  }
}

function numberIn(text: string | undefined): number | null {
  const number = Number(text)
  return Number.isSafeInteger(number) && number > 0 ? number : null
}

type StripeDispute = {
  id: string
  amount: number
  status: string
  reason: string
  created: number
  evidence_details?: { due_by: number | null } | null
}

export function toProviderDispute(dispute: StripeDispute): ProviderDispute {
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

/** An appeal is open again; one that was prevented ended in a refund, which comes by itself; what is new only asks. */
function disputeStatus(status: string): ProviderDispute['status'] {
  if (status === 'won' || status === 'lost') return status
  if (status === 'warning_closed' || status === 'prevented') return 'closed'
  const isOpen = ['needs_response', 'under_review', 'appeal_needs_response', 'appeal_under_review'].includes(status)
  return isOpen ? 'open' : 'inquiry'
}

export function toProviderWarning(warning: { id: string; fraud_type: string; created: number }): ProviderWarning {
  return { id: warning.id, kind: warning.fraud_type.replaceAll('_', ' '), warnedAt: at(warning.created) }
}

/** What a payment was made with, in words. */

/** As much of a charge as is needed to say so. */
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

/**
 * `Visa ending 4242`, `Apple Pay (Visa ending 4242)`, `Bank debit ending 2345`, `Link`; null when the provider does not
 * say. A method we do not know is called by the provider's name for it, as words.
 */
export function methodOf(charge: ChargedWith | null | undefined): string | null {
  const details = charge?.payment_method_details
  if (!details) return null
  const { type, card } = details
  if (type === 'card') {
    const brand = BRANDS[card?.brand ?? ''] ?? 'Card'
    const named = card?.last4 ? `${brand} ending ${card.last4}` : brand
    const wallet = WALLETS[card?.wallet?.type ?? '']
    return wallet ? `${wallet} (${named})` : named
  }
  // Stripe writes what it knows of a method under the method's name.
  const known = Object.entries(details).find(([name]) => name === type)?.[1]
  const last4 = typeof known === 'object' ? known?.last4 : undefined
  const name = OTHERS[type] ?? inWords(type)
  return last4 ? `${name} ending ${last4}` : name
}

/** `some_bank_thing` as `Some bank thing`. */
function inWords(type: string): string {
  const words = type.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
