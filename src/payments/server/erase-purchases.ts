import { type AnyColumn, and, asc, eq, inArray, isNull, lte, ne, not, notExists, type SQL } from 'drizzle-orm'
import { detachPurchases, lockPassesOfPurchases } from '#passes/server/passes.ts'
import type { Tx } from '#platform/database/database.ts'
import { disputes, type PurchaseRow, paymentIntents, purchases, refunds } from '../tables.ts'

/**
 * Erases at most `limit` purchases made at or before `until`, with their payments, and payments of that time that never
 * became one. Their passes stay. Anything disputed or being refunded stays too. Returns how many purchases.
 *
 * @param options.keeps a condition under which all records of a member stay
 */
export async function erasePurchases(
  tx: Tx,
  { until, limit, keeps }: { until: Temporal.Instant; limit: number; keeps: (userId: AnyColumn) => SQL },
): Promise<number> {
  const isOver = and(
    lte(purchases.purchasedAt, until),
    ...nothingOpen(tx, purchases.paymentIntentId),
    not(keeps(purchases.userId)),
  )
  const found = await tx.select().from(purchases).where(isOver).orderBy(asc(purchases.id)).limit(limit)
  const ids = await lockPurchases(tx, found, isOver)
  if (ids.length > 0) {
    await detachPurchases(tx, ids)
    await tx.delete(purchases).where(inArray(purchases.id, ids))
  }
  await tx.delete(paymentIntents).where(
    and(
      lte(paymentIntents.settledAt, until),
      ne(paymentIntents.state, 'open'),
      notExists(tx.select().from(purchases).where(eq(purchases.paymentIntentId, paymentIntents.id))),
      // They would go with it.
      ...nothingOpen(tx, paymentIntents.id),
      not(keeps(paymentIntents.userId)),
    ),
  )
  return ids.length
}

/** Locks purchases in a refund's order: passes, payments, purchases. Returns the ids that still match. */
async function lockPurchases(tx: Tx, found: PurchaseRow[], isStillDue: SQL | undefined): Promise<number[]> {
  if (found.length === 0) return []
  const ids = found.map(({ id }) => id)
  const intents = found.flatMap(({ paymentIntentId }) => paymentIntentId ?? [])
  await lockPassesOfPurchases(tx, ids)
  await tx
    .select({ id: paymentIntents.id })
    .from(paymentIntents)
    .where(inArray(paymentIntents.id, intents))
    .orderBy(asc(paymentIntents.id))
    .for('update')
  const locked = await tx
    .select({ id: purchases.id })
    .from(purchases)
    .where(and(inArray(purchases.id, ids), isStillDue))
    .orderBy(asc(purchases.id))
    .for('update')
  return locked.map(({ id }) => id)
}

/** No undecided dispute and no unsettled refund. */
function nothingOpen(tx: Tx, paymentIntentId: AnyColumn): SQL[] {
  return [
    notExists(
      tx
        .select()
        .from(disputes)
        .where(and(eq(disputes.paymentIntentId, paymentIntentId), isNull(disputes.decidedAt))),
    ),
    notExists(
      tx
        .select()
        .from(refunds)
        .where(and(eq(refunds.paymentIntentId, paymentIntentId), isNull(refunds.settledAt))),
    ),
  ]
}
