import pg from 'pg'

/** The database cannot be reached, a connection was lost, or no response came in time. Nothing was committed. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'
  /** It may only be slow; otherwise the connection was refused or closed. */
  readonly isSlow: boolean

  constructor(message: string, { cause, isSlow }: { cause: unknown; isSlow: boolean }) {
    super(message, { cause })
    this.isSlow = isSlow
  }
}

/** Temporary SQLSTATEs: a time limit, a stop, no writes now. Whole classes: 08 (connection), 53 (resources used up). */
const TEMPORARY = new Set([
  '55P03', // lock_timeout
  '57014', // statement_timeout, or cancelled
  '57P01', // server is shutting down
  '57P02', // server crashed
  '57P03', // server is starting
  '57P05', // idle_session_timeout
  '25P03', // idle_in_transaction_session_timeout
  '25006', // read only
  '40P01', // deadlock: the lock order was broken (docs/decisions/0004)
  '40001', // serialisation failure
  '58030', // disk cannot be read or written
])
const TEMPORARY_CLASSES = new Set(['08', '53'])

/** Whether the database is temporarily unavailable, so that the same request may succeed a little later. */
export function isOutage(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof DatabaseUnavailable) return true
    if (cause instanceof pg.DatabaseError && cause.code) {
      return TEMPORARY.has(cause.code) || TEMPORARY_CLASSES.has(cause.code.slice(0, 2))
    }
  }
  return false
}

/** PostgreSQL's SQLSTATE and constraint name, if `error` or one of its causes came from there. */
export function databaseErrorOf(error: unknown): { code: string; constraint: string | undefined } | undefined {
  const found = postgresErrorIn(error)
  return found?.code ? { code: found.code, constraint: found.constraint } : undefined
}

/** PostgreSQL's own message. Unlike drizzle's it does not contain the statement's values. */
export const databaseMessageOf = (error: unknown): string | undefined => postgresErrorIn(error)?.message

function postgresErrorIn(error: unknown): pg.DatabaseError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof pg.DatabaseError && cause.code) return cause
  }
  return undefined
}
