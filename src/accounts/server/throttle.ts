import { sql } from 'drizzle-orm'
import type { Pool } from 'pg'
import { RateLimiterPostgres } from 'rate-limiter-flexible'
import { commonRefusals, refuse } from '../../foundation/refusal.ts'
import type { Tx } from '../../platform/database/database.ts'
import { hashOfToken } from './tokens.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
/** Failed logins per account and address that are free, in a quarter of an hour. Source: decisions.md, "Signing in". */
const FREE_FAILURES = { live: 5, demo: 50 }
const FAILURE_WINDOW = 15 * MINUTE
/** The first wait; each further failure doubles it, up to an hour. Never a permanent lock. */
const FIRST_DELAY = MINUTE
const LONGEST_DELAY = HOUR
/** So long after its last failure a pair starts anew. */
const DELAYS_REMEMBERED = 24 * HOUR
/** Registration, reset, newsletter and verification mails an hour and address; live only. */
const MAILS_AN_HOUR = 300
/** Mails with one-time links an hour and recipient; live only. Source: decisions.md, "Signing in, since". */
const LINKS_AN_HOUR = 5
/** The same in words: true of every answer, so that it gives nobody away. */
export const LINKS_LIMIT_TOLD = 'We send at most five an hour.'

/** Deletes the counters that have run out. They run by the machine's clock, in milliseconds. */
export async function deleteExpiredThrottles(tx: Tx): Promise<void> {
  await tx.execute(sql`delete from throttles where expire <= ${Date.now()}`)
}

/** Slows down guessing and mail floods. Counters live in the database, so all processes share them. */
export function throttles(pool: Pool, mode: 'demo' | 'live') {
  const table = {
    storeClient: pool,
    storeType: 'pool',
    tableName: 'throttles',
    tableCreated: true,
    clearExpiredByTimeout: false,
  }
  const free = FREE_FAILURES[mode]
  const failures = new RateLimiterPostgres({ ...table, keyPrefix: 'login', points: free, duration: FAILURE_WINDOW })
  const delays = new RateLimiterPostgres({ ...table, keyPrefix: 'delay', points: 1, duration: DELAYS_REMEMBERED })
  const mails = new RateLimiterPostgres({ ...table, keyPrefix: 'mail', points: MAILS_AN_HOUR, duration: HOUR })
  const links = new RateLimiterPostgres({ ...table, keyPrefix: 'link', points: LINKS_AN_HOUR, duration: HOUR })
  const pairOf = (account: string, address: string) => `${account.toLowerCase().slice(0, 150)}@${address}`

  return {
    /** Refuses (429) while this account waits at this address. */
    async refuseImpatientLogin(account: string, address: string): Promise<void> {
      const state = await failures.get(pairOf(account, address))
      if (state && state.consumedPoints >= free && state.msBeforeNext > 0) refuse(commonRefusals.too_many_requests)
    },
    /** Counts a failed login; from the last free one on the pair has to wait, longer with every failure. */
    async countFailedLogin(account: string, address: string): Promise<void> {
      const pair = pairOf(account, address)
      // Once a pair has had to wait, no further failure is free.
      const hasWaited = (await delays.get(pair)) !== null
      const { consumedPoints } = await failures.penalty(pair, hasWaited ? free : 1)
      // Below: still free. Beyond: another failure of the same moment has begun the wait.
      if (consumedPoints !== free) return
      const rounds = (await delays.penalty(pair)).consumedPoints
      await failures.block(pair, Math.min(FIRST_DELAY * 2 ** (rounds - 1), LONGEST_DELAY))
    },
    /** A success clears the pair. */
    async forgetFailedLogins(account: string, address: string): Promise<void> {
      const pair = pairOf(account, address)
      await Promise.all([failures.delete(pair), delays.delete(pair)])
    },
    /** Counts a request that sends mail; refuses (429) beyond the hour's number. */
    async countMail(address: string): Promise<void> {
      if (mode === 'demo') return
      const { consumedPoints } = await mails.penalty(address)
      if (consumedPoints > MAILS_AN_HOUR) refuse(commonRefusals.too_many_requests)
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
