import { and, asc, eq, inArray, isNull, notInArray, or } from 'drizzle-orm'
import { refuse } from '../../foundation/refusal.ts'
import { packages } from '../../packages/tables.ts'
import type { Reader, Tx } from '../../platform/database/database.ts'
import { paymentRefusals } from '../contract.ts'
import type { BeginOffer } from '../contract-begin.ts'
import { FACE_TO_FACE } from '../contract-desk.ts'
import { cancellableUntil, isCancellable } from '../rules.ts'
import { paymentIntents, purchases } from '../tables.ts'
import { intentForUpdate } from './queries.ts'

/** Bought from afar, nothing of it went back, and nobody has asked yet. */
const mayAsk = (userId: string) =>
  and(
    eq(purchases.userId, userId),
    isNull(purchases.beginRequestedAt),
    isNull(purchases.voidedAt),
    eq(purchases.refundedPence, 0),
    eq(purchases.lostPence, 0),
    or(isNull(purchases.deskMethod), notInArray(purchases.deskMethod, [...FACE_TO_FACE])),
  )

/** Purchases of a member for which they can ask to begin, the one that can be cancelled longest leading. */
export async function beginOffers(reader: Reader, userId: string, now: Temporal.Instant): Promise<BeginOffer[]> {
  const rows = await reader
    .select({ purchase: purchases, package: { id: packages.id, name: packages.name } })
    .from(purchases)
    .innerJoin(packages, eq(packages.id, purchases.packageId))
    .where(mayAsk(userId))
    .orderBy(asc(purchases.id))
  return rows
    .filter(({ purchase }) => isCancellable(purchase.purchasedAt, now))
    .map(({ purchase, package: bought }) => ({
      purchaseId: purchase.id,
      package: bought,
      until: cancellableUntil(purchase.purchasedAt),
    }))
    .reverse()
}

/** A member asks to begin with all that they can still cancel. What was asked for before keeps its date. */
export async function askToBegin(tx: Tx, userId: string, now: Temporal.Instant): Promise<void> {
  const found = await tx.select().from(purchases).where(mayAsk(userId)).orderBy(asc(purchases.id)).for('no key update')
  const ids = found.filter(({ purchasedAt }) => isCancellable(purchasedAt, now)).map(({ id }) => id)
  if (ids.length > 0) await tx.update(purchases).set({ beginRequestedAt: now }).where(inArray(purchases.id, ids))
}

/**
 * The box at the checkout, ticked or unticked. A payment that has become a purchase meanwhile passes the request on; what
 * a purchase has is not taken back.
 */
export async function askToBeginPayment(
  tx: Tx,
  { id, userId, isAsked }: { id: string; userId: string; isAsked: boolean },
  now: Temporal.Instant,
): Promise<void> {
  const intent = await intentForUpdate(tx, id)
  if (intent?.userId !== userId) refuse(paymentRefusals.intent_not_found)
  const beginRequestedAt = isAsked ? now : null
  await tx.update(paymentIntents).set({ beginRequestedAt }).where(eq(paymentIntents.id, id))
  if (!isAsked) return
  await tx
    .update(purchases)
    .set({ beginRequestedAt })
    .where(and(eq(purchases.paymentIntentId, id), isNull(purchases.beginRequestedAt)))
}

/** Whoever comes to the checkout finds the box unticked, and so it is on record. */
export async function forgetBeginRequest(writer: Reader, id: string): Promise<void> {
  await writer
    .update(paymentIntents)
    .set({ beginRequestedAt: null })
    .where(and(eq(paymentIntents.id, id), eq(paymentIntents.state, 'open')))
}
