import type { Pool } from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { commonRefusals, refuseUntil } from '#foundation/refusal.ts'
import { throttleTable } from '../sign-in/throttle-table.ts'

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
