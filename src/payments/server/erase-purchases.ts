import {
  type AnyColumn,
  and,
  asc,
  eq,
  inArray,
  isNotNull,
  isNull,
  lte,
  ne,
  not,
  notExists,
  type SQL,
} from 'drizzle-orm'
import { forgetPurchases, lockPassesOfPurchases } from '#passes/server/passes.ts'
import type { Tx } from '#platform/database/database.ts'
import { disputes, type PurchaseRow, paymentIntents, purchases, refunds } from '../tables.ts'

/**
 * Erases purchases made at `until` or before with their payments, at most so many, and payments of that time that never
 * became one. Passes bought with them stay without them; what is still disputed, or on its way back, stays too. Returns how
 * many purchases.
 *
 * @param options.keeps the condition under which everything of somebody stays
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
    await forgetPurchases(tx, ids)
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

/** Locks purchases as a refund does: their passes, their payments, themselves. Answers those of which it is still so. */
async function lockPurchases(tx: Tx, found: PurchaseRow[], isStill: SQL | undefined): Promise<number[]> {
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
    .where(and(inArray(purchases.id, ids), isStill))
    .orderBy(asc(purchases.id))
    .for('update')
  return locked.map(({ id }) => id)
}

/** That no bank still decides about a payment, and nothing of it is still on its way back. */
function nothingOpen(tx: Tx, paymentIntentId: AnyColumn): SQL[] {
  return [
    notExists(
      tx
        .select({ id: disputes.id })
        .from(disputes)
        .where(and(eq(disputes.paymentIntentId, paymentIntentId), isNull(disputes.decidedAt))),
    ),
    notExists(
      tx
        .select({ id: refunds.id })
        .from(refunds)
        .where(and(eq(refunds.paymentIntentId, paymentIntentId), isNull(refunds.settledAt))),
    ),
  ]
}

/** Forgets what the studio noted about somebody's sales, which may name them; the sales stay. */
export async function forgetSaleNotes(tx: Tx, userId: string): Promise<void> {
  await tx
    .update(purchases)
    .set({ note: null })
    .where(and(eq(purchases.userId, userId), isNotNull(purchases.note)))
}
