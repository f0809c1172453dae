import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { BackupRefused } from '#platform/database/backup/archive.ts'
import { identifier, withClient } from '#platform/database/backup/catalog.ts'
import { compareTables, type Finding, STABLE_TEXT } from '#platform/database/backup/copy-out.ts'
import { migrationsFor, rebuild } from '#platform/database/backup/rebuild.ts'
import type { WholeBackup } from '#platform/database/backup/whole-backup.ts'
import type { Migration } from '#platform/database/migrate.ts'
import { databaseErrorOf } from '#platform/database/outage.ts'
import { SCHEMAS, sandboxTables } from './backup-contents.ts'
import { compareSums } from './sums.ts'

const NAME = 'studio verify'
const SCRATCH = 'studio_verify_'
/** An older scratch database was left by a killed run. */
const ABANDONED_MS = 24 * 3_600_000
const INSUFFICIENT_PRIVILEGE = '42501'

/**
 * Restores a backup into a scratch database, compares every table, the sequences and the sums with the manifest, and
 * runs newer migrations. The database is dropped afterwards; a database left by a killed run is dropped a day later.
 */
export async function verifyBackup(
  url: string,
  backup: WholeBackup,
  here: { application: string; migrations: readonly Migration[] },
): Promise<Finding[]> {
  const migrations = migrationsFor(backup, here)
  const scratch = await makeScratch(url)
  try {
    return await withClient(scratch.url, NAME, async (client) => {
      await client.query(`begin; ${STABLE_TEXT}`)
      const findings: Finding[] = []
      const sandbox = await sandboxTables(client, backup.manifest, true)
      await rebuild(client, backup, {
        ...migrations,
        ...sandbox,
        whenLoaded: async () => {
          findings.push(...(await compareTables(client, backup.manifest, SCHEMAS)))
          findings.push(...(await compareSums(client, backup.manifest.sums)))
        },
      })
      await client.query('commit')
      return findings
    })
  } finally {
    await scratch.drop()
  }
}

async function makeScratch(url: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `${SCRATCH}${Date.now().toString(36)}_${randomBytes(8).toString('hex')}`
  await withClient(url, NAME, async (client) => {
    await dropAbandoned(client)
    await client.query(`create database ${name} template template0`).catch((error) => {
      if (databaseErrorOf(error)?.code !== INSUFFICIENT_PRIVILEGE) throw error
      throw new BackupRefused(
        'To verify a backup, the role must be able to create a database. Run alter role … createdb, or verify the backup ' +
          'on another machine without DATABASE_URL.',
      )
    })
  })
  const scratchUrl = new URL(url)
  scratchUrl.pathname = `/${name}`
  return {
    url: scratchUrl.href,
    drop: () => withClient(url, NAME, async (client) => void (await client.query(`drop database ${name}`))),
  }
}

/** A recent one may belong to another run. */
async function dropAbandoned(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'select datname as name from pg_database where starts_with(datname, $1)',
    [SCRATCH],
  )
  for (const { name } of rows) {
    const madeMs = Number.parseInt(name.slice(SCRATCH.length).split('_')[0] ?? '', 36)
    // One in use cannot be dropped, and stays.
    if (Date.now() - madeMs > ABANDONED_MS) await client.query(`drop database ${identifier(name)}`).catch(() => {})
  }
}

/** One line for each table that has rows, each total, and each difference. */
export function formatFindings(findings: readonly Finding[]): string[] {
  const shown = findings.filter(
    ({ rows, what, expected, found }) => expected !== found || (rows !== 0 && !what.endsWith('_seq')),
  )
  const width = Math.max(0, ...shown.map(({ what }) => what.length))
  return shown.map(({ what, expected, found }) => {
    const verdict = expected === found ? 'as backed up' : `NOT as backed up: ${found}`
    return `${what.padEnd(width)}  ${expected}  ${verdict}`
  })
}
