import { type AnyColumn, and, asc, eq, inArray, lte, not, type SQL } from 'drizzle-orm'
import type { Tx } from '#platform/database/database.ts'
import { allowErasingRecords } from '#platform/database/records.ts'
import { emergencyContacts, healthQuestionnaires, healthReads, healthUpdates } from '../tables.ts'

/** Erases all that a member has told about their health, and every change of it. Who read it stays on record. */
export async function eraseHealth(tx: Tx, userId: string): Promise<void> {
  await tx.delete(healthQuestionnaires).where(eq(healthQuestionnaires.userId, userId))
  await tx.delete(emergencyContacts).where(eq(emergencyContacts.userId, userId))
  await tx.delete(healthUpdates).where(eq(healthUpdates.userId, userId))
}

/**
 * Erases lines of who read health data that are as old as `until` or older, at most so many, but for those of members whom
 * `keeps` holds. Returns how many.
 */
export async function eraseHealthReads(
  tx: Tx,
  { until, limit, keeps }: { until: Temporal.Instant; limit: number; keeps: (memberId: AnyColumn) => SQL },
): Promise<number> {
  await allowErasingRecords(tx, until)
  const over = tx
    .select({ id: healthReads.id })
    .from(healthReads)
    .where(and(lte(healthReads.at, until), not(keeps(healthReads.memberId))))
    .orderBy(asc(healthReads.at))
    .limit(limit)
  const gone = await tx.delete(healthReads).where(inArray(healthReads.id, over)).returning({ id: healthReads.id })
  return gone.length
}
