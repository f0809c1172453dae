import { and, eq } from 'drizzle-orm'
import type { Database } from '../../server/database/database.ts'
import { isPayable, type PaidIntent } from '../rules.ts'
import { paymentIntents } from '../tables.ts'
import { activatePurchase } from './activate-purchase.ts'

/**
 * Brings a payment to what the provider says of it: paid becomes a purchase, ended or unknown is closed,
 * one that can still be made stays open.
 *
 * @param known the intent as the provider tells it; undefined when the provider does not know it
 */
export async function settleIntent(
  database: Database,
  id: string,
  known: PaidIntent | undefined,
  now: Temporal.Instant,
): Promise<void> {
  if (known && isPayable(known.status)) return
  await database.transaction(async (tx) => {
    if (known?.status === 'succeeded') {
      await activatePurchase(tx, id, known, now)
      return
    }
    await tx
      .update(paymentIntents)
      .set({ state: 'cancelled', settledAt: now })
      .where(and(eq(paymentIntents.id, id), eq(paymentIntents.state, 'open')))
  })
}
