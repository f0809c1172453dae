/** Time limits of database work, in milliseconds. */
export type DatabaseLimits = {
  /** Waiting for a connection from the pool, or a new one. */
  connectionMs: number
  /** Waiting for another transaction's lock. */
  lockMs: number
  /** One statement, including waiting for locks. */
  statementMs: number
  /** A statement that PostgreSQL should have ended but never answered: the server or the network hangs. */
  silenceMs: number
  /** An idle open transaction. */
  idleMs: number
}

/**
 * Time limits in milliseconds. Each is longer than those inside it, so the innermost fires first and rolls back.
 * Source: docs/studio-rules.md#limits-of-ours
 */
export type Limits = {
  web: DatabaseLimits
  /** Jobs, exports and demo data; migrations have its lock limit. */
  background: DatabaseLimits
  /** Health checks and metrics: a busy machine must not look like an absent database. */
  watch: DatabaseLimits
  /** All calls to the card provider for one response, retries included. */
  providerMs: number
  /** A whole response, from the request's arrival. */
  responseMs: number
  exportMs: number
  /** Receiving a request. */
  requestMs: number
  /** An idle connection. */
  socketMs: number
  /** Extra time for a connection after a process stood still. */
  socketGraceMs: number
}

export const LIMITS: Limits = {
  web: { connectionMs: 3000, lockMs: 3000, statementMs: 8000, silenceMs: 10_000, idleMs: 15_000 },
  background: { connectionMs: 10_000, lockMs: 15_000, statementMs: 60_000, silenceMs: 70_000, idleMs: 60_000 },
  watch: { connectionMs: 3000, lockMs: 1000, statementMs: 4000, silenceMs: 5000, idleMs: 5000 },
  providerMs: 10_000,
  responseMs: 12_000,
  exportMs: 25_000,
  requestMs: 15_000,
  socketMs: 30_000,
  socketGraceMs: 5000,
}
