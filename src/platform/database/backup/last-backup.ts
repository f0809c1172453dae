import { desc, isNotNull } from 'drizzle-orm'
import type { Reader, Tx } from '../database.ts'
import { backups } from './tables.ts'

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
