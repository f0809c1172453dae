import type pg from 'pg'
import { type Add, BackupRefused, writeArchive } from '#platform/database/backup/archive.ts'
import { copiedTables, migrationsIn, sequencesIn, withClient } from '#platform/database/backup/catalog.ts'
import { copyTable, FORMAT, type Manifest, STABLE_TEXT, type TableSum } from '#platform/database/backup/copy-out.ts'
import { entryNames, pieceName } from '#platform/database/backup/whole-backup.ts'
import { writeWhole } from '#platform/disk.ts'
import { EXCLUDED_TABLES, SCHEMAS, waitingJobsSql } from './backup-contents.ts'
import { applicationVersion } from './command.ts'
import { sumsOf } from './sums.ts'

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
    if (table.name in EXCLUDED_TABLES) continue
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
