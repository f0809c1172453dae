import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import type { Clock } from '#foundation/instants.ts'
import { BackupRefused } from '#platform/database/backup/archive.ts'
import type { Manifest } from '#platform/database/backup/copy-out.ts'
import { recordBackup } from '#platform/database/backup/records.ts'
import type { Database } from '#platform/database/database.ts'
import { removeOldDrafts } from '#platform/disk.ts'
import { studio } from '#studio.ts'
import { journalFile, updateJournal } from './journal.ts'
import { makeBackup } from './make-backup.ts'

type BackupOrder = {
  madeBy: 'night' | 'command'
  dataDir: string
  /** A direct connection. */
  url: string
  clock: Clock
  /** In DATA_DIR/backups, named by the time, unless given. */
  file?: string
  recipient?: string
  secrets?: string
}

/** Makes a backup, records the attempt in the database and updates the journal of erasures. */
export async function recordedBackup(
  database: Database,
  order: BackupOrder,
): Promise<{ file: string; bytes: number; manifest: Manifest }> {
  const { madeBy, dataDir, url, clock, recipient, secrets } = order
  const beganAt = clock.now()
  const file = order.file ?? join(backupsFolder(dataDir), backupName(madeBy, beganAt, recipient !== undefined))
  if (existsSync(file)) throw new BackupRefused(`${file} already exists. Name another file.`)
  const record = (outcome: { file: string; bytes: number } | { failure: string }) =>
    database.transaction((tx) =>
      recordBackup(tx, { beganAt, endedAt: clock.now(), madeBy, machine: hostname(), ...outcome }),
    )
  try {
    const made = await makeBackup(url, { file, recipient, secrets })
    await updateJournal(journalFile(dirname(file)), database.db)
    await record({ file, bytes: made.bytes })
    return { file, ...made }
  } catch (error) {
    // If this fails too, the error itself is reported.
    await record({ failure: error instanceof Error ? error.message : String(error) }).catch(() => {})
    throw error
  }
}

/**
 * The nightly backup, on the machine whose process takes the job. Older ones are deleted when the new one is complete.
 * If the job runs twice, there are two files.
 */
export async function makeNightlyBackup(
  database: Database,
  order: Omit<BackupOrder, 'madeBy' | 'file'>,
): Promise<void> {
  await recordedBackup(database, { ...order, madeBy: 'night' })
  await removeOldBackups(backupsFolder(order.dataDir))
}

/** The folder of backups unless a file is named. */
export const backupsFolder = (dataDir: string) => join(dataDir, 'backups')

/** The name of a backup, by the studio's local time, so that they sort by age. */
function backupName(madeBy: 'night' | 'command', now: Temporal.Instant, isEncrypted: boolean): string {
  const at = now.toZonedDateTimeISO(studio.timeZone).toPlainDateTime().toString({ smallestUnit: 'second' })
  const stamp = at.replace('T', '-').replaceAll(':', '')
  return `${madeBy === 'night' ? 'night' : 'studio'}-${stamp}.tar.zst${isEncrypted ? '.age' : ''}`
}

const NIGHTLY = /^night-\d{4}-\d{2}-\d{2}-\d{6}\.tar\.zst(\.age)?$/

/**
 * Removes all but the newest nightly backups of a folder, and drafts; nothing else. Source of how many stay:
 * docs/studio-rules.md#backups
 */
async function removeOldBackups(folder: string): Promise<void> {
  const nightly = (await readdir(folder)).filter((name) => NIGHTLY.test(name)).sort()
  const { backupNights } = studio.policies.retention
  for (const name of nightly.slice(0, -backupNights)) await rm(join(folder, name), { force: true })
  await removeOldDrafts(folder)
}
