import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import type { Clock } from '#foundation/instants.ts'
import { BackupRefused } from '#platform/database/backup/archive.ts'
import { recordBackup } from '#platform/database/backup/last-backup.ts'
import type { Manifest } from '#platform/database/backup/manifest.ts'
import type { Database } from '#platform/database/database.ts'
import { backupName, backupsIn, removeOldBackups } from './backup-files.ts'
import { bringJournalUpToDate, journalIn } from './erased-journal.ts'
import { makeBackup } from './make-backup.ts'

export type BackupOrder = {
  madeBy: 'night' | 'command'
  dataDir: string
  /** Straight to PostgreSQL. */
  url: string
  clock: Clock
  /** In DATA_DIR/backups, named by the time, unless stated. */
  file?: string
  recipient?: string
  secrets?: string
}

/** Makes a backup and writes down in the database what became of it; the journal of who was erased is brought up to date. */
export async function tryBackup(
  database: Database,
  order: BackupOrder,
): Promise<{ file: string; bytes: number; manifest: Manifest }> {
  const { madeBy, dataDir, url, clock, recipient, secrets } = order
  const beganAt = clock.now()
  const file = order.file ?? join(backupsIn(dataDir), backupName(madeBy, beganAt, recipient !== undefined))
  if (existsSync(file)) throw new BackupRefused(`${file} is there already: name another file.`)
  const record = (outcome: { file: string; bytes: number } | { failure: string }) =>
    database.transaction((tx) =>
      recordBackup(tx, { beganAt, endedAt: clock.now(), madeBy, machine: hostname(), ...outcome }),
    )
  try {
    const made = await makeBackup(url, { file, recipient, secrets })
    await bringJournalUpToDate(journalIn(dirname(file)), database.db)
    await record({ file, bytes: made.bytes })
    return { file, ...made }
  } catch (error) {
    // A database that cannot be written to is told of by the failure itself.
    await record({ failure: error instanceof Error ? error.message : String(error) }).catch(() => {})
    throw error
  }
}

/**
 * The nightly backup: made on the machine whose process takes the job, and kept there. Older ones go when the new one is
 * whole. A night that is done twice has two files.
 */
export async function backUpTonight(database: Database, order: Omit<BackupOrder, 'madeBy' | 'file'>): Promise<void> {
  await tryBackup(database, { ...order, madeBy: 'night' })
  await removeOldBackups(backupsIn(order.dataDir))
}
