import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import type pg from 'pg'
import type { Clock } from '#foundation/instants.ts'
import { type Add, BackupRefused, writeArchive } from '#platform/database/backup/archive.ts'
import { copiedTables, sequencesIn, withClient } from '#platform/database/backup/catalog.ts'
import { copyTable, FORMAT, type Manifest, STABLE_TEXT, type TableSum } from '#platform/database/backup/copy-out.ts'
import { recordBackup } from '#platform/database/backup/records.ts'
import { entryNames, pieceName } from '#platform/database/backup/whole-backup.ts'
import type { Database } from '#platform/database/database.ts'
import { migrationsIn } from '#platform/database/migrate.ts'
import { removeOldDrafts, writeWhole } from '#platform/disk.ts'
import { studio } from '#studio.ts'
import { LEFT_OUT, SCHEMAS, waitingJobsSql } from './backup-contents.ts'
import { applicationVersion } from './command.ts'
import { journalFile, updateJournal } from './journal.ts'
import { sumsOf } from './sums.ts'

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
export async function makeNightlyBackup(database: Database, order: Omit<BackupOrder, 'madeBy' | 'file'>) {
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

/** Removes a folder's old nightly backups and drafts only. Source of how many stay: docs/operations/backup.md#backup */
async function removeOldBackups(folder: string): Promise<void> {
  const nightly = (await readdir(folder)).filter((name) => NIGHTLY.test(name)).sort()
  const { backupNights } = studio.policies.retention
  for (const name of nightly.slice(0, -backupNights)) await rm(join(folder, name), { force: true })
  await removeOldDrafts(folder)
}

export type BackupOptions = {
  /** The file to write; an existing one is replaced when the backup is complete. */
  file: string
  recipient?: string
  /** Lines `NAME=value`, only in an encrypted backup. */
  secrets?: string
}

/**
 * Makes a backup of a studio while it runs: one moment of it, in one read-only transaction.
 *
 * @param url a direct connection, or through a pooler that allows a long transaction
 */
export async function makeBackup(url: string, options: BackupOptions): Promise<{ bytes: number; manifest: Manifest }> {
  const { file, recipient, secrets } = options
  if (secrets && !recipient) throw new BackupRefused('Only an encrypted backup can contain secrets. Add --to.')
  return await withClient(url, 'studio backup', async (client) => {
    await client.query('begin isolation level repeatable read read only')
    await client.query(STABLE_TEXT)
    return await writeWhole(file, async (draft) => {
      let manifest: Manifest | undefined
      const bytes = await writeArchive(draft, recipient, async (add) => {
        manifest = await addAll(client, add, secrets)
      })
      if (!manifest) throw new Error('the archive was closed before its manifest was written')
      return { bytes, manifest }
    })
  })
}

async function addAll(client: pg.Client, add: Add, secrets: string | undefined): Promise<Manifest> {
  const migrations = await migrationsIn(client)
  if (!migrations) throw new BackupRefused('This database does not contain a studio, so there is nothing to back up.')
  const facts = await factsOf(client)
  const tables: Record<string, TableSum> = {}
  for (const table of await copiedTables(client, SCHEMAS)) {
    if (LEFT_OUT.has(table.name)) continue
    let pieces = 0
    const source = table.name === 'restored_jobs' ? await waitingJobsSql(client) : undefined
    const addPiece = (piece: Buffer) => add(pieceName(table.name, ++pieces), piece)
    tables[table.name] = await copyTable(client, table, addPiece, source)
  }
  if (secrets) await add(entryNames.secrets, Buffer.from(secrets))
  const manifest: Manifest = {
    format: FORMAT,
    application: await applicationVersion(),
    ...facts,
    migrations,
    tables,
    sequences: await sequencesIn(client, SCHEMAS),
    sums: await sumsOf(client),
    holdsSecrets: secrets !== undefined,
  }
  await add(entryNames.manifest, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`))
  return manifest
}

/** Runs first: it takes the transaction's snapshot. */
async function factsOf(client: pg.Client): Promise<{ takenAt: string; postgres: string }> {
  const { rows } = await client.query<{ at: Date; postgres: string }>(
    "select statement_timestamp() as at, current_setting('server_version') as postgres",
  )
  const [facts] = rows
  if (!facts) throw new Error('PostgreSQL returned no version')
  return { takenAt: facts.at.toISOString(), postgres: facts.postgres }
}
