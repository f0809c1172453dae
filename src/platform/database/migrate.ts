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

/** A migration that ran, as recorded in a database and in a backup. */
export type RanMigration = { name: string; checksum: string }

/** A file of `migrations/`, with the checksum by which it is known once it ran. */
export type Migration = RanMigration & { text: string }

type Connection = Pick<pg.ClientBase, 'query'>

/** This version cannot use the database's schema: it is newer, or of another baseline. */
export class SchemaMismatch extends OperatorError {}

/** The migrations of this version, in order. */
export async function readMigrations(folder = FOLDER): Promise<Migration[]> {
  return await Promise.all(
    (await namesIn(folder)).map(async (name) => {
      // Line ends do not count.
      const text = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n')
      return { name, checksum: createHash('sha256').update(text).digest('hex'), text }
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
 * @throws SchemaMismatch when the schema is of another baseline, or newer than the code and that is refused; another
 *   OperatorError when the server is too old or a migration fails (its transaction is rolled back)
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
    const done: string[] = []
    for (;;) {
      const name = await runNext(client, known, newerSchema)
      if (name === undefined) return done
      done.push(name)
    }
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

async function hasTable(connection: Connection): Promise<boolean> {
  const { rows } = await connection.query<{ has: boolean }>(
    "select to_regclass('public.migrations') is not null as has",
  )
  return rows[0]?.has === true
}

/** The migrations that ran, in order; undefined if the database holds no studio. */
export async function migrationsIn(connection: Connection): Promise<RanMigration[] | undefined> {
  if (!(await hasTable(connection))) return undefined
  const { rows } = await connection.query<RanMigration>(
    'select name, checksum from migrations order by name collate "C"',
  )
  return rows.length > 0 ? rows : undefined
}

/**
 * The first migration of a database or a backup that differs from this version's. Undefined where one of the two lists
 * begins with the other: then they are of the same baseline, and the longer list is newer.
 */
export function otherMigration(ran: readonly RanMigration[], known: readonly RanMigration[]): string | undefined {
  const shared = ran.slice(0, known.length)
  return shared.find(({ name, checksum }, place) => name !== known[place]?.name || checksum !== known[place].checksum)
    ?.name
}

/** @throws SchemaMismatch when the migrations that ran in a database are of another baseline */
export function refuseOtherBaseline(ran: readonly RanMigration[] | undefined, known: readonly RanMigration[]): void {
  const other = otherMigration(ran ?? [], known)
  if (!other) return
  throw new SchemaMismatch(
    `The database is of another baseline: its migrations differ from this version's, from ${other} on. Start it with ` +
      'the version that made it, or use a new, empty database. Nothing was changed.',
  )
}

/** Runs the next migration and returns its name; undefined when all have run. */
async function runNext(
  client: pg.Client,
  known: readonly Migration[],
  newerSchema: 'refuse' | 'allow',
): Promise<string | undefined> {
  return await underLock(client, async () => {
    const ran = (await migrationsIn(client)) ?? []
    refuseOtherBaseline(ran, known)
    const newer = ran.slice(known.length).at(-1)
    if (newer && newerSchema === 'refuse') {
      throw new SchemaMismatch(
        `The database is newer than this version of the site: its newest migration is ${newer.name}, the newest here is ${known.at(-1)?.name}. Start a newer version, or, to go back by one release, set NEWER_SCHEMA=allow.`,
      )
    }
    const next = known[ran.length]
    if (next) await applyMigration(client, next)
    return next?.name
  })
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

/** Runs `work` in a transaction, one process at a time. The lock ends with it, so it works through a pooler. */
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
