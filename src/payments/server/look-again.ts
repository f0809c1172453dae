import { isNotNull } from 'drizzle-orm'
import type { Tx } from '#platform/database/database.ts'
import { paymentIntents } from '../tables.ts'

/**
 * Asks about every payment that may still move at the next turn of the reconciliation: the database was restored to an
 * earlier moment, and the provider will not tell again what it has told since.
 */
export async function lookAgainAtPayments(tx: Tx, now: Temporal.Instant): Promise<void> {
  await tx.update(paymentIntents).set({ nextLookAt: now }).where(isNotNull(paymentIntents.nextLookAt))
}

/** Asks now about every payment that the provider could not be asked about. */
export async function readPaymentsAgain(tx: Tx, now: Temporal.Instant): Promise<void> {
  await tx.update(paymentIntents).set({ nextLookAt: now }).where(isNotNull(paymentIntents.unreadSince))
  await tx.enqueue('reconcile-payments', {})
}
