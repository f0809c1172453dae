import { eq } from 'drizzle-orm'
import { recordAdminChange } from '#audit/server/audit.ts'
import { endPlacesPaidBy, lockPlacesPaidBy, offerFreedPlaces } from '#booking/server/booking.ts'
import { toPence } from '#foundation/amounts.ts'
import { defined } from '#foundation/collections.ts'
import { formatDate } from '#foundation/dates.ts'
import { endOfDay, today } from '#foundation/instants.ts'
import { type Pence, toDecimal } from '#foundation/money.ts'
import { refuse } from '#foundation/refusal.ts'
import { type CausedBy, endRefundedPass, passOfPurchaseForUpdate, takeCredits } from '#passes/server/passes.ts'
import { type PassRow, passes } from '#passes/tables.ts'
import { type Database, onlyRow, RetryTransaction, type Tx } from '#platform/database/database.ts'
import { voidVoucherOf, voucherOfPurchaseForUpdate } from '#vouchers/server/vouchers.ts'
import { BY_HAND_METHODS, DESK_METHODS, paymentRefusals } from '../contract.ts'
import { packageNameOf } from '../order-rules.ts'
import type { ProviderRefund } from '../provider-state.ts'
import {
  afterRefund,
  discretionaryRefundRefusal,
  isCancellable,
  matchRefunds,
  pendingDecision,
  policyRefund,
  providerRefundNotice,
  type Refundable,
  unredeemedPass,
} from '../rules.ts'
import { type PaymentIntentRow, type PurchaseRow, type RefundRow, refunds } from '../tables.ts'
import {
  buyerOf,
  notifyOfCreditsTaken,
  notifyOfFailedRefund,
  notifyOfRefund,
  notifyOwner,
  notifyRecipient,
  type Party,
  partyOf,
} from './notices.ts'
import type { Provider } from './provider.ts'
import { isOnPremises } from './purchases.ts'
import { disputesOf, findPurchase, intentForUpdate, purchaseRowForUpdate, refundsOf } from './queries.ts'

type Admin = { id: string }

/** As the email to the member names them. */
const BY_HAND_MAIL = { cash: 'cash', bank_transfer: 'bank_transfer', other: 'agreed' } as const

/** Without an amount (in pounds) the refund policy decides; `credits` are taken with a discretionary refund. */
type RefundOrder = {
  amount?: string | number | null
  reason?: string | null
  credits?: number | null
  /** The member uses the right to cancel by law. */
  isCancellation?: boolean | null
  byHand?: ByHand
}

/** How money was given back by hand, and on which London day. */
type ByHand = { method: NonNullable<RefundRow['method']>; paidOn: string }

type RefundTerms = { origin: 'rule' | 'owner'; pence: Pence; reason: string | null; credits: number }

/**
 * Decides a refund: takes credits by a ledger line, emails the member, and queues the job that sends the money; a desk
 * sale is refunded at the desk, and money given back by hand is only recorded. A full refund ends the pass and cancels
 * its bookings. Pass and payment are locked, so that concurrent refunds, bookings and disputes come before or after.
 */
export async function refundPurchase(tx: Tx, admin: Admin, id: number, order: RefundOrder, now: Temporal.Instant) {
  const pass = await lockPassToEnd(tx, id, now)
  const { intent, purchase } = await purchaseForUpdate(tx, id)
  const isDisputed = intent !== undefined && (await disputesOf(tx, intent.id)).some(({ status }) => status === 'open')
  const voucher = await voucherOfPurchaseForUpdate(tx, id)
  // It was redeemed in the meantime: its pass is locked first.
  if (!pass && voucher?.passId) throw new RetryTransaction()
  const terms = termsOf(order, { ...purchase, isDisputed }, { pass, unredeemed: unredeemedPass(voucher) }, now)
  const buyer = await buyerOf(tx, purchase)
  const isGiven = pass !== undefined && pass.userId !== purchase.userId
  const isWhole = terms.origin === 'rule' || purchase.refundedPence + terms.pence === purchase.amountPence

  const taken = isWhole ? (pass?.creditsRemaining ?? 0) : terms.credits
  await insertRefund(tx, purchase, { ...terms, credits: taken, byHand: order.byHand }, now)
  const causedBy = { by: 'admin' as const, id: admin.id }
  if (isWhole) await endPass(tx, id, { causedBy, reason: 'The purchase was refunded', now })
  else if (pass) {
    const reason = 'Part of the purchase was refunded'
    await takeCredits(tx, pass, { credits: terms.credits, causedBy, reason, now })
    await notifyOfCreditsTaken(tx, pass, purchase, terms.credits)
  }
  const feePence = terms.origin === 'rule' ? purchase.amountPence - terms.pence : 0
  const after = afterRefund({
    isWhole,
    hasVoucher: voucher !== undefined && !pass,
    hasPass: pass !== undefined,
    isGiven,
    isEnded: isWhole || pass?.refundedAt != null,
    creditsTaken: terms.credits,
  })
  const paid = { ...paidWith(purchase, intent), ...(order.byHand && { deskMethod: BY_HAND_MAIL[order.byHand.method] }) }
  await notifyOfRefund(tx, buyer, paid, { amountPence: terms.pence, feePence, pass: after })
  const changes = {
    package: { after: buyer.packageName },
    refunded: { after: toDecimal(terms.pence) },
    ...(order.byHand && {
      method: { after: `${BY_HAND_METHODS[order.byHand.method]}, ${formatDate(order.byHand.paidOn)}` },
    }),
    ...(terms.reason === null ? {} : { reason: { after: terms.reason } }),
    ...(terms.credits === 0 ? {} : { credits: { after: -terms.credits } }),
  }
  await recordAdminChange(tx, admin, { action: 'refunded', subject: { kind: 'purchase', id }, changes }, now)
}

function termsOf(
  { amount, reason, credits, isCancellation, byHand }: RefundOrder,
  purchase: PurchaseRow & Refundable,
  { pass, unredeemed }: { pass: PassRow | undefined; unredeemed: ReturnType<typeof unredeemedPass> },
  now: Temporal.Instant,
): RefundTerms {
  if (amount == null) {
    const mayCancel = !isOnPremises(purchase) && isCancellable(purchase.purchasedAt, now)
    if (isCancellation && !mayCancel) refuse(paymentRefusals.no_right_to_cancel)
    const terms = policyRefund(purchase, pass ?? unredeemed, now, isCancellation ?? false)
    if ('refusal' in terms) refuse(terms.refusal)
    return { origin: 'rule', pence: terms.pence, reason: null, credits: 0 }
  }
  const pence = toPence(amount)
  const refusal = discretionaryRefundRefusal(purchase, pence)
  if (refusal) refuse(refusal, byHand && [{ path: 'amount', message: refusal.message }])
  if (byHand) refuseDay(purchase, byHand.paidOn, now)
  const taken = credits ?? 0
  if (taken > (pass?.creditsRemaining ?? 0)) refuse(paymentRefusals.insufficient_credits)
  return { origin: 'owner', pence, reason: reason ?? null, credits: taken }
}

function refuseDay({ purchasedAt }: PurchaseRow, paidOn: string, now: Temporal.Instant): void {
  if (paidOn >= today(purchasedAt) && paidOn <= today(now)) return
  const refusal = paymentRefusals.refund_day_impossible
  refuse(refusal, [{ path: 'paidOn', message: refusal.message }])
}

function paidWith({ amountPence, deskMethod }: PurchaseRow, intent: PaymentIntentRow | undefined) {
  if (deskMethod) return { pence: amountPence, method: DESK_METHODS[deskMethod], deskMethod }
  return { pence: intent?.paidPence ?? amountPence, method: intent?.method ?? null }
}

async function insertRefund(
  tx: Tx,
  purchase: PurchaseRow,
  { byHand, ...terms }: RefundTerms & { byHand: ByHand | undefined },
  now: Temporal.Instant,
): Promise<void> {
  const isDone = purchase.deskMethod !== null || byHand !== undefined
  const at = byHand && byHand.paidOn !== today(now) ? endOfDay(Temporal.PlainDate.from(byHand.paidOn)) : now
  const refund = await tx
    .insert(refunds)
    .values({
      paymentIntentId: byHand ? null : purchase.paymentIntentId,
      method: byHand?.method ?? null,
      purchaseId: purchase.id,
      origin: terms.origin,
      amountPence: terms.pence,
      ...(isDone ? { status: 'succeeded', sentAt: at, settledAt: at } : { status: 'decided' }),
      reason: terms.reason,
      creditsTaken: terms.credits,
      createdAt: at,
    })
    .returning({ id: refunds.id })
    .then(onlyRow)
  if (!isDone) await tx.enqueue('send-refund', { refundId: refund.id })
}

/** Locks a purchase's payment (or, for a desk sale, the purchase itself) and reads the purchase. */
async function purchaseForUpdate(
  tx: Tx,
  id: number,
): Promise<{ intent: PaymentIntentRow | undefined; purchase: PurchaseRow }> {
  const found = (await findPurchase(tx, id)) ?? refuse(paymentRefusals.purchase_not_found)
  const intent = found.paymentIntentId === null ? undefined : await intentForUpdate(tx, found.paymentIntentId)
  const purchase = await (intent ? findPurchase(tx, id) : purchaseRowForUpdate(tx, id))
  return { intent, purchase: purchase ?? refuse(paymentRefusals.purchase_not_found) }
}

/**
 * Records the owner's decision about a refund, once: how many credits a partial refund at the provider takes, or that a
 * failed one has been dealt with. Returns the purchase's id.
 */
export async function decideRefund(
  tx: Tx,
  admin: { id: string },
  refundId: number,
  { credits }: { credits?: number | null },
  now: Temporal.Instant,
): Promise<number> {
  const [found] = await tx.select().from(refunds).where(eq(refunds.id, refundId))
  const purchaseId = found?.purchaseId ?? refuse(paymentRefusals.refund_not_found)
  const pass = await passOfPurchaseForUpdate(tx, purchaseId)
  const { intent, purchase } = await purchaseForUpdate(tx, purchaseId)
  // A desk refund needs no decision.
  if (!intent) refuse(paymentRefusals.refund_already_decided)
  const all = await refundsOf(tx, intent.id)
  const refund = all.find(({ id }) => id === refundId) ?? refuse(paymentRefusals.refund_not_found)
  const decision = pendingDecision(refund, { all, hasPass: pass !== undefined && !pass.refundedAt })
  if (!decision) refuse(paymentRefusals.refund_already_decided)

  const taken = decision === 'credits' ? (credits ?? 0) : 0
  if (taken > (pass?.creditsRemaining ?? 0)) refuse(paymentRefusals.insufficient_credits)
  const cause = { causedBy: { by: 'admin' as const, id: admin.id }, reason: 'Part of the purchase was refunded' }
  if (pass) await takeCredits(tx, pass, { credits: taken, ...cause, now })
  if (pass) await notifyOfCreditsTaken(tx, pass, purchase, taken)
  const creditsTaken = decision === 'credits' ? taken : refund.creditsTaken
  await tx.update(refunds).set({ answeredAt: now, creditsTaken }).where(eq(refunds.id, refundId))
  const changes = {
    package: { after: packageNameOf(purchase) },
    refunded: { after: toDecimal(refund.amountPence) },
    credits: { after: -taken },
  }
  const subject = { kind: 'purchase' as const, id: purchaseId }
  await recordAdminChange(tx, admin, { action: 'refund_decided', subject, changes }, now)
  return purchaseId
}

/**
 * Sends a decided refund. May run twice and after any crash, as the provider is first asked whether it has it already.
 * One that the provider will never make is marked as failed, and member and owner are emailed.
 */
export async function sendRefund(database: Database, provider: Provider, refundId: number, now: Temporal.Instant) {
  const [waiting] = await database.db.select().from(refunds).where(eq(refunds.id, refundId))
  if (waiting?.status !== 'decided') return
  const { paymentIntentId } = waiting
  if (paymentIntentId === null) return
  const response = await provider.refund({ ...waiting, paymentIntentId })
  await database.transaction(async (tx) => {
    const intent = await intentForUpdate(tx, paymentIntentId)
    const [row] = await tx.select().from(refunds).where(eq(refunds.id, refundId))
    if (!intent || row?.status !== 'decided') return
    const party = await partyOf(tx, intent)
    if ('refused' in response) await markFailed(tx, party, row, response.refused, now)
    else await updateRefund(tx, party, row, response, now)
  })
}

/** Failures after which the member has the money anyway. */
const ALREADY_BACK = ['refunded_at_the_provider', 'charge_already_refunded']

/**
 * A locked payment with its member and purchase. `hasVoucher`: a gift that is neither redeemed nor void; `isGiven`: one
 * that another member has redeemed.
 */
export type LockedPayment = {
  party: Party
  purchase: PurchaseRow | undefined
  hasPass: boolean
  isGiven: boolean
  hasVoucher: boolean
}

/**
 * Updates our refunds of a (locked) payment from the provider's. Any that {@link matchRefunds} does not match was made
 * in the provider's dashboard; those not seen before are returned.
 */
export async function applyRefunds(
  tx: Tx,
  locked: LockedPayment,
  remote: readonly ProviderRefund[],
  now: Temporal.Instant,
): Promise<ProviderRefund[]> {
  const { intent } = locked.party
  const rows = await refundsOf(tx, intent.id)
  const known = matchRefunds(rows, remote)
  const made: ProviderRefund[] = []
  // Failed ones first: they may have been replaced.
  const inOrder = [...remote].sort((a, b) => Number(b.status === 'failed') - Number(a.status === 'failed'))
  await withdrawUncovered(tx, locked.party, { rows, remote, known: new Set(known.values()) }, now)
  for (const refund of inOrder) {
    const row = known.get(refund)
    if (row) await updateRefund(tx, locked.party, row, refund, now)
    else if (await insertProviderRefund(tx, locked, refund, now)) made.push(refund)
  }
  return made
}

/** Records the new status of a known refund; a failed one stays failed. */
async function updateRefund(
  tx: Tx,
  party: Party,
  row: RefundRow,
  refund: Pick<ProviderRefund, 'id' | 'status' | 'failure'>,
  now: Temporal.Instant,
): Promise<void> {
  if (row.status === 'failed' || (row.status === refund.status && row.providerId)) return
  const status = row.status === 'succeeded' && refund.status === 'pending' ? 'succeeded' : refund.status
  const isSettledNow = status !== row.status && status !== 'pending'
  await tx
    .update(refunds)
    .set({
      providerId: refund.id,
      status,
      failure: refund.failure,
      sentAt: row.sentAt ?? now,
      settledAt: isSettledNow ? now : row.settledAt,
    })
    .where(eq(refunds.id, row.id))
  if (status === 'failed') await notifyOfFailedRefund(tx, party, { ...row, failure: refund.failure ?? 'unknown' })
}

/** Marks a refund as failed. If everything was refunded at the provider already, only the owner is emailed. */
async function markFailed(tx: Tx, party: Party, row: RefundRow, failure: string, now: Temporal.Instant): Promise<void> {
  const isMissed = !ALREADY_BACK.includes(failure)
  const answeredAt = isMissed ? null : now
  await tx.update(refunds).set({ status: 'failed', failure, settledAt: now, answeredAt }).where(eq(refunds.id, row.id))
  if (!isMissed) return await notifyOwner(tx, party, 'refund_not_needed', { amountPence: row.amountPence })
  await notifyOfFailedRefund(tx, party, { ...row, failure })
}

/** @returns false for a failed refund: it took nothing from the member */
async function insertProviderRefund(
  tx: Tx,
  locked: LockedPayment,
  refund: ProviderRefund,
  now: Temporal.Instant,
): Promise<boolean> {
  const { party, purchase } = locked
  const { status, failure } = refund
  await tx.insert(refunds).values({
    paymentIntentId: party.intent.id,
    purchaseId: purchase?.id ?? null,
    providerId: refund.id,
    origin: 'provider',
    amountPence: refund.amount,
    status,
    failure,
    createdAt: refund.createdAt,
    sentAt: refund.createdAt,
    settledAt: status === 'pending' ? null : now,
  })
  if (failure === null) return true
  const detail = failure.replaceAll('_', ' ')
  await notifyOwner(tx, party, 'refund_failed', { amountPence: refund.amount, detail, isMemberNotified: false })
  return false
}

/** Withdraws unsent refunds that refunds at the provider leave too little money for. */
async function withdrawUncovered(
  tx: Tx,
  party: Party,
  refunds: { rows: readonly RefundRow[]; remote: readonly ProviderRefund[]; known: ReadonlySet<RefundRow> },
  now: Temporal.Instant,
): Promise<void> {
  const waiting = refunds.rows.filter((row) => row.status === 'decided' && !refunds.known.has(row))
  let left = paidFor(party) - total(refunds.remote)
  for (const row of waiting) {
    if (row.amountPence <= left) left -= row.amountPence
    else await markFailed(tx, party, row, left > 0 ? 'too_little_is_left' : 'refunded_at_the_provider', now)
  }
}

const paidFor = ({ intent }: Party): Pence => intent.paidPence ?? intent.amountPence
const total = (all: readonly { status: string; amount: Pence }[]): Pence =>
  all.filter(({ status }) => status !== 'failed').reduce((sum, { amount }) => sum + amount, 0)

/** Emails member and owner about refunds made at the provider; after a partial one the owner decides about credits. */
export async function notifyOfProviderRefunds(
  tx: Tx,
  { party, hasPass, isGiven, hasVoucher }: LockedPayment,
  made: readonly ProviderRefund[],
  ended: { isEnded: boolean; bookings: number },
): Promise<void> {
  const rows = await refundsOf(tx, party.intent.id)
  const isWhole = total(rows.map(({ status, amountPence }) => ({ status, amount: amountPence }))) >= paidFor(party)
  for (const [index, refund] of made.entries()) {
    const pass = afterRefund({ isWhole, hasVoucher, hasPass, isGiven, isEnded: ended.isEnded })
    const paid = { pence: paidFor(party), method: party.intent.method }
    await notifyOfRefund(tx, party, paid, { amountPence: refund.amount, pass })
    const bookings = index === 0 ? ended.bookings : 0
    await notifyOwner(tx, party, providerRefundNotice(pass, isWhole), { amountPence: refund.amount, bookings, hasPass })
  }
}

/** Locks everything that ending a purchase's pass touches, classes before passes. Undefined once a member is erased. */
export async function lockPassToEnd(tx: Tx, purchaseId: number, now: Temporal.Instant): Promise<PassRow | undefined> {
  const [pass] = await tx.select().from(passes).where(eq(passes.purchaseId, purchaseId))
  if (pass) await lockPlacesPaidBy(tx, pass, now)
  return await passOfPurchaseForUpdate(tx, purchaseId)
}

/**
 * Ends a pass whose money was refunded or lost, or voids its voucher if that has not been redeemed: cancels its
 * upcoming bookings, takes its credits and offers the places. Everything is locked ({@link lockPassToEnd}). Returns how
 * many places were cancelled.
 */
export async function endPass(
  tx: Tx,
  purchaseId: number,
  cause: { causedBy: CausedBy; reason: string; now: Temporal.Instant },
): Promise<number> {
  const { now } = cause
  await voidVoucherOf(tx, purchaseId, now)
  const pass = await passOfPurchaseForUpdate(tx, purchaseId)
  if (!pass || pass.refundedAt) return 0
  const { places, classIds } = await endPlacesPaidBy(tx, pass.id, cause)
  const left = (await passOfPurchaseForUpdate(tx, purchaseId)) ?? pass
  await endRefundedPass(tx, left, cause)
  const sold = defined(await findPurchase(tx, purchaseId))
  if (sold.userId !== pass.userId) await notifyRecipient(tx, pass, packageNameOf(sold), 'pass-ended')
  await offerFreedPlaces(tx, classIds, now)
  return places
}
