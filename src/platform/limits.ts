/** How long the work with the database may wait and take, in milliseconds. */
export type DatabaseLimits = {
  /** Waiting for a connection, a new one or one that others use. */
  connectionMs: number
  /** Waiting for a row that another transaction holds. */
  lockMs: number
  /** One statement, its waiting for locks included. */
  statementMs: number
  /** A statement, or a COMMIT, that is not answered although PostgreSQL should have ended it: it, or the way there, stands still. */
  silenceMs: number
  /** An open transaction in which nothing happens. */
  idleMs: number
}

/**
 * How long anything may take, in milliseconds. Each is longer than what it encloses: the innermost gives up first and
 * undoes. Source: docs/studio-rules.md#limits-of-ours
 */
export type Limits = {
  web: DatabaseLimits
  /** Jobs, exports and the demo's data; migrations wait no longer for a lock either. */
  background: DatabaseLimits
  /** Health checks and figures. A busy machine must not look like a missing database, which would take it out. */
  watch: DatabaseLimits
  /** All calls of the card provider that one answer needs, their repeats included. */
  providerMs: number
  /** A whole answer, from the request's arrival. */
  answerMs: number
  /** The answer that is an export. */
  exportMs: number
  /** A request that is still arriving. */
  requestMs: number
  /** A connection on which nothing moves. */
  socketMs: number
  /** What a connection whose time is up has left to show that it was the process that stood still. */
  socketGraceMs: number
}

export const LIMITS: Limits = {
  web: { connectionMs: 3000, lockMs: 3000, statementMs: 8000, silenceMs: 10_000, idleMs: 15_000 },
  background: { connectionMs: 10_000, lockMs: 15_000, statementMs: 60_000, silenceMs: 70_000, idleMs: 60_000 },
  watch: { connectionMs: 3000, lockMs: 1000, statementMs: 4000, silenceMs: 5000, idleMs: 5000 },
  providerMs: 10_000,
  answerMs: 12_000,
  exportMs: 25_000,
  requestMs: 15_000,
  socketMs: 30_000,
  socketGraceMs: 5000,
}
