import { endOfDay, londonDate } from '../foundation/london.ts'
import { type Pence, toPence } from '../foundation/money.ts'

import type { RefusalDefinition } from '../foundation/refusal.ts'
import { studio } from '../studio.ts'
import { paymentRefusals } from './contract.ts'

/** The currency of everything: pounds sterling, as the provider writes it. */
export const CURRENCY = 'gbp'

/** Whether what a caller thinks a package costs (pounds, number or text) is exactly its price. */
export function isPrice(amount: string | number, price: Pence): boolean {
  // More than two decimals is no amount of money, whatever it rounds to.
  return /^\d+(\.\d{1,2}0*)?$/.test(String(amount)) && toPence(Number(amount).toFixed(2)) === price
}

/** What the provider says of a payment, as far as it matters here. */
export type PaidIntent = {
  status: string
  amount_received: number
  currency: string
  metadata: Record<string, string>
}

/** Whether the provider collected exactly what was asked, for this member and package. */
export function paysFor(
  paid: PaidIntent,
  asked: { amountPence: Pence; userId: string | null; packageId: number },
): boolean {
  return (
    paid.status === 'succeeded' &&
    paid.amount_received === asked.amountPence &&
    paid.currency === CURRENCY &&
    (asked.userId === null || paid.metadata.userId === asked.userId) &&
    paid.metadata.packageId === String(asked.packageId)
  )
}

/** Whether a payment can still be made with this intent, or is just being made. */
export function isPayable(status: string): boolean {
  return ['requires_payment_method', 'requires_confirmation', 'requires_action', 'processing'].includes(status)
}

/** Until when a purchase can be refunded: the last second of the London day 14 days later. Source: docs/studio-rules.md#refunds */
export function refundableUntil(purchasedAt: Temporal.Instant): Temporal.Instant {
  return endOfDay(londonDate(purchasedAt).add({ days: studio.policies.refundDays }))
}

/**
 * What a refund at `now` would send back, or why there is none: within 14 days, an unused pass only, once; less a fee
 * of 10 %, rounded in the member's favour. Source: docs/studio-rules.md#refunds
 *
 * @param pass what the purchase became; undefined once the member is erased
 */
export function refundOf(
  purchase: { amountPence: Pence; purchasedAt: Temporal.Instant; refundedAt: Temporal.Instant | null },
  pass: { creditsRemaining: number; creditsTotal: number } | undefined,
  now: Temporal.Instant,
): { pence: Pence } | { refusal: RefusalDefinition } {
  if (purchase.refundedAt) return { refusal: paymentRefusals.refunded_before }
  if (!pass) return { refusal: paymentRefusals.refund_without_pass }
  if (pass.creditsRemaining !== pass.creditsTotal) return { refusal: paymentRefusals.refund_of_used_pass }
  if (Temporal.Instant.compare(now, refundableUntil(purchase.purchasedAt)) > 0) {
    return { refusal: paymentRefusals.refund_too_late }
  }
  const fee = Math.floor((purchase.amountPence * studio.policies.refundFeePercent) / 100)
  return { pence: purchase.amountPence - fee }
}
