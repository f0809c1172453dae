import pg from 'pg'
import { errnoOf } from '../../errno.ts'
import { DATABASE_USER } from './cluster.ts'

/** "stu" "dio" as two numbers: the advisory lock that the one owner of an embedded database holds. */
const OWNER_LOCK = [7_566_453, 6_580_591]

/**
 * Connects to the server's maintenance database as its superuser. Null when it does not take connections: it is starting, stopping or
 * has just gone.
 *
 * @param label shown to whoever finds the database taken
 * @param database another than that one
 */
export async function connect(
  port: number,
  password: string,
  label: string,
  database = 'postgres',
): Promise<pg.Client | null> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: DATABASE_USER,
    password,
    database,
    application_name: label.slice(0, 63), // PostgreSQL cuts there
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  })
  client.on('error', () => {}) // a lost connection is noticed by 'end'
  try {
    await client.connect()
    return client
  } catch (error) {
    if (isGone(error)) return null
    throw error
  }
}

/**
 * Tries to become the owner. The lock lives as long as the connection, so it is free again the moment that its
 * holder is gone, killed or not.
 */
export async function tryToOwn(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query('select pg_try_advisory_lock($1, $2) as taken', OWNER_LOCK)
  return rows[0].taken
}

/** Who owns the database, in the words of their label, and since when. */
export type Owner = { label: string; since: Date }

/** The present owner, or null when there is none. */
export async function ownerOf(client: pg.Client): Promise<Owner | null> {
  const { rows } = await client.query(
    `select a.application_name as label, a.backend_start as since
       from pg_locks l join pg_stat_activity a using (pid)
      where l.locktype = 'advisory' and l.granted
        and l.classid = $1::bigint::oid and l.objid = $2::bigint::oid and l.objsubid = 2`,
    OWNER_LOCK,
  )
  return rows[0] ?? null
}

/** Makes a database unless it is there. Only the owner calls this, so nobody makes it at the same time. */
export async function ensureDatabase(client: pg.Client, name: string): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
  if (rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(name)}`)
}

/** Whether an error means that the server went away or is not there yet, which passes. */
export function isGone(error: unknown): boolean {
  return (
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P01', '57P02', '57P03'].includes(errnoOf(error) ?? '') ||
    /connection terminated|timeout expired|not queryable|connection error/i.test(String(error))
  )
}
