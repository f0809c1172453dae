import { sql } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { commonRefusals, Refusal } from '#foundation/refusal.ts'
import { currentAnswer } from '../http/answer.ts'
import type { QueueName, Queues } from '../jobs/queues.ts'
import { type DatabaseLimits, LIMITS } from '../limits.ts'
import { checkOut, limitedPool, limitsInForce } from './check-out.ts'
import { isConnectionLost } from './outage.ts'

const { DATE, TIMESTAMPTZ } = pg.types.builtins
/** Dates and instants stay text on our connections: a calendar date has no time zone, an instant no day. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === DATE || oid === TIMESTAMPTZ ? (text: string) => text : pg.types.getTypeParser(oid, format),
}

/** Thrown by a transaction's work when what it has to lock first is more by now: it is undone and runs again from the start. */
export class BeginAgain extends Error {}

/** How often a transaction's work runs at most; each time somebody else has come first. */
const RUNS = 10

/** What asks: the database, where each statement stands alone, or an open transaction. Queries that only read take this. */
export type Reader = Omit<NodePgDatabase, 'transaction'>

/** For reading outside a transaction. */
export type Db = Reader

/**
 * An open transaction and what it can put into the outbox: jobs queued with `enqueue` exist exactly when the transaction
 * commits, and are written by one statement. Use cases take it first and never open one themselves.
 * `logOnCommit` hands a line to the log once it is committed; what is undone leaves none there.
 */
export type Tx = Reader & {
  enqueue<Q extends QueueName>(queue: Q, ...jobs: Queues[Q][]): Promise<void>
  logOnCommit(line: LogLine): void
}

/** Fields of a line of the log. */
export type LogLine = Readonly<Record<string, unknown>>

/** Puts jobs into the queue's table inside the transaction that the connection has open. */
export type Enqueue = <Q extends QueueName>(
  connection: Pick<pg.ClientBase, 'query'>,
  queue: Q,
  jobs: Queues[Q][],
) => Promise<void>

export type Database = {
  db: Db
  /** The driver's pool. What is asked of it directly has no time limits behind a pooler. */
  pool: pg.Pool
  /** As {@link pool}, each statement within the limits; for libraries that bring their own SQL. */
  limited: pg.Pool
  /**
   * Runs `work` in one READ COMMITTED transaction; a thrown error rolls it back, and so does the end of the time that
   * an answer has, until COMMIT is sent. `work` runs again when it throws {@link BeginAgain}, and must be fit for that.
   *
   * @throws `outcome_unknown` when the connection was lost while it was being committed
   */
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

/**
 * Opens a pool of connections, to PostgreSQL or to a transaction pooler before it ({@link limitsInForce}).
 *
 * @param url a PostgreSQL URL
 * @param options.enqueue how jobs are queued; absent where nothing may be queued (migrating, loading demo data)
 * @param options.limits those of the background unless stated
 * @param options.log where lines go that transactions leave ({@link Tx}); absent where nobody keeps a log
 */
export function openDatabase(
  url: string,
  options: {
    enqueue?: Enqueue
    connections?: number
    name?: string
    limits?: DatabaseLimits
    log?: (line: LogLine) => void
  } = {},
): Database {
  const { enqueue, limits = LIMITS.background, log = () => {} } = options
  const inForce = limitsInForce(limits)
  const pool = new pg.Pool({
    onConnect: inForce.onConnect,
    // Statements that are asked for together (`Promise.all`) travel together and run in the order of the asking.
    pipeline: true,
    types,
    connectionString: url,
    max: options.connections ?? 20,
    application_name: options.name ?? 'studio',
    connectionTimeoutMillis: limits.connectionMs,
    // A machine that is gone says nothing: without this nobody would ever hear of it on a connection that waits.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  })
  // A connection lost while idle is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  const limited = limitedPool(pool, inForce, limits.silenceMs)

  type OnConnection = { tx: Tx; faults: Faults; lines: LogLine[] }
  const transactions = new WeakMap<pg.PoolClient, OnConnection>()
  function transactionOn(client: pg.PoolClient): OnConnection {
    const known = transactions.get(client)
    if (known) return known
    const faults = new Faults()
    const lines: LogLine[] = []
    const heard = faults.heardOn(client)
    const tx = Object.assign(drizzle({ client: heard }), {
      enqueue: <Q extends QueueName>(queue: Q, ...jobs: Queues[Q][]) =>
        enqueue && jobs.length > 0 ? enqueue(heard, queue, jobs) : Promise.resolve(),
      logOnCommit: (line: LogLine) => void lines.push(line),
    })
    const made = { tx, faults, lines }
    transactions.set(client, made)
    return made
  }

  async function inTransaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    const answer = currentAnswer()
    const { client, release, unlessSilent } = await checkOut(pool, limits.silenceMs, answer?.signal)
    let settle: ((isCommitted: boolean) => void) | undefined
    const { tx, faults, lines } = transactionOn(client)
    faults.forget()
    lines.length = 0
    try {
      await unlessSilent(client.query(inForce.begin(client)))
      const result = await work(tx)
      settle = answer?.beginCommit() ?? (() => {})
      const { command } = await unlessSilent(client.query('commit'))
      // What PostgreSQL answers when a statement had failed and nobody minded: it has undone everything.
      if (command !== 'COMMIT') throw new Error('a statement of the transaction had failed, so it was undone')
      settle(true)
      for (const line of lines) log(line)
      return result
    } catch (error) {
      await unlessSilent(client.query('rollback')).catch(() => release(true))
      settle?.(false)
      if (databaseErrorOf(error)?.code === AFTERMATH) throw faults.first ?? error
      if (settle && isConnectionLost(error)) {
        throw Object.assign(new Refusal(commonRefusals.outcome_unknown), { cause: error })
      }
      throw error
    } finally {
      release()
    }
  }

  return {
    db: drizzle({ client: limited }),
    pool,
    limited,
    async transaction(work) {
      for (let run = 1; ; run++) {
        try {
          return await inTransaction(work)
        } catch (error) {
          if (!(error instanceof BeginAgain)) throw error
          if (run === RUNS) throw Object.assign(new Refusal(commonRefusals.unavailable), { cause: error })
        }
      }
    },
    close: () => pool.end(),
  }
}

/** Said of every statement after the one that failed, until the transaction is undone. */
const AFTERMATH = '25P02'

/**
 * Of statements that travel together the one at fault is the first to fail, though not always the first whose failure
 * reaches who asked: this remembers it.
 */
class Faults {
  first: unknown

  forget(): void {
    this.first = undefined
  }

  heardOn(client: pg.PoolClient): pg.PoolClient {
    const query = async (...asked: Parameters<pg.ClientBase['query']>) => {
      try {
        return await client.query(...asked)
      } catch (error) {
        this.first ??= error
        throw error
      }
    }
    return Object.create(client, { query: { value: query } })
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

/** A transaction that is open on a connection of its own, as use cases take one; it queues and logs nothing. */
export function asTransaction(client: pg.Client): Tx {
  return Object.assign(drizzle({ client }), { enqueue: async () => {}, logOnCommit: () => {} })
}

/**
 * The row of a statement that answers exactly one, such as an insert of one row with `returning`.
 *
 * @throws when there is none, or more: a fault of the program, not a rule that says no
 */
export function onlyRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows
  if (row === undefined || rows.length > 1) throw new Error(`one row was expected, ${rows.length} came`)
  return row
}

/** For the rest of the transaction the records' own triggers let go of lines as old as `until`, and of no others. */
export async function allowErasingRecords(tx: Tx, until: Temporal.Instant): Promise<void> {
  await tx.execute(sql`select set_config('studio.records_end', ${until.toString()}, true)`)
}
