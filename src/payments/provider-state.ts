/** A payment as the provider tells it, in our own words: what is there, whatever we know of it. */
import type { Pence } from '#foundation/money.ts'
import { type ChargedWith, methodOf } from './method.ts'

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
