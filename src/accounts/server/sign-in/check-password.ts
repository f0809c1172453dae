import type { Clock } from '#foundation/instants.ts'
import type { Database, Tx } from '#platform/database/database.ts'
import { recordSecurity } from '#security/server/security.ts'
import type { Device } from '../sessions/sessions.ts'
import type { UserWithEmail } from '../users.ts'
import { raiseAlarm, warnOwnerOfFailures } from './alarms.ts'
import { type PasswordCost, passwordFits } from './passwords.ts'
import type { Attempt, LoginThrottle } from './throttle.ts'

/** `user` is undefined if the account does not exist. */
function whyFailed(user: UserWithEmail | undefined) {
  if (!user) return 'unknown_account'
  return user.passwordHash ? 'wrong_password' : 'no_password'
}

type TypedPassword = { user: UserWithEmail | undefined; password: string; attempt: Attempt; device: Device }

/**
 * Checks passwords: limits and records failures, and emails the account's owner after many. An unknown account takes as
 * long as a known one. Refuses (429) while the caller has to wait.
 */
export function passwordChecks(context: {
  database: Database
  clock: Clock
  mode: 'demo' | 'live'
  passwordCost: PasswordCost
  throttle: LoginThrottle
}) {
  const { database, clock, mode, passwordCost, throttle } = context

  type Counted = Awaited<ReturnType<LoginThrottle['countFailed']>>
  async function noteFailure(
    tx: Tx,
    { user, device }: TypedPassword,
    { waits, isAlarming, isAlarmingEverywhere }: Counted,
  ): Promise<void> {
    const now = clock.now()
    const subject = user?.id ?? null
    const details = { method: 'password', why: whyFailed(user), ...device } as const
    await recordSecurity(tx, { kind: 'sign_in_failed', outcome: 'failed', subject, details }, now)
    for (const wait of waits) {
      const about = wait.scope === 'address' ? null : subject
      await recordSecurity(tx, { kind: 'throttled', outcome: 'refused', subject: about, details: wait }, now)
    }
    if (isAlarming && user) await raiseAlarm(tx, 'many_failures', user, { mode, now, device })
    if (isAlarmingEverywhere) {
      await recordSecurity(tx, { kind: 'many_failures', outcome: 'failed' }, now)
      await warnOwnerOfFailures(tx, now)
    }
  }

  return async function fits(typed: TypedPassword): Promise<boolean> {
    const { user, password, attempt } = typed
    await throttle.refuseWhileWaiting(attempt)
    const isRight = await passwordFits(user?.passwordHash, password, passwordCost)
    // Concurrent guesses must not bypass the wait: refuse this one, right or wrong.
    await throttle.refuseWhileWaiting(attempt)
    if (isRight) await throttle.forget(attempt)
    else {
      // Counted first: a transaction that waits for a second connection keeps others from their first.
      const counted = await throttle.countFailed(attempt)
      await database.transaction((tx) => noteFailure(tx, typed, counted))
    }
    return isRight
  }
}
export type PasswordChecks = ReturnType<typeof passwordChecks>
