import { and, eq } from 'drizzle-orm'
import { defined } from '#foundation/collections.ts'
import { passOfPurchaseForUpdate } from '#passes/server/passes.ts'
import type { PassRow } from '#passes/tables.ts'
import { type Database, RetryTransaction, type Tx } from '#platform/database/database.ts'
import { dropReservedVoucher, voidVoucherOf, voucherOfPurchaseForUpdate } from '#vouchers/server/vouchers.ts'
import { isGift } from '../order-rules.ts'
import type { PaidIntent, ProviderPayment } from '../provider-state.ts'
import { endsPass, isAbandoned, isPayable, nextPollAt, type PollState } from '../rules.ts'
import { type PaymentIntentRow, type PurchaseRow, paymentIntents } from '../tables.ts'
import { memberForUpdate, settlePaid } from './activate-purchase.ts'
import { releaseUse } from './codes.ts'
import { applyDisputes, applyWarnings, freezeOrThawPass, notifyOfDisputes } from './disputes.ts'
import { notifyMember, notifyOwner, partyOf } from './notices.ts'
import type { Provider } from './provider.ts'
import { disputesOf, findIntent, intentForUpdate, purchaseOfIntent, refundsOf } from './queries.ts'
import { applyRefunds, endPass, type LockedPayment, lockPassToEnd, notifyOfProviderRefunds } from './refunds.ts'

const ATTEMPTS = 5

/**
 * Brings a payment up to date with the provider: a paid one becomes a purchase, refunds and disputes are recorded, the
 * pass follows. The result does not depend on who calls it, how often or in which order: if the payment was written
 * since it was read, the provider is read again, so stale data never overwrites newer data.
 *
 * @param options.full also fetches refunds and disputes that the charge does not show
 * @param options.mayAbandon cancels a payment at the provider that was not paid within a day
 * @param options.isPriceOver cancels an unpaid payment at the provider, as its price no longer holds
 */
export async function syncPayment(
  database: Database,
  provider: Provider,
  id: string,
  now: Temporal.Instant,
  options: { full: boolean; mayAbandon?: boolean; isPriceOver?: boolean },
): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const seen = await findIntent(database.db, id)
    if (!seen) return
    const remote = await readProvider(provider, seen, now, options)
    if (seen.state === 'open' && remote && isPayable(remote.intent.status)) return await postpone(database, seen, now)
    if (await database.transaction((tx) => applyProvider(tx, seen, remote, now))) return
  }
  throw new Error(`payment ${id} kept changing while it was read`)
}

/** {@link syncPayment} inside a transaction, for a payment that no other process can change. */
export async function syncPaymentInTransaction(tx: Tx, provider: Provider, id: string, now: Temporal.Instant) {
  const seen = await findIntent(tx, id)
  if (seen) await applyProvider(tx, seen, await provider.read(id, { full: true }), now)
}

/** Still unpaid: only the next poll is written. */
async function postpone(database: Database, { id, createdAt }: PaymentIntentRow, now: Temporal.Instant): Promise<void> {
  const nextPoll = nextPollAt('open', createdAt, now) ?? null
  const still = and(eq(paymentIntents.id, id), eq(paymentIntents.state, 'open'))
  await database.db.update(paymentIntents).set({ nextPollAt: nextPoll, unreadSince: null }).where(still)
}

async function readProvider(
  provider: Provider,
  seen: PaymentIntentRow,
  now: Temporal.Instant,
  { full, mayAbandon, isPriceOver }: { full: boolean; mayAbandon?: boolean; isPriceOver?: boolean },
): Promise<ProviderPayment | undefined> {
  const remote = await provider.read(seen.id, { full })
  const isOver = isPriceOver || (mayAbandon && isAbandoned(seen.createdAt, now))
  if (!remote || !isOver || !isPayable(remote.intent.status)) return remote
  const intent = await provider.cancel(seen.id)
  return intent && { ...remote, intent }
}

/** @returns false if the payment was written since `seen` was read */
async function applyProvider(
  tx: Tx,
  seen: PaymentIntentRow,
  remote: ProviderPayment | undefined,
  now: Temporal.Instant,
): Promise<boolean> {
  const pass = await lockPass(tx, seen, remote, now)
  const member = await memberForUpdate(tx, seen)
  const intent = await intentForUpdate(tx, seen.id)
  if (!intent || intent.version !== seen.version) return false
  // Purchased since: its pass would now be locked after the payment, against the lock order.
  if (intent.state === 'purchased' && seen.state !== 'purchased') return false
  const { version } = intent
  await tx
    .update(paymentIntents)
    .set({ version: version + 1 })
    .where(eq(paymentIntents.id, intent.id))

  if (remote?.intent.status === 'succeeded') {
    const { outcome } = await settlePaid(tx, intent, { member, paid: remote.intent }, now)
    // A new purchase has its next poll already, and usually nothing has followed yet.
    const hasFollowed = [remote.refunds, remote.disputes, remote.warnings].some(({ length }) => length > 0)
    if (outcome === 'activated' && !hasFollowed) return true
  } else await settleUnpaid(tx, intent, remote?.intent, now)
  if (remote) await applyHistory(tx, intent.id, remote, pass, now)
  await scheduleNextPoll(tx, intent.id, now)
  return true
}

/** Classes and passes come before the payment in the lock order; only ending a pass touches other members' rows. */
async function lockPass(
  tx: Tx,
  seen: PaymentIntentRow,
  remote: ProviderPayment | undefined,
  now: Temporal.Instant,
): Promise<PassRow | undefined> {
  const purchase = await purchaseOfIntent(tx, seen.id)
  if (!purchase) return undefined
  const ends = remote !== undefined && (await endsPassOf(tx, purchase, remote))
  return await (ends ? lockPassToEnd(tx, purchase.id, now) : passOfPurchaseForUpdate(tx, purchase.id))
}

/** What was given back by hand is not refunded at the provider as well. */
async function endsPassOf(
  tx: Tx,
  { amountPence, paymentIntentId }: PurchaseRow,
  remote: ProviderPayment,
): Promise<boolean> {
  if (remote.refunds.length === 0) return endsPass(remote, amountPence)
  const byHand = (await refundsOf(tx, paymentIntentId ?? '')).filter(({ method }) => method !== null)
  return endsPass(remote, amountPence - byHand.reduce((sum, refund) => sum + refund.amountPence, 0))
}

/** An unpaid payment: processing, failed after processing, still payable, or cancelled. */
async function settleUnpaid(
  tx: Tx,
  intent: PaymentIntentRow,
  remote: PaidIntent | undefined,
  now: Temporal.Instant,
): Promise<void> {
  const wasUnderway = intent.state === 'processing'
  if (intent.state !== 'open' && !wasUnderway) return
  const status = remote?.status
  if (status === 'processing') return await setState(tx, intent, { state: 'processing', settledAt: null })
  if (status && isPayable(status)) await setState(tx, intent, { state: 'open', settledAt: null })
  else {
    await setState(tx, intent, { state: 'cancelled', settledAt: now })
    if (intent.promotionCodeId) await releaseUse(tx, intent.id)
    if (isGift(intent)) await dropReservedVoucher(tx, intent.id)
  }
  if (wasUnderway) await notifyMember(tx, await partyOf(tx, intent), 'payment-failed')
}

async function setState(tx: Tx, { id }: PaymentIntentRow, to: Pick<PaymentIntentRow, 'state' | 'settledAt'>) {
  await tx.update(paymentIntents).set(to).where(eq(paymentIntents.id, id))
}

/** Records refunds, disputes and warnings, and lets the pass follow. */
async function applyHistory(
  tx: Tx,
  id: string,
  remote: ProviderPayment,
  before: PassRow | undefined,
  now: Temporal.Instant,
): Promise<void> {
  if (remote.intent.status !== 'succeeded') return
  const intent = defined(await findIntent(tx, id))
  const purchase = await purchaseOfIntent(tx, id)
  const pass = before ?? (purchase && (await passOfPurchaseForUpdate(tx, purchase.id)))
  const voucher = purchase && isGift(intent) ? await voucherOfPurchaseForUpdate(tx, purchase.id) : undefined
  // It was redeemed in the meantime: its pass is locked first.
  if (voucher?.passId && !before) throw new RetryTransaction()
  const party = await partyOf(tx, intent)
  const locked: LockedPayment = {
    party,
    purchase,
    hasPass: pass !== undefined && !pass.refundedAt,
    isGiven: pass !== undefined && pass.userId !== intent.userId,
    hasVoucher: voucher !== undefined && !voucher.redeemedAt && !voucher.voidedAt,
  }

  const made = await applyRefunds(tx, locked, remote.refunds, now)
  const changed = await applyDisputes(tx, locked, remote.disputes, now)
  await applyWarnings(tx, party, remote.warnings)
  const ends = purchase !== undefined && (await endsPassOf(tx, purchase, remote))
  const isEnded = locked.hasPass && ends
  await freezeOrThawPass(tx, locked, { isEnded: ends, now })
  const isLost = remote.disputes.some(({ status }) => status === 'lost')
  const reason = isLost ? 'The bank took the payment back' : 'The payment was refunded'
  const cause = { causedBy: { by: 'provider' as const }, reason, now }
  const isVoucher = ends && (await voidVoucherOf(tx, purchase.id, now))
  const bookings = isEnded && purchase ? await endPass(tx, purchase.id, cause) : 0
  // The holder of a pass that was a gift is emailed however it ends, and its buyer about a refund.
  if (isLost && (isVoucher || isEnded))
    await notifyMember(tx, party, 'pass-ended', { isVoucher, isGiven: locked.isGiven })
  await notifyOfProviderRefunds(tx, locked, made, { isEnded, bookings })
  await notifyOfDisputes(tx, locked, changed, bookings)
}

/** When the last poll finds a payment still processing, the owner is emailed. */
async function scheduleNextPoll(tx: Tx, id: string, now: Temporal.Instant): Promise<void> {
  const intent = defined(await findIntent(tx, id))
  const nextPoll = nextPollAt(await pollStateOf(tx, intent), intent.settledAt ?? intent.createdAt, now) ?? null
  await tx.update(paymentIntents).set({ nextPollAt: nextPoll, unreadSince: null }).where(eq(paymentIntents.id, id))
  if (nextPoll === null && intent.state === 'processing' && intent.nextPollAt) {
    await notifyOwner(tx, await partyOf(tx, intent), 'still_processing', { amountPence: intent.amountPence })
  }
}

async function pollStateOf(tx: Tx, { id, state }: PaymentIntentRow): Promise<PollState> {
  if (state === 'open' || state === 'processing') return state
  if (state === 'cancelled') return 'over'
  const isMoving = (await refundsOf(tx, id)).some(({ status }) => status === 'decided' || status === 'pending')
  const isDisputed = (await disputesOf(tx, id)).some(({ status }) => status === 'open' || status === 'inquiry')
  return isMoving || isDisputed ? 'moving' : 'settled'
}
