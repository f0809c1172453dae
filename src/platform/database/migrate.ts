import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { LIMITS } from '../limits.ts'
import type { Reader } from './database.ts'

const FOLDER = join(import.meta.dirname, '../../../migrations')
/** Any number that nobody else locks; the same for every process of this application. */
const MIGRATION_LOCK = 7_210_514

/**
 * Brings the database to the newest migration, one transaction per file, in the order of their names.
 * Processes that start together wait for each other under an advisory lock of each transaction, so each file runs once.
 *
 * @param url a PostgreSQL URL whose role may create tables
 * @returns the names of the files that were run now
 * @throws when a file that already ran has since been changed, or one fails (its transaction is undone)
 */
export async function migrate(url: string, folder = FOLDER): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'studio migrations' })
  await client.connect()
  try {
    await alone(client, () =>
      client.query(
        'create table if not exists migrations (name text primary key, checksum text not null, ran_at timestamptz not null default now())',
      ),
    )
    const done: string[] = []
    for (const name of await migrationsIn(folder)) {
      const text = await readFile(join(folder, name), 'utf8')
      if (await runOnce(client, name, text)) done.push(name)
    }
    return done
  } finally {
    await client.end()
  }
}

/** Whether the newest migration of this code has run. */
export async function isMigrated(reader: Reader): Promise<boolean> {
  const newest = (await migrationsIn(FOLDER)).at(-1)
  const { rows } = await reader.execute<{ name: string }>(sql`select name from migrations where name = ${newest}`)
  return rows.length > 0
}

async function migrationsIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
}

/** Runs a migration unless it ran before. */
async function runOnce(client: pg.Client, name: string, text: string): Promise<boolean> {
  // A checkout with CRLF line ends is the same migration.
  const checksum = createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex')
  if (await hasRun(client, name, checksum)) return false
  return await alone(client, async () => {
    if (await hasRun(client, name, checksum)) return false
    try {
      await client.query(text)
      await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum])
      return true
    } catch (error) {
      throw new Error(`migrations/${name} failed and was undone: ${error instanceof Error ? error.message : error}`, {
        cause: error,
      })
    }
  })
}

async function hasRun(client: pg.Client, name: string, checksum: string): Promise<boolean> {
  const { rows } = await client.query<{ checksum: string }>('select checksum from migrations where name = $1', [name])
  const before = rows[0]?.checksum
  if (before && before !== checksum) {
    throw new Error(`migrations/${name} was changed after it ran. Undo the change and add a new migration.`)
  }
  return before !== undefined
}

/** Does `work` in a transaction, one process at a time. Locks end with it, so that it may go through a pooler. */
async function alone<Result>(client: pg.Client, work: () => Promise<Result>): Promise<Result> {
  await client.query('begin')
  try {
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    // Whoever waits behind a migration that itself waits for a lock is kept out of the site meanwhile.
    await client.query(`set local lock_timeout = ${LIMITS.background.lockMs}`)
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}
