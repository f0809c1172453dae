import type { PasswordCost } from '#accounts/server/accounts.ts'
import { LIMITS, type Limits } from '#platform/limits.ts'

/** Fast password hashing, for tests of something else. */
export const CHEAP_PASSWORDS: PasswordCost = { memoryCost: 64, timeCost: 1, parallelism: 1 }

/** Health checks fail because the database is gone, never because the machine is slow. */
const PATIENT_WATCH = { connectionMs: 20_000, lockMs: 20_000, statementMs: 25_000, silenceMs: 60_000, idleMs: 90_000 }

/** For tests of something else, so that a busy machine does not cause timeouts. */
export const PATIENT_LIMITS: Limits = {
  ...LIMITS,
  web: { connectionMs: 20_000, lockMs: 20_000, statementMs: 25_000, silenceMs: 27_000, idleMs: 90_000 },
  watch: PATIENT_WATCH,
  providerMs: 25_000,
  responseMs: 28_000,
}

/** The same limits at about an eighth of the time. */
export const SHORT_LIMITS: Limits = {
  web: { connectionMs: 800, lockMs: 250, statementMs: 800, silenceMs: 1200, idleMs: 2000 },
  background: { connectionMs: 8000, lockMs: 8000, statementMs: 8000, silenceMs: 9000, idleMs: 8000 },
  watch: PATIENT_WATCH,
  providerMs: 1000,
  responseMs: 1500,
  exportMs: 10_000,
  requestMs: 5000,
  socketMs: 20_000,
  socketGraceMs: 5000,
}
