import { toPence } from '#foundation/amounts.ts'
import { endOfDay, studioDate } from '#foundation/instants.ts'
import type { Pence } from '#foundation/money.ts'
import type { RefusalDefinition } from '#foundation/refusal.ts'
import { studio } from '#studio.ts'
import { paymentRefusals } from './contract.ts'
import { deskRefusals } from './contract-desk.ts'
import type { PaidIntent, ProviderPayment, ProviderRefund } from './provider-state.ts'
import type { PurchaseRow, RefundRow } from './tables.ts'

/** The studio's currency as the provider writes it. */
export const CURRENCY = studio.currency.toLowerCase()

/** With the account's prefix (at most 10) and `* ` between them a card statement holds 22 characters. */
const SUFFIX_LENGTH = 10

/**
 * What stands on a card statement after the account's own name: words of the studio's, in the letters that banks print.
 * `Aldergate Pilates` is `ALDERGATE`. The provider asks for a letter in it.
 */
export function statementSuffix(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/[^\p{ASCII}]/gu, '')
    .toUpperCase()
  const words = plain
    .replaceAll(/[^A-Z0-9 ]/g, '')
    .trim()
    .split(' ')
  const fitting = words.reduce(
    (text, word) => (`${text} ${word}`.trim().length > SUFFIX_LENGTH ? text : `${text} ${word}`.trim()),
    '',
  )
  const suffix = fitting || (words[0] ?? '').slice(0, SUFFIX_LENGTH)
  return /[A-Z]/.test(suffix) ? suffix : 'CLASS PASS'
}

/** Whether what a caller thinks a package costs (number or text) is exactly its price. */
export function isPrice(amount: string | number, price: Pence): boolean {
  // More than two decimals is no amount of money, whatever it rounds to.
  return /^\d+(\.\d{1,2}0*)?$/.test(String(amount)) && toPence(Number(amount).toFixed(2)) === price
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

/** Whether a payment can still be made with this intent. */
export function isPayable(status: string): boolean {
  return ['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(status)
}

/** Whether what happened there takes the pass away: all of the money went back, or a bank took it. */
export function endsPass({ refunds, disputes }: ProviderPayment, amountPence: Pence): boolean {
  const gone = refunds.filter(({ status }) => status !== 'failed').reduce((sum, { amount }) => sum + amount, 0)
  return gone >= amountPence || disputes.some(({ status }) => status === 'lost')
}

/** Where a payment stands, as far as it decides when to ask about it again. */
export type Asked = 'open' | 'processing' | 'moving' | 'settled' | 'over'

/** First, longest and last distance of the questions about a payment. All ours. */
const QUESTIONS = {
  open: { first: { minutes: 1 }, longest: { hours: 6 }, last: { hours: 30 * 24 } },
  /** Methods that take days. */
  processing: { first: { minutes: 5 }, longest: { hours: 24 }, last: { hours: 30 * 24 } },
  /** A dispute is open, or a refund on its way. */
  moving: { first: { hours: 1 }, longest: { hours: 24 }, last: { hours: 400 * 24 } },
  /** Nothing is expected, but banks may ask back what was paid for some months. */
  settled: { first: { hours: 1 }, longest: { hours: 30 * 24 }, last: { hours: 180 * 24 } },
} as const
/** A payment that nobody made within a day is ended at the provider. */
const ABANDONED_AFTER = { hours: 24 }

/**
 * When the provider is asked about a payment next, should it not tell us before: each time about as long from now as it
 * has been so already, within limits; undefined when it was asked for the last time.
 *
 * @param since when it began, or was settled
 */
export function nextLookAt(asked: Asked, since: Temporal.Instant, now: Temporal.Instant): Temporal.Instant | undefined {
  if (asked === 'over') return undefined
  const { first, longest, last } = QUESTIONS[asked]
  if (Temporal.Instant.compare(now, since.add(last)) >= 0) return undefined
  const age = since.until(now).total('seconds')
  const most = Temporal.Duration.from(longest).total('seconds')
  const least = Temporal.Duration.from(first).total('seconds')
  const next = now.add({ seconds: Math.round(Math.min(most, Math.max(least, age))) })
  const mark = asked === 'open' && !isAbandoned(since, now) ? since.add(ABANDONED_AFTER) : since.add(last)
  return Temporal.Instant.compare(next, mark) > 0 ? mark : next
}

/** Whether nobody has made a payment within a day, so that it is ended at the provider. */
export function isAbandoned(createdAt: Temporal.Instant, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(createdAt.add(ABANDONED_AFTER), now) <= 0
}

/** Until when a purchase can be refunded: the last second of the day 14 days later. Source: docs/studio-rules.md#refunds */
export function refundableUntil(purchasedAt: Temporal.Instant): Temporal.Instant {
  return endOfDay(studioDate(purchasedAt).add({ days: studio.policies.refundDays }))
}

/** The last day on which the law lets a member cancel a purchase made from afar, `YYYY-MM-DD`: 14 days after the day of it. */
export function cancellableUntil(purchasedAt: Temporal.Instant): string {
  return studioDate(purchasedAt).add({ days: studio.policies.coolingOffDays }).toString()
}

/** Whether that day is still to come, or is today. Source: docs/studio-rules.md#refunds */
export function isCancellable(purchasedAt: Temporal.Instant, now: Temporal.Instant): boolean {
  return studioDate(now).toString() <= cancellableUntil(purchasedAt)
}

/** A purchase as far as a refund depends on it. */
export type Refundable = {
  amountPence: Pence
  refundedPence: Pence
  lostPence: Pence
  purchasedAt: Temporal.Instant
  isDisputed: boolean
  voidedAt?: Temporal.Instant | null
}

/**
 * What a refund by the rule at `now` would send back, or why there is none: within 14 days, an unused pass only, once;
 * less a fee of 10 %, rounded in the member's favour. Source: docs/studio-rules.md#refunds
 *
 * @param pass what the purchase became; undefined once the member is erased
 */
export function refundOf(
  purchase: Refundable,
  pass: { creditsRemaining: number; creditsTotal: number } | undefined,
  now: Temporal.Instant,
): { pence: Pence } | { refusal: RefusalDefinition } {
  if (purchase.voidedAt) return { refusal: paymentRefusals.refund_sale_voided }
  if (purchase.isDisputed) return { refusal: paymentRefusals.refund_while_disputed }
  if (purchase.refundedPence > 0) return { refusal: paymentRefusals.already_refunded }
  if (purchase.lostPence > 0) return { refusal: paymentRefusals.refund_payment_lost }
  if (!pass) return { refusal: paymentRefusals.refund_pass_deleted }
  if (pass.creditsRemaining !== pass.creditsTotal) return { refusal: paymentRefusals.refund_pass_used }
  if (Temporal.Instant.compare(now, refundableUntil(purchase.purchasedAt)) > 0) {
    return { refusal: paymentRefusals.refund_too_late }
  }
  const fee = Math.floor((purchase.amountPence * studio.policies.refundFeePercent) / 100)
  return { pence: purchase.amountPence - fee }
}

/** The most that can be refunded beside the rule, whatever was used and however long ago it was. */
export function mostRefundable({ amountPence, refundedPence, lostPence, voidedAt }: Refundable): Pence {
  return voidedAt ? 0 : Math.max(0, amountPence - refundedPence - lostPence)
}

/**
 * What the owner has to say about a refund: how many credits go with a part that was refunded at the provider while the
 * pass is left, or what to do about one that failed and was not sent anew. Null when nothing is open, or it was said.
 */
export function decisionOf(
  refund: RefundRow,
  { all, isPassLeft }: { all: readonly RefundRow[]; isPassLeft: boolean },
): 'credits' | 'failed' | null {
  if (refund.answeredAt) return null
  if (refund.status === 'failed') {
    const isSentAnew = all.some(({ id, status }) => id > refund.id && status !== 'failed')
    return isSentAnew ? null : 'failed'
  }
  return refund.origin === 'provider' && isPassLeft ? 'credits' : null
}

/** What a refund beside the rule may be refused for. */
export function refusalBeside(purchase: Refundable, pence: Pence): RefusalDefinition | undefined {
  if (purchase.voidedAt) return paymentRefusals.refund_sale_voided
  if (purchase.isDisputed) return paymentRefusals.refund_while_disputed
  if (mostRefundable(purchase) === 0) return paymentRefusals.already_refunded
  return pence > mostRefundable(purchase) ? paymentRefusals.refund_exceeds_payment : undefined
}

/**
 * Why a sale at the desk cannot be voided at `now`: on its London day only, while its pass is unused and nothing of it was
 * given back. Source: docs/studio-rules.md#sales-at-the-desk
 *
 * @param pass `creditsCorrected` is the sum of its correction lines: a pass that an admin has deleted is not used by that
 */
export function refusalOfVoid(
  sale: Pick<PurchaseRow, 'deskMethod' | 'voidedAt' | 'refundedPence' | 'purchasedAt'>,
  pass: { creditsRemaining: number; creditsTotal: number; creditsCorrected: number } | undefined,
  now: Temporal.Instant,
): RefusalDefinition | undefined {
  if (!sale.deskMethod) return deskRefusals.void_card_payment
  if (sale.voidedAt) return deskRefusals.already_voided
  if (sale.refundedPence > 0) return deskRefusals.void_after_refund
  if (!studioDate(sale.purchasedAt).equals(studioDate(now))) return deskRefusals.void_too_late
  const isUnused = pass && pass.creditsRemaining - pass.creditsCorrected === pass.creditsTotal
  return isUnused ? undefined : deskRefusals.void_pass_used
}

type Match = (row: RefundRow, refund: ProviderRefund) => boolean

const byProviderId: Match = (row, refund) => row.providerId === refund.id
const byReference: Match = (row, refund) =>
  !row.providerId && row.reference === refund.ours && row.amountPence === refund.amount

/**
 * Whether a refund there may be ours from before it carried our reference: then it said its purchase, or nothing when a
 * payment was given back. One that is only decided was perhaps sent by then.
 */
const byOldMarks: Match = (row, refund) => {
  if (row.providerId || row.status === 'failed' || refund.ours !== null) return false
  if (row.amountPence !== refund.amount) return false
  if (refund.ofPurchase !== null) return row.origin === 'rule' && row.purchaseId === refund.ofPurchase
  return row.origin === 'given_back' || row.status !== 'decided'
}

/** Which of our refunds of a payment the provider's are, each at most once; the surest signs first. */
export function matchRefunds(
  rows: readonly RefundRow[],
  remote: readonly ProviderRefund[],
): ReadonlyMap<ProviderRefund, RefundRow> {
  const found = new Map<ProviderRefund, RefundRow>()
  const taken = new Set<RefundRow>()
  // One that failed is taken for an old one of ours only when no other can be it.
  const inOrder = [...remote].sort((a, b) => Number(a.status === 'failed') - Number(b.status === 'failed'))
  for (const match of [byProviderId, byReference, byOldMarks]) {
    for (const refund of inOrder) {
      const row = found.has(refund) ? undefined : rows.find((one) => !taken.has(one) && match(one, refund))
      if (!row) continue
      found.set(refund, row)
      taken.add(row)
    }
  }
  return found
}

/** The provider's refund that a decided one of ours has become already. */
export function alreadyMade(row: RefundRow, remote: readonly ProviderRefund[]): ProviderRefund | undefined {
  return (
    remote.find((refund) => byReference(row, refund)) ??
    remote.find((refund) => refund.status !== 'failed' && byOldMarks(row, refund))
  )
}
