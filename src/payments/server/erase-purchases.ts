import { and, asc, eq, inArray, isNull, lte, ne, notExists } from 'drizzle-orm'
import { forgetPurchases } from '../../passes/server/passes.ts'
import type { Tx } from '../../server/database/database.ts'
import { disputes, paymentIntents, purchases, refunds } from '../tables.ts'

/**
 * Erases purchases made at `until` or before with their payments, at most so many, and payments of that time that never
 * became one. Passes bought with them stay without them; what is still disputed, or on its way back, stays too. Returns how
 * many purchases.
 */
export async function erasePurchases(
  tx: Tx,
  { until, limit }: { until: Temporal.Instant; limit: number },
): Promise<number> {
  const over = await tx
    .select({ id: purchases.id })
    .from(purchases)
    .where(
      and(
        lte(purchases.purchasedAt, until),
        notExists(
          tx
            .select({ id: disputes.id })
            .from(disputes)
            .where(and(eq(disputes.paymentIntentId, purchases.paymentIntentId), isNull(disputes.decidedAt))),
        ),
        notExists(
          tx
            .select({ id: refunds.id })
            .from(refunds)
            .where(and(eq(refunds.paymentIntentId, purchases.paymentIntentId), isNull(refunds.settledAt))),
        ),
      ),
    )
    .orderBy(asc(purchases.id))
    .limit(limit)
    .for('update')
  const ids = over.map(({ id }) => id)
  if (ids.length > 0) {
    await forgetPurchases(tx, ids)
    await tx.delete(purchases).where(inArray(purchases.id, ids))
  }
  await tx
    .delete(paymentIntents)
    .where(
      and(
        lte(paymentIntents.settledAt, until),
        ne(paymentIntents.state, 'open'),
        notExists(tx.select().from(purchases).where(eq(purchases.paymentIntentId, paymentIntents.id))),
      ),
    )
  return ids.length
}
