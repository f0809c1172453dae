import { and, eq } from 'drizzle-orm'
import { defined } from '#foundation/collections.ts'
import { passOfPurchaseForUpdate } from '#passes/server/passes.ts'
import type { PassRow } from '#passes/tables.ts'
import type { Database, Tx } from '#platform/database/database.ts'
import type { PaidIntent, ProviderPayment } from '../provider-state.ts'
import { type Asked, endsPass, isAbandoned, isPayable, nextLookAt } from '../rules.ts'
import { type PaymentIntentRow, paymentIntents } from '../tables.ts'
import { memberForUpdate, settlePaid } from './activate-purchase.ts'
import { applyDisputes, applyWarnings, holdPass, notifyOfDisputes } from './disputes.ts'
import { notifyMember, notifyOwner, partyOf } from './notices.ts'
import type { Provider } from './provider.ts'
import { disputesOf, findIntent, intentForUpdate, purchaseOfIntent, refundsOf } from './queries.ts'
import { applyRefunds, endPass, type Locked, lockPassToEnd, notifyOfProviderRefunds } from './refunds.ts'

const ATTEMPTS = 5

/**
 * Brings a payment to what the provider says of it now: paid becomes a purchase, refunds and disputes made there become
 * ours, the pass follows. Whoever asks, how often and in which order, ends in the same state. What is read is not written
 * when somebody else wrote meanwhile: then it is read again, so nothing older overwrites what is newer.
 *
 * @param options.whole also asks for refunds and disputes that the charge does not hint at
 * @param options.mayAbandon ends at the provider what nobody paid within a day
 */
export async function syncPayment(
  database: Database,
  provider: Provider,
  id: string,
  now: Temporal.Instant,
  options: { whole: boolean; mayAbandon?: boolean },
): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const seen = await findIntent(database.db, id)
    if (!seen) return
    const remote = await readProvider(provider, seen, now, options)
    if (seen.state === 'open' && remote && isPayable(remote.intent.status)) return await putOff(database, seen, now)
    if (await database.transaction((tx) => applyProvider(tx, seen, remote, now))) return
  }
  throw new Error(`payment ${id} kept changing while it was read`)
}

/** Brings a purchase that nobody else can write meanwhile to what the provider says of it, as {@link syncPayment} does. */
export async function followPurchase(tx: Tx, provider: Provider, id: string, now: Temporal.Instant): Promise<void> {
  const seen = await findIntent(tx, id)
  if (seen) await applyProvider(tx, seen, await provider.read(id, { whole: true }), now)
}

/** Nobody has paid yet: nothing to write but when to ask again. */
async function putOff(database: Database, { id, createdAt }: PaymentIntentRow, now: Temporal.Instant): Promise<void> {
  const nextLook = nextLookAt('open', createdAt, now) ?? null
  const still = and(eq(paymentIntents.id, id), eq(paymentIntents.state, 'open'))
  await database.db.update(paymentIntents).set({ nextLookAt: nextLook, unreadSince: null }).where(still)
}

async function readProvider(
  provider: Provider,
  seen: PaymentIntentRow,
  now: Temporal.Instant,
  { whole, mayAbandon }: { whole: boolean; mayAbandon?: boolean },
): Promise<ProviderPayment | undefined> {
  const remote = await provider.read(seen.id, { whole })
  if (!remote || !mayAbandon || !isPayable(remote.intent.status) || !isAbandoned(seen.createdAt, now)) return remote
  const intent = await provider.abandon(seen.id)
  return intent && { ...remote, intent }
}

/** @returns false when the payment was written since it was seen */
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
  // Bought meanwhile: its pass would now be locked after the payment, and whoever locks both in order would wait for us.
  if (intent.state === 'purchased' && seen.state !== 'purchased') return false
  const { version } = intent
  await tx
    .update(paymentIntents)
    .set({ version: version + 1 })
    .where(eq(paymentIntents.id, intent.id))

  if (remote?.intent.status === 'succeeded') await settlePaid(tx, intent, { member, paid: remote.intent }, now)
  else await settleUnpaid(tx, intent, remote?.intent, now)
  if (remote) await follow(tx, intent.id, remote, pass, now)
  await planNextLook(tx, intent.id, now)
  return true
}

/** Classes and passes come before the payment in the one lock order; nobody else's when the pass only stays or freezes. */
async function lockPass(
  tx: Tx,
  seen: PaymentIntentRow,
  remote: ProviderPayment | undefined,
  now: Temporal.Instant,
): Promise<PassRow | undefined> {
  const purchase = await purchaseOfIntent(tx, seen.id)
  if (!purchase) return undefined
  const mayEnd = remote !== undefined && endsPass(remote, purchase.amountPence)
  return await (mayEnd ? lockPassToEnd(tx, purchase.id, now) : passOfPurchaseForUpdate(tx, purchase.id))
}

/** What has not been paid: on its way, failed after it was, still to be made, or over. */
async function settleUnpaid(
  tx: Tx,
  intent: PaymentIntentRow,
  remote: PaidIntent | undefined,
  now: Temporal.Instant,
): Promise<void> {
  const wasUnderway = intent.state === 'processing'
  if (intent.state !== 'open' && !wasUnderway) return
  const status = remote?.status
  if (status === 'processing') return await move(tx, intent, { state: 'processing', settledAt: null })
  if (status && isPayable(status)) await move(tx, intent, { state: 'open', settledAt: null })
  else await move(tx, intent, { state: 'cancelled', settledAt: now })
  if (wasUnderway) await notifyMember(tx, await partyOf(tx, intent), 'payment-failed')
}

async function move(tx: Tx, { id }: PaymentIntentRow, to: Pick<PaymentIntentRow, 'state' | 'settledAt'>) {
  await tx.update(paymentIntents).set(to).where(eq(paymentIntents.id, id))
}

/** Refunds, disputes and warnings, and what they mean for the pass. */
async function follow(
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
  const party = await partyOf(tx, intent)
  const locked: Locked = { party, purchase, isPassLeft: pass !== undefined && !pass.refundedAt }

  const made = await applyRefunds(tx, locked, remote.refunds, now)
  const moved = await applyDisputes(tx, locked, remote.disputes, now)
  await applyWarnings(tx, party, remote.warnings)
  const isEnded = locked.isPassLeft && purchase !== undefined && endsPass(remote, purchase.amountPence)
  await holdPass(tx, locked, { isEnded, now })
  const isLost = remote.disputes.some(({ status }) => status === 'lost')
  const reason = isLost ? 'The bank took the payment back' : 'The payment was refunded'
  const cause = { causedBy: { by: 'provider' as const }, reason, now }
  const bookings = isEnded && purchase ? await endPass(tx, purchase.id, cause) : 0
  if (isEnded && isLost) await notifyMember(tx, party, 'pass-ended')
  await notifyOfProviderRefunds(tx, locked, made, { isEnded, bookings })
  await notifyOfDisputes(tx, locked, moved, bookings)
}

/** When to ask again; of a payment that is still on its way when the asking ends, the owner is told. */
async function planNextLook(tx: Tx, id: string, now: Temporal.Instant): Promise<void> {
  const intent = defined(await findIntent(tx, id))
  const nextLook = nextLookAt(await askedOf(tx, intent), intent.settledAt ?? intent.createdAt, now) ?? null
  await tx.update(paymentIntents).set({ nextLookAt: nextLook, unreadSince: null }).where(eq(paymentIntents.id, id))
  if (nextLook === null && intent.state === 'processing' && intent.nextLookAt) {
    await notifyOwner(tx, await partyOf(tx, intent), 'still_processing', { amountPence: intent.amountPence })
  }
}

async function askedOf(tx: Tx, { id, state }: PaymentIntentRow): Promise<Asked> {
  if (state === 'open' || state === 'processing') return state
  if (state === 'cancelled') return 'over'
  const isMoving = (await refundsOf(tx, id)).some(({ status }) => status === 'decided' || status === 'pending')
  const isDisputed = (await disputesOf(tx, id)).some(({ status }) => status === 'open' || status === 'inquiry')
  return isMoving || isDisputed ? 'moving' : 'settled'
}
