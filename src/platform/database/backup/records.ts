import { asc, desc, inArray, isNotNull, isNull } from 'drizzle-orm'
import type { Reader, Tx } from '../database.ts'
import { backups, restoredJobs, restores } from './tables.ts'

export type LastBackup = {
  /** The newest backup that was made; undefined: there is none. Its age counts from `endedAt`. */
  made: { endedAt: Temporal.Instant; file: string; bytes: number; machine: string } | undefined
  /** Why the newest try became none; undefined when it became one. */
  failure: string | undefined
}

/**
 * The last backup and how the last try ended: by night or by command, on whichever machine. After a restore it is the
 * last one that the restored data knows of, until the next is made.
 */
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

/** Writes down that a backup was tried and what became of it. */
export async function recordBackup(tx: Tx, tried: typeof backups.$inferInsert): Promise<void> {
  await tx.insert(backups).values(tried)
}

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
