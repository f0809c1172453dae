import type { Pool } from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { commonRefusals, refuse, refuseUntil } from '#foundation/refusal.ts'
import type { Database, Tx } from '#platform/database/database.ts'
import { recordSecurity } from '#security/server/security.ts'
import { factorRefusals, type PasskeyAnswer } from '../../contract-factors.ts'
import { type ChallengePurpose, type Proof, readCode } from '../../factor-rules.ts'
import { throttleTable } from '../sign-in/throttle.ts'
import { type SecretBox, redeemAppCode, redeemRecoveryCode } from './codes.ts'
import { recordPasskeyUse, verifyPasskey, type Site } from './passkeys.ts'

type ProofContext = {
  database: Database
  site: Site
  secrets: SecretBox
  attempts: CodeAttempts
  now: Temporal.Instant
}

/**
 * Checks a passkey or a code, and does in the same transaction what it opens: what was used up for nothing would be lost,
 * and what opens twice is no proof. Refuses what does not fit.
 *
 * @param finish what is done; refused by it, a code is not used up
 */
export async function withVerifiedFactor<Result>(
  parts: ProofContext,
  { user, purpose }: { user: { id: string }; purpose: Exclude<ChallengePurpose, 'sign_in' | 'add'> },
  given: { code?: string | null; passkey?: PasskeyAnswer | null },
  finish: (tx: Tx, proof: Proof) => Promise<Result>,
): Promise<Result> {
  const { database, now } = parts
  if (given.passkey) {
    const used = await verifyPasskey(parts, given.passkey, { purpose, userId: user.id })
    return await database.transaction(async (tx) => {
      await recordPasskeyUse(tx, used, now)
      return await finish(tx, 'passkey')
    })
  }
  await parts.attempts.count(user.id)
  const done = await database.transaction(async (tx) => {
    const proof = await takeCode(tx, parts, user.id, given.code ?? '')
    return proof && { result: await finish(tx, proof) }
  })
  if (!done) {
    const details = { factor: 'totp', why: 'wrong_code' } as const
    const failed = { kind: 'second_factor_failed', outcome: 'failed', subject: user.id, details } as const
    await database.transaction((tx) => recordSecurity(tx, failed, now))
    const { invalid_code } = factorRefusals
    refuse(invalid_code, [{ path: 'code', message: invalid_code.message }])
  }
  await parts.attempts.forget(user.id)
  return done.result
}

async function takeCode(
  tx: Tx,
  { secrets, now }: Pick<ProofContext, 'secrets' | 'now'>,
  userId: string,
  typed: string,
): Promise<'totp' | 'recovery_code' | undefined> {
  const read = readCode(typed)
  if (!read) return undefined
  const { kind, code } = read
  if (kind === 'app') return (await redeemAppCode(tx, secrets, { userId, code }, now)) ? 'totp' : undefined
  return (await redeemRecoveryCode(tx, { userId, code })) ? 'recovery_code' : undefined
}

/** Wrong codes of an account in a quarter of an hour, wherever they come from; ours. Passkeys cannot be guessed and are not counted. */
const FREE = { live: 5, demo: 50 }
const WINDOW_SECONDS = 15 * 60

/**
 * Slows down guessing at codes, per account over all addresses: whoever gets here has the password already. Counted before
 * the code is looked at, so that guesses sent at once are no way around it.
 */
export function codeAttempts(pool: Pool, mode: 'demo' | 'live') {
  const limiter = new RateLimiterPostgres({
    ...throttleTable(pool),
    keyPrefix: 'code',
    points: FREE[mode],
    duration: WINDOW_SECONDS,
  })
  return {
    /** Counts a try; refuses (429) when there were too many. */
    async count(userId: string): Promise<void> {
      await limiter.consume(userId).catch((reason: unknown) => {
        if (reason instanceof RateLimiterRes) refuseUntil(commonRefusals.too_many_requests, reason.msBeforeNext / 1000)
        throw reason
      })
    },
    /** The try was right. */
    async forget(userId: string): Promise<void> {
      await limiter.delete(userId)
    },
  }
}
export type CodeAttempts = ReturnType<typeof codeAttempts>
