import { toPence } from '#foundation/amounts.ts'
import { endOfDay, studioDate } from '#foundation/instants.ts'
import type { Pence } from '#foundation/money.ts'
import type { RefusalDefinition } from '#foundation/refusal.ts'
import { studio } from '#studio.ts'
import { paymentRefusals } from './contract.ts'
import { deskRefusals } from './contract-desk.ts'
import type { PaidIntent, ProviderPayment, ProviderRefund } from './provider-state.ts'
import type { PurchaseRow, RefundRow } from './tables.ts'

export const CURRENCY = studio.currency.toLowerCase()

/** A statement holds 22 characters: the account's prefix (at most 10), `* ` and this. */
const SUFFIX_LENGTH = 10

/** The suffix on a card statement: words of the studio's name in capitals, with a letter as Stripe requires. */
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

/** Whether the amount a caller sent (number or text) is exactly the price. */
export function isPrice(amount: string | number, price: Pence): boolean {
  // More than two decimals is not an amount, whatever it rounds to.
  return /^\d+(\.\d{1,2}0*)?$/.test(String(amount)) && toPence(Number(amount).toFixed(2)) === price
}

/** Whether the provider collected exactly the amount requested, for this member and package. */
export function paysFor(
  paid: PaidIntent,
  expected: { amountPence: Pence; userId: string | null; packageId: number },
): boolean {
  return (
    paid.status === 'succeeded' &&
    paid.amount_received === expected.amountPence &&
    paid.currency === CURRENCY &&
    (expected.userId === null || paid.metadata.userId === expected.userId) &&
    paid.metadata.packageId === String(expected.packageId)
  )
}

/** Whether the intent can still be paid. */
export function isPayable(status: string): boolean {
  return ['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(status)
}

/** For how long a press keeps other tabs out: until the provider has it, and while the bank asks the member. */
const CONFIRMING = { sent: { minutes: 1 }, atTheBank: { minutes: 15 } }

/** Whether a payment that was confirmed at `confirmedAt` may still be on its way, by its state at the provider. */
export function isBeingPaid(
  confirmedAt: Temporal.Instant,
  atProvider: { status: string; last_payment_error: object | null },
  now: Temporal.Instant,
): boolean {
  const isWithin = (limit: { minutes: number }) => Temporal.Instant.compare(now, confirmedAt.add(limit)) < 0
  if (atProvider.status === 'requires_action') return isWithin(CONFIRMING.atTheBank)
  return isPayable(atProvider.status) && atProvider.last_payment_error === null && isWithin(CONFIRMING.sent)
}

/** Whether the pass ends: everything was refunded, or a dispute was lost. */
export function endsPass({ refunds, disputes }: ProviderPayment, amountPence: Pence): boolean {
  const refunded = refunds.filter(({ status }) => status !== 'failed').reduce((sum, { amount }) => sum + amount, 0)
  return refunded >= amountPence || disputes.some(({ status }) => status === 'lost')
}

/** The state of a payment as far as it decides when to poll it next. */
export type PollState = 'open' | 'processing' | 'moving' | 'settled' | 'over'

/** First and longest interval between polls, and for how long to poll. Our choice. */
const POLLS = {
  open: { first: { minutes: 1 }, longest: { hours: 6 }, last: { hours: 30 * 24 } },
  /** Payment methods that take days. */
  processing: { first: { minutes: 5 }, longest: { hours: 24 }, last: { hours: 30 * 24 } },
  /** A dispute is open, or a refund under way. */
  moving: { first: { hours: 1 }, longest: { hours: 24 }, last: { hours: 400 * 24 } },
  /** Banks may dispute a payment for some months. */
  settled: { first: { hours: 1 }, longest: { hours: 30 * 24 }, last: { hours: 180 * 24 } },
} as const
/** An unpaid intent is cancelled at the provider after a day. */
const ABANDONED_AFTER = { hours: 24 }

/**
 * When to poll the provider about a payment next, in case no webhook arrives: after about as long as has passed since
 * `since`, within limits; undefined after the last poll.
 *
 * @param since when the payment started, or was settled
 */
export function nextPollAt(
  state: PollState,
  since: Temporal.Instant,
  now: Temporal.Instant,
): Temporal.Instant | undefined {
  if (state === 'over') return undefined
  const { first, longest, last } = POLLS[state]
  if (Temporal.Instant.compare(now, since.add(last)) >= 0) return undefined
  const age = since.until(now).total('seconds')
  const most = Temporal.Duration.from(longest).total('seconds')
  const least = Temporal.Duration.from(first).total('seconds')
  const next = now.add({ seconds: Math.round(Math.min(most, Math.max(least, age))) })
  const latest = state === 'open' && !isAbandoned(since, now) ? since.add(ABANDONED_AFTER) : since.add(last)
  return Temporal.Instant.compare(next, latest) > 0 ? latest : next
}

/** Whether an intent has gone unpaid for a day. */
export function isAbandoned(createdAt: Temporal.Instant, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(createdAt.add(ABANDONED_AFTER), now) <= 0
}

/** The last instant of a refund by policy: the end of the day 14 days later. Source: docs/studio-rules.md#refunds */
export function refundableUntil(purchasedAt: Temporal.Instant): Temporal.Instant {
  return endOfDay(studioDate(purchasedAt).add({ days: studio.policies.refundDays }))
}

/** The last day of the right to cancel by law, 14 days after the purchase. Source: docs/studio-rules.md#refunds */
export function cancellableUntil(purchasedAt: Temporal.Instant): string {
  return studioDate(purchasedAt).add({ days: studio.policies.coolingOffDays }).toString()
}

/** Whether a purchase can still be cancelled by law at `now`. */
export function isCancellable(purchasedAt: Temporal.Instant, now: Temporal.Instant): boolean {
  return studioDate(now).toString() <= cancellableUntil(purchasedAt)
}

export type Refundable = {
  amountPence: Pence
  refundedPence: Pence
  lostPence: Pence
  purchasedAt: Temporal.Instant
  isDisputed: boolean
  voidedAt?: Temporal.Instant | null
}

/** A voucher that has not been redeemed counts as an unused pass without a fee: undefined once it has been. */
export function unredeemedPass(
  voucher: { classCount: number; redeemedAt: Temporal.Instant | null } | null | undefined,
) {
  if (!voucher || voucher.redeemedAt) return undefined
  const { classCount } = voucher
  return { creditsRemaining: classCount, creditsTotal: classCount, creditsCorrected: 0, isVoucher: true }
}

/**
 * What a refund by policy would return at `now`, or why it is refused: within 14 days, unused pass, once; less a fee of
 * 10 %, rounded in the member's favour. A voucher that has not been redeemed has no fee.
 * Source: docs/studio-rules.md#refunds
 *
 * @param pass undefined once the member is erased
 * @param isCancellation the member uses the right to cancel by law, so there is no fee
 */
export function policyRefund(
  purchase: Refundable,
  pass: { creditsRemaining: number; creditsTotal: number; isVoucher?: boolean } | undefined,
  now: Temporal.Instant,
  isCancellation = false,
): { pence: Pence } | { refusal: RefusalDefinition } {
  if (purchase.voidedAt) return { refusal: paymentRefusals.refund_sale_voided }
  if (purchase.amountPence === 0) return { refusal: paymentRefusals.refund_of_nothing }
  if (purchase.isDisputed) return { refusal: paymentRefusals.refund_while_disputed }
  if (purchase.refundedPence > 0) return { refusal: paymentRefusals.already_refunded }
  if (purchase.lostPence > 0) return { refusal: paymentRefusals.refund_payment_lost }
  if (!pass) return { refusal: paymentRefusals.refund_pass_deleted }
  if (pass.creditsRemaining !== pass.creditsTotal) return { refusal: paymentRefusals.refund_pass_used }
  if (Temporal.Instant.compare(now, refundableUntil(purchase.purchasedAt)) > 0) {
    return { refusal: paymentRefusals.refund_too_late }
  }
  if (pass.isVoucher || isCancellation) return { pence: purchase.amountPence }
  const fee = Math.floor((purchase.amountPence * studio.policies.refundFeePercent) / 100)
  return { pence: purchase.amountPence - fee }
}

/** The most that can be refunded at the owner's discretion. */
export function maxRefundable({ amountPence, refundedPence, lostPence, voidedAt }: Refundable): Pence {
  return voidedAt ? 0 : Math.max(0, amountPence - refundedPence - lostPence)
}

/**
 * What the owner must decide about a refund: how many credits a partial refund made at the provider takes, or how to
 * deal with a failed refund that was not replaced. Null when nothing is open.
 */
export function pendingDecision(
  refund: RefundRow,
  { all, hasPass }: { all: readonly RefundRow[]; hasPass: boolean },
): 'credits' | 'failed' | null {
  if (refund.answeredAt) return null
  if (refund.status === 'failed') {
    const isReplaced = all.some(({ id, status }) => id > refund.id && status !== 'failed')
    return isReplaced ? null : 'failed'
  }
  return refund.origin === 'provider' && hasPass ? 'credits' : null
}

/** What is left, after a refund, of the pass that was bought, or of its voucher while that has not been redeemed. */
export type AfterRefund =
  | ('ended' | 'fewer_credits' | 'kept' | 'none')
  | ('gift_ended' | 'gift_fewer_credits' | 'gift_kept')
  | ('voucher_void' | 'voucher_kept')

/**
 * @param refund.isWhole everything paid has been refunded; `isEnded`: the pass ended, with this refund or before;
 *   `isGiven`: another member holds the pass, by redeeming the voucher
 */
export function afterRefund(refund: {
  isWhole: boolean
  hasVoucher: boolean
  hasPass: boolean
  isGiven?: boolean
  isEnded: boolean
  creditsTaken?: number
}): AfterRefund {
  if (refund.hasVoucher) return refund.isWhole ? 'voucher_void' : 'voucher_kept'
  if (!refund.hasPass) return 'none'
  if (refund.isEnded) return refund.isGiven ? 'gift_ended' : 'ended'
  if (refund.creditsTaken) return refund.isGiven ? 'gift_fewer_credits' : 'fewer_credits'
  return refund.isGiven ? 'gift_kept' : 'kept'
}

/** The owner's notice about a refund made at the provider. While the pass is kept, its credits are to be decided. */
export function providerRefundNotice(after: AfterRefund, isWhole: boolean) {
  if (after === 'kept' || after === 'gift_kept') return 'partly_refunded_there'
  return isWhole ? 'refunded_there' : 'more_refunded_there'
}

/** Why a discretionary refund is refused. */
export function discretionaryRefundRefusal(purchase: Refundable, pence: Pence): RefusalDefinition | undefined {
  if (purchase.voidedAt) return paymentRefusals.refund_sale_voided
  if (purchase.amountPence === 0) return paymentRefusals.refund_of_nothing
  if (purchase.isDisputed) return paymentRefusals.refund_while_disputed
  if (maxRefundable(purchase) === 0) return paymentRefusals.already_refunded
  return pence > maxRefundable(purchase) ? paymentRefusals.refund_exceeds_payment : undefined
}

/**
 * Why a desk sale cannot be voided at `now`: only on its London day, while its pass is unused and nothing was refunded.
 * Source: docs/studio-rules.md#sales-at-the-desk
 *
 * @param pass `creditsCorrected`: the sum of its correction lines, as deleting a pass is not using it
 */
export function voidRefusal(
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

const isOurs = (row: RefundRow, refund: ProviderRefund) =>
  row.reference === refund.reference && row.amountPence === refund.amount

/** Matches the provider's refunds to our rows: by its id, or by our reference and amount while we lack the id. */
export function matchRefunds(
  rows: readonly RefundRow[],
  remote: readonly ProviderRefund[],
): ReadonlyMap<ProviderRefund, RefundRow> {
  const found = new Map<ProviderRefund, RefundRow>()
  for (const refund of remote) {
    const row =
      rows.find(({ providerId }) => providerId === refund.id) ??
      rows.find((each) => !each.providerId && isOurs(each, refund))
    if (row) found.set(refund, row)
  }
  return found
}

/** The provider's refund that a `decided` row has already become. */
export const findSentRefund = (row: RefundRow, remote: readonly ProviderRefund[]): ProviderRefund | undefined =>
  remote.find((refund) => isOurs(row, refund))
