import { asc, inArray, isNull } from 'drizzle-orm'
import type { Reader, Tx } from '../database.ts'
import { restoredJobs, restores } from './tables.ts'

/**
 * Writes down that the database was filled from a backup, in the transaction that fills it.
 *
 * @param receipts the numbers of the last receipt that is in the backup, and of the last that was given
 */
export async function recordRestore(
  tx: Tx,
  takenAt: Temporal.Instant,
  receipts: { restored: number; given: number },
  now: Temporal.Instant,
): Promise<void> {
  const { restored: lastReceiptRestored, given: lastReceiptGiven } = receipts
  await tx.insert(restores).values({ takenAt, restoredAt: now, lastReceiptRestored, lastReceiptGiven })
}

/** Whether the database was ever filled from a backup: what it holds is no first run, however little that is. */
export async function wasRestored(reader: Reader): Promise<boolean> {
  return (await reader.select({ id: restores.id }).from(restores).limit(1)).length > 0
}

/** Whether something is still to follow from a restore; from then on it counts as done, unless the transaction is undone. */
export async function settleRestore(tx: Tx, now: Temporal.Instant): Promise<boolean> {
  const settled = await tx.update(restores).set({ settledAt: now }).where(isNull(restores.settledAt)).returning()
  return settled.length > 0
}

/** Takes out jobs that are known to be done: their ids. */
export async function dropRestoredJobs(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.delete(restoredJobs).where(inArray(restoredJobs.id, [...ids]))
}

/** Takes out the jobs that were restored, the oldest first. */
export async function takeRestoredJobs(tx: Tx): Promise<(typeof restoredJobs.$inferSelect)[]> {
  const jobs = await tx
    .select()
    .from(restoredJobs)
    .orderBy(asc(restoredJobs.createdAt), asc(restoredJobs.id))
    .for('update')
  await tx.delete(restoredJobs)
  return jobs
}
