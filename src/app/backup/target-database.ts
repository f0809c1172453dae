import { setTimeout as pause } from 'node:timers/promises'
import { BackupRefused } from '#platform/database/backup/archive.ts'
import { type Connection, copiedTables, identifier, migrationsIn } from '#platform/database/backup/catalog.ts'
import { EXCLUDED_TABLES } from './backup-contents.ts'

/** Tables that the site fills itself, also before its first use. */
const FILLED_BY_SITE = [
  ...Object.keys(EXCLUDED_TABLES),
  'backups',
  'restores',
  'restored_jobs',
  'retention_runs',
  'retention_hold',
  'erasures',
]
/** `application_name`s of a running site's connections. */
const SITE_CONNECTIONS = ['studio', 'studio background', 'studio jobs', 'studio watch', 'studio demo data']
const CLOSING_MS = 3000

/**
 * Whether the database holds a studio that has been used.
 *
 * @throws BackupRefused when it holds another application's tables
 */
export async function hasStudioData(connection: Connection): Promise<boolean> {
  const tables = await copiedTables(connection)
  if (!(await migrationsIn(connection)) && tables.length > 0) {
    const names = tables.slice(0, 3).map(({ name }) => name)
    throw new BackupRefused(
      `The database contains tables that are not the studio's (${names.join(', ')}). Restore into a separate database.`,
    )
  }
  for (const { name } of tables) {
    if (FILLED_BY_SITE.includes(name)) continue
    const { rows } = await connection.query<{ full: boolean }>(
      `select exists (select from ${identifier(name)}) as full`,
    )
    if (rows[0]?.full) return true
  }
  return false
}

/**
 * Waits for a site that is closing: PostgreSQL drops a connection a moment after its client.
 *
 * @throws BackupRefused while a site is connected, from any machine
 */
export async function refuseWhileOpen(connection: Connection): Promise<void> {
  const giveUpAt = performance.now() + CLOSING_MS
  while (await isOpen(connection)) {
    if (performance.now() > giveUpAt) {
      throw new BackupRefused(
        'A site is running on this database. Stop it first, on every machine (Ctrl+C, or: systemctl stop studio).',
      )
    }
    await pause(100)
  }
}

async function isOpen(connection: Connection): Promise<boolean> {
  // In a transaction the statistics are cached.
  await connection.query('select pg_stat_clear_snapshot()')
  const { rows } = await connection.query<{ found: boolean }>(
    `select exists (
       select from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and application_name = any ($1)) as found`,
    [SITE_CONNECTIONS],
  )
  return rows[0]?.found === true
}
