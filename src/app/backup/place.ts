import { setTimeout as pause } from 'node:timers/promises'
import { BackupRefused } from '#platform/database/backup/archive.ts'
import { type Connection, copiedTables, identifier, migrationsIn } from '#platform/database/backup/catalog.ts'
import { LEFT_OUT } from './what-is-kept.ts'

/** What the site writes down by itself, also where nobody has used it yet. */
const WRITTEN_UNASKED = [
  ...Object.keys(LEFT_OUT),
  'backups',
  'restores',
  'restored_jobs',
  'retention_runs',
  'retention_hold',
  'erasures',
]
/** What a running site calls its connections. */
const OF_A_SITE = ['studio', 'studio background', 'studio jobs', 'studio watch', 'studio demo data']
/** How long one that is closing may take. */
const CLOSING_MS = 3000

/**
 * Whether a studio is in the database: anything that somebody has put there.
 *
 * @throws BackupRefused when the database is somebody else's
 */
export async function holdsStudio(connection: Connection): Promise<boolean> {
  const tables = await copiedTables(connection)
  if (!(await migrationsIn(connection)) && tables.length > 0) {
    const names = tables.slice(0, 3).map(({ name }) => name)
    throw new BackupRefused(
      `The database holds tables that are not the studio's (${names.join(', ')}): restore into one of its own.`,
    )
  }
  for (const { name } of tables) {
    if (WRITTEN_UNASKED.includes(name)) continue
    const { rows } = await connection.query<{ full: boolean }>(
      `select exists (select from ${identifier(name)}) as full`,
    )
    if (rows[0]?.full) return true
  }
  return false
}

/**
 * Waits for a site that is just closing: PostgreSQL lets go of a connection a moment after its other end has.
 *
 * @throws BackupRefused while a site keeps connections to the database, from whichever machine
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
  // In a transaction it is the same picture otherwise, however often one looks.
  await connection.query('select pg_stat_clear_snapshot()')
  const { rows } = await connection.query<{ found: boolean }>(
    `select exists (
       select from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and application_name = any ($1)) as found`,
    [OF_A_SITE],
  )
  return rows[0]?.found === true
}
