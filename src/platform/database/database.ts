import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { PgTable } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { commonRefusals, Refusal } from '#foundation/refusal.ts'
import { currentTimeLimit } from '../http/time-limit.ts'
import type { QueueName, Queues } from '../jobs/queues.ts'
import { type DatabaseLimits, LIMITS } from '../limits.ts'
import { DatabaseUnavailable, databaseErrorOf, isOutage } from './outage.ts'

const { DATE, TIMESTAMPTZ } = pg.types.builtins
/** Dates and instants stay text: a calendar date has no time zone, an instant no day. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === DATE || oid === TIMESTAMPTZ ? (text: string) => text : pg.types.getTypeParser(oid, format),
}

/** Thrown when a transaction finds that it needs locks it has not taken: it is rolled back and runs again. */
export class RetryTransaction extends Error {}

/** How often a transaction runs at most. */
const MAX_RUNS = 10

/**
 * The database, where each statement is its own transaction, or an open transaction. Read-only queries take this, and
 * so do single writes that need no transaction.
 */
export type Reader = Omit<NodePgDatabase, 'transaction'>

/**
 * An open transaction. Jobs queued with `enqueue` exist exactly when it commits; lines given to `logOnCommit` are
 * logged once it has. Use cases take it first and never open one themselves.
 */
export type Tx = Reader & {
  enqueue<Q extends QueueName>(queue: Q, ...jobs: Queues[Q][]): Promise<void>
  logOnCommit(line: LogLine): void
}

/** Fields of a log line. */
export type LogLine = Readonly<Record<string, unknown>>

/**
 * Inserts jobs into a queue, in the transaction that the connection has open. Returns what notifies the workers: it is
 * called once the transaction has committed.
 */
export type Enqueue = <Q extends QueueName>(
  connection: Pick<pg.ClientBase, 'query'>,
  queue: Q,
  jobs: Queues[Q][],
) => Promise<() => void>

export type Database = {
  db: Reader
  /** The driver's pool. Its statements have only the limit for a silent server. */
  pool: pg.Pool
  /** As {@link pool}, each statement with the time limits; for libraries that bring their own SQL. */
  limited: pg.Pool
  /**
   * Runs `work` in one READ COMMITTED transaction. A thrown error rolls it back, and so does the end of the request's
   * time, until COMMIT is sent. `work` runs again when it throws {@link RetryTransaction}.
   *
   * @throws `outcome_unknown` when the connection was lost during COMMIT
   * @throws DatabaseUnavailable when it was lost before
   */
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

type Query = (statement: string | pg.QueryConfig, values?: unknown[]) => Promise<pg.QueryResult>

/**
 * Opens a connection pool to PostgreSQL, or to PgBouncer in transaction mode: time limits are set in each transaction,
 * so they never stay in a shared session.
 *
 * @param url a PostgreSQL URL
 * @param options.enqueue how jobs are queued; absent where none may be (migrations, demo data)
 * @param options.limits the background's unless given
 * @param options.log receives lines that transactions leave
 */
export function openDatabase(
  url: string,
  options: {
    enqueue?: Enqueue
    connections?: number
    name?: string
    limits?: DatabaseLimits
    log?: (line: LogLine) => void
    idleTimeoutMillis?: number
  } = {},
): Database {
  const { enqueue, limits = LIMITS.background, log = () => {} } = options
  // One simple-protocol message, so one round trip.
  const begin = [
    'begin',
    `set local lock_timeout = ${limits.lockMs}`,
    `set local statement_timeout = ${limits.statementMs}`,
    `set local idle_in_transaction_session_timeout = ${limits.idleMs}`,
  ].join('; ')
  const pool = openPool(url, {
    max: options.connections ?? 20,
    application_name: options.name ?? 'studio',
    connectionTimeoutMillis: limits.connectionMs,
    idleTimeoutMillis: options.idleTimeoutMillis,
    query_timeout: limits.silenceMs,
    types,
  })

  async function connect(): Promise<pg.PoolClient> {
    try {
      return await pool.connect()
    } catch (error) {
      throw unavailable(error, 'no connection to the database')
    }
  }

  const limited: Query = async (...statement) => await runInTransaction(await connect(), begin, statement)

  async function runOnce<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    const timeLimit = currentTimeLimit()
    const client = await connect()
    // Closes the connection once the statement under way has ended, so that nothing can be committed.
    const giveUp = () => void client.end()
    timeLimit?.signal.addEventListener('abort', giveUp)
    if (timeLimit?.signal.aborted) giveUp()
    const onCommit: (() => void)[] = []
    let firstFault: unknown
    // Statements that are sent together fail together, and the first to fail is not always the first to be caught.
    const query: Query = (statement, values) =>
      client.query(statement, values).catch((error) => {
        firstFault ??= error
        throw error
      })
    const connection = asClient(query)
    const tx = Object.assign(drizzle({ client: connection }), {
      enqueue: async <Q extends QueueName>(queue: Q, ...jobs: Queues[Q][]) => {
        if (enqueue && jobs.length > 0) onCommit.push(await enqueue(connection, queue, jobs))
      },
      logOnCommit: (line: LogLine) => void onCommit.push(() => log(line)),
    })
    let endCommit: ((isCommitted: boolean) => void) | undefined
    let isLost = false
    try {
      // Awaited: after a failed BEGIN each statement would commit on its own.
      await client.query(begin)
      const result = await work(tx)
      endCommit = timeLimit?.beginCommit() ?? (() => {})
      const { command } = await client.query('commit')
      // After a failed statement PostgreSQL answers COMMIT with ROLLBACK.
      if (command !== 'COMMIT') {
        throw new Error('the transaction was rolled back because a statement had failed', { cause: firstFault })
      }
      endCommit(true)
      for (const act of onCommit) act()
      return result
    } catch (error) {
      await client.query('rollback').catch(() => {
        isLost = true
      })
      endCommit?.(false)
      if (error instanceof Refusal) throw error
      const fault = databaseErrorOf(error)?.code === IN_FAILED_TRANSACTION ? (firstFault ?? error) : error
      if (isLost && endCommit) throw Object.assign(new Refusal(commonRefusals.outcome_unknown), { cause: fault })
      throw isLost ? unavailable(fault, 'the connection was lost') : fault
    } finally {
      timeLimit?.signal.removeEventListener('abort', giveUp)
      client.release(isLost)
    }
  }

  return {
    db: drizzle({ client: asClient(limited) }),
    pool,
    limited: asClient(limited),
    async transaction(work) {
      for (let run = 1; ; run++) {
        try {
          return await runOnce(work)
        } catch (error) {
          if (!(error instanceof RetryTransaction)) throw error
          if (run === MAX_RUNS) throw Object.assign(new Refusal(commonRefusals.unavailable), { cause: error })
        }
      }
    },
    close: () => pool.end(),
  }
}

/**
 * Runs one statement in its own transaction and releases the connection; the three messages travel together.
 *
 * @param begin the statements that begin the transaction
 */
export async function runInTransaction(
  client: pg.PoolClient,
  begin: string,
  statement: Parameters<Query>,
): Promise<pg.QueryResult> {
  const sent = [client.query(begin), client.query(...statement), client.query('commit')] as const
  const ends = await Promise.allSettled(sent)
  const isLost = ends[2].status === 'rejected'
  client.release(isLost)
  try {
    const [, timeLimit] = await Promise.all(sent)
    return timeLimit
  } catch (error) {
    throw isLost ? unavailable(error, 'the connection was lost') : error
  }
}

/** Connections that jobs need every minute stay open. */
export const UNTIL_NEXT_MINUTE_MS = 90_000

/** A pool that survives lost connections, and notices a machine that has gone away. */
export function openPool(url: string, config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    // Statements sent together (`Promise.all`) travel together and run in order.
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // Idle work comes every few seconds, and costs less than a new connection for it.
    min: 1,
    ...config,
  })
  // Without listeners a lost connection would end the process: idle ones report to the pool, those in use to
  // themselves.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Converts the driver's errors to ours: errors without a SQLSTATE mean that the connection failed. */
export function unavailable(error: unknown, message: string): unknown {
  return databaseErrorOf(error) ? error : new DatabaseUnavailable(message, { cause: error, isSlow: true })
}

/** drizzle, pg-boss and rate-limiter-flexible use nothing of a connection but `query`. */
const asClient = (query: Query): pg.Pool => ({ query }) as unknown as pg.Pool

/** Reported for every statement after a failed one. */
const IN_FAILED_TRANSACTION = '25P02'

/** Whether the database refused because of the named constraint or unique index. */
export function violates(error: unknown, constraint: string): boolean {
  return databaseErrorOf(error)?.constraint === constraint
}

/** An open transaction on its own connection; it queues and logs nothing. */
export function asTransaction(client: pg.Client): Tx {
  return Object.assign(drizzle({ client }), { enqueue: async () => {}, logOnCommit: () => {} })
}

/**
 * The only row of a result, such as an insert of one row with `returning`.
 *
 * @throws when there are none or several, which is a bug
 */
export function onlyRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows
  if (row === undefined || rows.length > 1) throw new Error(`expected one row, got ${rows.length}`)
  return row
}

/**
 * Runs `work` for each row in its own transaction. A row that fails does not hold up the others; at the end the job
 * fails with the first error. An outage ends it at once.
 */
export async function inOwnTransactions<Row>(
  { transaction }: Pick<Database, 'transaction'>,
  rows: readonly Row[],
  work: (tx: Tx, row: Row) => Promise<unknown>,
): Promise<void> {
  const errors: unknown[] = []
  for (const row of rows) {
    try {
      await transaction((tx) => work(tx, row))
    } catch (error) {
      if (isOutage(error)) throw error
      errors.push(error)
    }
  }
  if (errors.length > 0) throw new Error(`${errors.length} of ${rows.length} rows failed`, { cause: errors[0] })
}

/** At most `limit` lines of an append-only record from `until` or earlier, except those that `keeps` selects. */
export type OldRecords<Keeps> = { until: Temporal.Instant; limit: number; keeps: Keeps }

/** Erases old lines of an append-only record, the oldest first. Returns how many. */
export async function eraseRecords(
  tx: Tx,
  records: PgTable & Record<'id' | 'at', AnyColumn>,
  { until, limit, keeps }: OldRecords<SQL>,
): Promise<number> {
  // Lets the record's trigger delete these lines, for the rest of the transaction.
  await tx.execute(sql`select set_config('studio.records_end', ${until.toString()}, true)`)
  const { rows } = await tx.execute<{ id: number }>(sql`delete from ${records} where ${records.id} in (
    select ${records.id} from ${records} where ${records.at} <= ${until.toString()}::timestamptz and not ${keeps}
    order by ${records.at}, ${records.id} limit ${limit}) returning ${records.id}`)
  return rows.length
}
