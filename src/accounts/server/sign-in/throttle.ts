import { sql } from 'drizzle-orm'
import type { Pool } from 'pg'
import { RateLimiterPostgres } from 'rate-limiter-flexible'
import { commonRefusals, refuseUntil } from '#foundation/refusal.ts'
import type { Tx } from '#platform/database/database.ts'
import { hashOfToken } from '../tokens.ts'
import { loginThrottle } from './login-throttle.ts'
import { sourceOf, throttleTable } from './throttle-table.ts'

const HOUR = 3600
/** Registration, reset, newsletter and verification mails an hour and address; live only. */
const MAILS_AN_HOUR = 300
/** Mails with one-time links an hour and recipient; live only. Source: docs/studio-rules.md#signing-in */
const LINKS_AN_HOUR = 5
/** The same in words: true of every answer, so that it gives nobody away. */
export const LINKS_LIMIT_TOLD = 'We send at most five an hour.'

/** Deletes the counters that have run out. They run by the machine's clock, in milliseconds. */
export async function deleteExpiredThrottles(tx: Tx): Promise<void> {
  await tx.execute(sql`delete from throttles where expire <= ${Date.now()}`)
}

/** Slows down guessing and mail floods. Counters live in the database, so all processes share them. */
export function throttles(pool: Pool, mode: 'demo' | 'live') {
  const table = throttleTable(pool)
  const mails = new RateLimiterPostgres({ ...table, keyPrefix: 'mail', points: MAILS_AN_HOUR, duration: HOUR })
  const links = new RateLimiterPostgres({ ...table, keyPrefix: 'link', points: LINKS_AN_HOUR, duration: HOUR })

  return {
    login: loginThrottle(pool, mode),
    /** Counts a request that sends mail; refuses (429) beyond the hour's number. */
    async countMail(address: string): Promise<void> {
      if (mode === 'demo') return
      const { consumedPoints, msBeforeNext } = await mails.penalty(sourceOf(address))
      if (consumedPoints > MAILS_AN_HOUR) refuseUntil(commonRefusals.too_many_requests, msBeforeNext / 1000)
    },
    /** Counts a mail with a one-time link; false: this recipient has had the hour's number, whoever asked for them. */
    async mayMailLink(email: string): Promise<boolean> {
      if (mode === 'demo') return true
      // Hashed: an address is longer than a key may be, and has no business here.
      const { consumedPoints } = await links.penalty(hashOfToken(email.toLowerCase()).toString('base64url'))
      return consumedPoints <= LINKS_AN_HOUR
    },
  }
}
export type Throttles = ReturnType<typeof throttles>
