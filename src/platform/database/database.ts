import { sql } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { commonRefusals, Refusal } from '../../foundation/refusal.ts'
import { currentAnswer } from '../http/answer.ts'
import type { QueueName, Queues, SendOptions } from '../jobs/queues.ts'
import { type DatabaseLimits, LIMITS } from '../limits.ts'
import { Connection } from './connection.ts'
import { isConnectionLost } from './outage.ts'

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
  /**
   * Runs `work` in one READ COMMITTED transaction; a thrown error rolls it back, and so does the end of the time that
   * an answer has, until COMMIT is sent. Deadlocks are tried again.
   *
   * @throws `outcome_unknown` when the connection was lost while it was being committed
   */
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
 * @param options.enqueue how jobs are queued; absent where nothing may be queued (migrating, loading demo data)
 * @param options.limits those of the background unless stated; they are told to PostgreSQL when a connection is opened
 */
export function openDatabase(
  url: string,
  options: { enqueue?: Enqueue; connections?: number; name?: string; limits?: DatabaseLimits } = {},
): Database {
  const limits = options.limits ?? LIMITS.background
  const pool = new pg.Pool({
    Client: Connection,
    types,
    connectionString: url,
    max: options.connections ?? 20,
    application_name: options.name ?? 'studio',
    connectionTimeoutMillis: limits.connectionMs,
    lock_timeout: limits.lockMs,
    statement_timeout: limits.statementMs,
    idle_in_transaction_session_timeout: limits.idleMs,
  })
  // A connection lost while idle is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  const db = drizzle({ client: pool })
  const enqueue = options.enqueue

  async function once<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    const answer = currentAnswer()
    const connection = await checkOut(pool, answer?.signal)
    let settle: ((isCommitted: boolean) => void) | undefined
    try {
      const result = await connection.db.transaction(async (transaction) => {
        const tx: Tx = Object.assign(transaction, {
          enqueue: <Q extends QueueName>(queue: Q, data: Queues[Q], sendOptions?: SendOptions) =>
            enqueue ? enqueue(transaction, queue, data, sendOptions) : Promise.resolve(),
        })
        const done = await work(tx)
        settle = answer?.beginCommit() ?? (() => {})
        return done
      })
      settle?.(true)
      return result
    } catch (error) {
      settle?.(false)
      if (settle && isConnectionLost(error)) {
        throw Object.assign(new Refusal(commonRefusals.outcome_unknown), { cause: error })
      }
      throw error
    } finally {
      connection.release()
    }
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

/** Drizzle's view of each connection. */
const views = new WeakMap<pg.PoolClient, Db>()

/**
 * Takes a connection out of the pool. When `signal` fires it is closed, which undoes what was not committed, whatever
 * the server is waiting for.
 */
async function checkOut(pool: pg.Pool, signal: AbortSignal | undefined): Promise<{ db: Db; release(): void }> {
  const client = await pool.connect()
  const db = views.get(client) ?? (drizzle({ client }) as unknown as Db)
  views.set(client, db)
  let isOut = true
  const giveBack = (broken?: boolean) => {
    if (!isOut) return
    isOut = false
    client.off('error', close)
    signal?.removeEventListener('abort', close)
    client.release(broken)
  }
  const close = () => giveBack(true)
  // Without a listener a connection that is lost would end the process.
  client.on('error', close)
  signal?.addEventListener('abort', close)
  if (signal?.aborted) close()
  return { db, release: () => giveBack() }
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
