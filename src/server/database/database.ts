import { sql } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type { QueueName, Queues, SendOptions } from '../jobs/queues.ts'
import { Connection } from './connection.ts'

const { DATE, TIMESTAMPTZ } = pg.types.builtins
/** Dates and instants stay text on our connections: a calendar date has no time zone, an instant no day. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === DATE || oid === TIMESTAMPTZ ? (text: string) => text : pg.types.getTypeParser(oid, format),
}

/** For reading outside a transaction. */
export type Db = NodePgDatabase

type DrizzleTransaction = Parameters<Parameters<Db['transaction']>[0]>[0]

/**
 * An open transaction and what it can put into the outbox: a job queued with `enqueue` exists exactly
 * when the transaction commits. Use cases take it first and never open one themselves.
 */
export type Tx = DrizzleTransaction & {
  enqueue<Q extends QueueName>(queue: Q, data: Queues[Q], options?: SendOptions): Promise<void>
}

/** Either; queries that only read take this. */
export type Reader = Db | Tx

/** Puts one job into the queue's table inside the given transaction. */
export type Enqueue = <Q extends QueueName>(
  tx: DrizzleTransaction,
  queue: Q,
  data: Queues[Q],
  options?: SendOptions,
) => Promise<void>

export type Database = {
  db: Db
  pool: pg.Pool
  /** Runs `work` in one READ COMMITTED transaction; a thrown error rolls it back. Deadlocks are tried again. */
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

/** A deadlock; or a statement that travelled with the one that met it, and was told only that the transaction has failed. */
const WORTH_TRYING_AGAIN = new Set(['40P01', '25P02'])
const ATTEMPTS = 5

/**
 * Opens a pool of connections.
 *
 * @param url a PostgreSQL URL
 * @param enqueue how jobs are queued; absent where nothing may be queued (migrating, loading demo data)
 */
export function openDatabase(
  url: string,
  options: { enqueue?: Enqueue; connections?: number; name?: string } = {},
): Database {
  const pool = new pg.Pool({
    Client: Connection,
    types,
    connectionString: url,
    max: options.connections ?? 20,
    application_name: options.name ?? 'studio',
    connectionTimeoutMillis: 10_000,
    // A statement that hangs must not hold its locks for ever.
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 30_000,
  })
  // A connection lost while idle is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  const db = drizzle({ client: pool })
  const enqueue = options.enqueue

  async function once<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    return await db.transaction(async (transaction) => {
      const tx: Tx = Object.assign(transaction, {
        enqueue: <Q extends QueueName>(queue: Q, data: Queues[Q], sendOptions?: SendOptions) =>
          enqueue ? enqueue(transaction, queue, data, sendOptions) : Promise.resolve(),
      })
      return await work(tx)
    })
  }

  return {
    db,
    pool,
    async transaction(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await once(work)
        } catch (error) {
          if (!WORTH_TRYING_AGAIN.has(databaseErrorOf(error)?.code ?? '') || attempt === ATTEMPTS) throw error
        }
      }
    },
    close: () => pool.end(),
  }
}

/** What PostgreSQL said, if `error` (or what caused it) came from there: SQLSTATE and the constraint's name. */
export function databaseErrorOf(error: unknown): { code: string; constraint: string | undefined } | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof pg.DatabaseError && cause.code) return { code: cause.code, constraint: cause.constraint }
  }
  return undefined
}

/** Whether the database refused because of the named constraint or unique index. */
export function violates(error: unknown, constraint: string): boolean {
  return databaseErrorOf(error)?.constraint === constraint
}

/** Asks the database for a one-column, one-row answer: is it there and willing? */
export async function ping(db: Reader): Promise<void> {
  await db.execute(sql`select 1`)
}
