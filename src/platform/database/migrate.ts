import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { LIMITS } from '../limits.ts'
import { OperatorError } from '../operator-error.ts'
import type { Reader } from './database.ts'
import { DatabaseUnavailable, databaseErrorOf } from './outage.ts'

const FOLDER = join(import.meta.dirname, '../../../migrations')
/** An arbitrary number; the same for every process of this application. */
const MIGRATION_LOCK = 7_210_514

/** A file of `migrations/`, with the checksum by which it is known once it ran. */
export type Migration = { name: string; checksum: string; text: string }

/** The migrations of this version, in order. */
export async function readMigrations(folder = FOLDER): Promise<Migration[]> {
  return await Promise.all(
    (await namesIn(folder)).map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8')
      // Line ends do not count.
      const checksum = createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex')
      return { name, checksum, text }
    }),
  )
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
}

/**
 * Migrates the database, one transaction per file, in the order of their names. Processes that start together wait for
 * each other under a transaction's advisory lock, so each file runs once.
 *
 * @param url a PostgreSQL URL whose role may create tables
 * @param newerSchema what to do with a schema that is newer than the code
 * @returns the names of the files that ran now
 * @throws OperatorError when the server is too old, the schema is newer than the code and that is refused, a file that
 * ran
 *   was changed or removed, or a migration fails (its transaction is rolled back)
 */
export async function migrate(
  url: string,
  folder = FOLDER,
  newerSchema: 'refuse' | 'allow' = 'refuse',
): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'studio migrations' })
  let isLost = false
  client.on('error', () => {
    isLost = true
  })
  try {
    await client.connect().catch((error) => {
      isLost = !databaseErrorOf(error)
      throw error
    })
    await refuseOldServer(client)
    // A role that may not change the schema only looks at what has run.
    if (!(await hasTable(client))) await underLock(client, () => createMigrationsTable(client))
    const known = await readMigrations(folder)
    const names = known.map(({ name }) => name)
    await refuseUnknownMigrations(client, names, newerSchema)
    const done: string[] = []
    for (const migration of known) {
      if (await runOnce(client, migration)) done.push(migration.name)
    }
    return done
  } catch (error) {
    if (!isLost) throw error
    throw new DatabaseUnavailable('the connection was lost', { cause: error, isSlow: false })
  } finally {
    await client.end()
  }
}

async function refuseOldServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: number; version: string }>(
    "select current_setting('server_version_num')::int as number, current_setting('server_version') as version",
  )
  const [server] = rows
  if (server && isTooOld(server.number)) {
    throw new OperatorError(`This PostgreSQL is version ${server.version}; the site needs 15 or newer.`)
  }
}

/** @param number PostgreSQL's own `server_version_num`, such as 150004 */
export const isTooOld = (number: number): boolean => number < 150_000

async function hasTable(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ has: boolean }>("select to_regclass('migrations') is not null as has")
  return rows[0]?.has === true
}

async function refuseUnknownMigrations(client: pg.Client, known: string[], newerSchema: 'refuse' | 'allow') {
  const { rows } = await client.query<{ name: string }>(
    'select name from migrations where name <> all ($1) order by name collate "C"',
    [known],
  )
  const newest = known.at(-1) ?? 'none'
  const newer = rows.findLast(({ name }) => name > newest)
  if (newer && newerSchema === 'refuse') {
    throw new OperatorError(
      `The database is newer than this version of the site: its newest migration is ${newer.name}, the newest here is ${newest}. Start a newer version, or, to go back by one release, set NEWER_SCHEMA=allow.`,
    )
  }
  const gone = rows.find(({ name }) => name < newest)
  if (gone) {
    throw new OperatorError(
      `The migration ${gone.name} has run, but its file is missing in migrations/. Put the file back.`,
    )
  }
}

/** Whether the newest migration of this code has run. */
export async function isMigrated(reader: Reader): Promise<boolean> {
  const newest = (await namesIn(FOLDER)).at(-1)
  const { rows } = await reader.execute<{ name: string }>(sql`select name from migrations where name = ${newest}`)
  return rows.length > 0
}

/** Makes migrations wait until the open transaction ends. */
export async function lockMigrations(client: pg.ClientBase): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
}

/** Creates the table of migrations that ran. */
export async function createMigrationsTable(client: pg.ClientBase): Promise<void> {
  await client.query(
    'create table if not exists migrations (name text primary key, checksum text not null, ran_at timestamptz not null default now())',
  )
}

/** Runs a migration in the open transaction and records it. */
export async function applyMigration(client: pg.ClientBase, { name, checksum, text }: Migration): Promise<void> {
  try {
    await client.query(text)
    await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum])
  } catch (error) {
    throw new OperatorError(
      `migrations/${name} failed and was undone: ${error instanceof Error ? error.message : error}`,
      {
        cause: error,
      },
    )
  }
}

async function runOnce(client: pg.Client, migration: Migration): Promise<boolean> {
  const { name, checksum } = migration
  if (await hasRun(client, name, checksum)) return false
  return await underLock(client, async () => {
    if (await hasRun(client, name, checksum)) return false
    await applyMigration(client, migration)
    return true
  })
}

async function hasRun(client: pg.Client, name: string, checksum: string): Promise<boolean> {
  const { rows } = await client.query<{ checksum: string }>('select checksum from migrations where name = $1', [name])
  const before = rows[0]?.checksum
  if (before && before !== checksum) {
    throw new OperatorError(`migrations/${name} was changed after it ran. Undo the change and add a new migration.`)
  }
  return before !== undefined
}

/**
 * Runs `work` in a transaction, one process at a time. The lock ends with the transaction, so it works through a
 * pooler.
 */
async function underLock<Result>(client: pg.Client, work: () => Promise<Result>): Promise<Result> {
  await client.query('begin')
  try {
    await lockMigrations(client)
    // A migration that waits for a lock makes others wait behind it.
    await client.query(`set local lock_timeout = ${LIMITS.background.lockMs}`)
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}
