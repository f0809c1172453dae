import { asc, desc, inArray, isNotNull, isNull } from 'drizzle-orm'
import type { Reader, Tx } from '../database.ts'
import { backups, restoredJobs, restores } from './tables.ts'

export type LastBackup = {
  /** The newest backup, if there is one. Its age counts from `endedAt`. */
  made: { endedAt: Temporal.Instant; file: string; bytes: number; machine: string } | undefined
  /** Why the newest attempt failed; undefined if it succeeded. */
  failure: string | undefined
}

/** The last backup and the outcome of the last attempt, on any machine; after a restore, as in the restored data. */
export async function lastBackup(reader: Reader): Promise<LastBackup> {
  const newest = [desc(backups.endedAt), desc(backups.id)]
  const [[tried], [done]] = await Promise.all([
    reader
      .select()
      .from(backups)
      .orderBy(...newest)
      .limit(1),
    reader
      .select()
      .from(backups)
      .where(isNotNull(backups.file))
      .orderBy(...newest)
      .limit(1),
  ])
  const { file, bytes, endedAt, machine } = done ?? {}
  return {
    made: file != null && bytes != null && endedAt && machine ? { endedAt, file, bytes, machine } : undefined,
    failure: tried?.failure ?? undefined,
  }
}

/** Records an attempt to make a backup. */
export async function recordBackup(tx: Tx, tried: typeof backups.$inferInsert): Promise<void> {
  await tx.insert(backups).values(tried)
}

/**
 * Records a restore, in its transaction.
 *
 * @param receipts the last receipt number in the backup, and the last that was given
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

/** Whether the database was ever restored: then it is no first run, however little it holds. */
export async function wasRestored(reader: Reader): Promise<boolean> {
  return (await reader.select({ id: restores.id }).from(restores).limit(1)).length > 0
}

/** Marks the last restore as settled; returns whether it was not. */
export async function settleRestore(tx: Tx, now: Temporal.Instant): Promise<boolean> {
  const settled = await tx.update(restores).set({ settledAt: now }).where(isNull(restores.settledAt)).returning()
  return settled.length > 0
}

/** Deletes restored jobs that are known to be done. */
export async function dropRestoredJobs(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.delete(restoredJobs).where(inArray(restoredJobs.id, [...ids]))
}

/** Takes the restored jobs out of their table, oldest first. */
export async function takeRestoredJobs(tx: Tx): Promise<(typeof restoredJobs.$inferSelect)[]> {
  const jobs = await tx
    .select()
    .from(restoredJobs)
    .orderBy(asc(restoredJobs.createdAt), asc(restoredJobs.id))
    .for('update')
  await tx.delete(restoredJobs)
  return jobs
}
