import pg from 'pg'

/**
 * SQLSTATEs that say "not now" instead of "never": time is up, the server is going down or full, or it does not write.
 * Whole classes: 08 (connection), 53 (disk, memory or connections used up).
 */
const STATES = new Set([
  '55P03', // waited for a lock for too long
  '57014', // ran for too long
  '57P01', // the server is stopped
  '57P02', // crashed
  '57P03', // not up yet
  '57P05', // idle for too long
  '25P03', // idle in a transaction for too long
  '25006', // read only
  '40P01', // a deadlock: somebody broke the lock order (docs/decisions/0004)
  '40001', // the same among serializable transactions
  '58030', // the disk cannot be read or written
])
const CLASSES = new Set(['08', '53'])

/** What the network says of a server that cannot be reached. */
const SYSTEM = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** The driver's own errors have no code. */
const DRIVER =
  /^(timeout exceeded when trying to connect|timeout expired|Connection terminated|Client was closed|Client has encountered a connection error|Cannot use a pool after calling end)/

/** Whether the database could not be asked in time, so that the same may well succeed a little later. */
export function isOutage(error: unknown): boolean {
  return causesOf(error).some((cause) => {
    const code = 'code' in cause ? String(cause.code) : ''
    if (cause instanceof pg.DatabaseError) return STATES.has(code) || CLASSES.has(code.slice(0, 2))
    return SYSTEM.has(code) || DRIVER.test(cause.message)
  })
}

/** Whether a connection was lost, so that what was asked last may or may not have been done. */
export function isConnectionLost(error: unknown): boolean {
  return causesOf(error).some((cause) => {
    const code = 'code' in cause ? String(cause.code) : ''
    return cause instanceof pg.DatabaseError ? /^(57P0|08)/.test(code) : SYSTEM.has(code) || DRIVER.test(cause.message)
  })
}

function causesOf(error: unknown): Error[] {
  const causes: Error[] = []
  for (let cause = error; cause instanceof Error && causes.length < 10; cause = cause.cause) causes.push(cause)
  return causes
}
