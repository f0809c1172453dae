import { sql } from 'drizzle-orm'
import type { Pool } from 'pg'
import { RateLimiterPostgres } from 'rate-limiter-flexible'
import { commonRefusals, refuseUntil } from '#foundation/refusal.ts'
import type { Tx } from '#platform/database/database.ts'
import { networkOf } from '#platform/http/network.ts'
import { hashOfToken } from '../one-time-links.ts'

/** Registration, reset, newsletter and verification mails an hour and address; live only. */
const MAILS_AN_HOUR = 300
/** Mails with one-time links an hour and recipient; live only. Source: docs/studio-rules.md#signing-in */
const LINKS_AN_HOUR = 5
/** The same in words: true of every answer, so that it gives nobody away. */
export const LINKS_LIMIT_NOTICE = 'We send at most five an hour.'

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

const MINUTE = 60
const HOUR = 60 * MINUTE
/** Failed logins per account and address that are free, in a quarter of an hour. Source: docs/studio-rules.md#signing-in */
const FREE_FAILURES = { live: 5, demo: 50 }
const FAILURE_WINDOW = 15 * MINUTE
/** The first wait; each further failure doubles it, up to an hour. Never a permanent lock. */
const FIRST_DELAY = MINUTE
const LONGEST_DELAY = HOUR
/** So long after its last failure a pair starts anew. */
const DELAYS_REMEMBERED = 24 * HOUR

// Live only. Source: docs/studio-rules.md#signing-in, where the first wait and how often an alarm comes are ours.
/** From so many failures of an account in an hour, over all addresses, each try waits; the wait doubles up to the longest. */
const ACCOUNT_FAILURES = 30
const ACCOUNT_FIRST_WAIT = 10
const ACCOUNT_LONGEST_WAIT = MINUTE
/** From so many failures of an address in an hour, over all accounts, it waits for the hour's end. */
const ADDRESS_FAILURES = 60
/** After so many failures of an account in an hour whoever it belongs to is told, once in so long. */
const ALARMING_FAILURES = 10
const ALARM_EVERY = 6 * HOUR
/**
 * From so many failures of the whole site in an hour its owner is told: one password tried at many accounts, from many addresses,
 * meets no other count. Nobody waits for it, so it is no weapon. Ours.
 */
const SITE_FAILURES = 200

/** A try to log in. */
export type Attempt = {
  /** The account's id, or the name that was tried where there is none. */
  account: string
  address: string
  /** Whoever tries is signed in to this very account. */
  isOwn: boolean
}
/** What has to wait from now on, and for how long. */
type Wait = { scope: 'pair' | 'account' | 'address'; waitSeconds: number }

/** Slows down guessing: per account and address, and in live mode per account, and per address, as well. */
function loginThrottle(pool: Pool, mode: 'demo' | 'live') {
  const table = throttleTable(pool)
  const limiter = (keyPrefix: string, points: number, duration: number) =>
    new RateLimiterPostgres({ ...table, keyPrefix, points, duration })
  const free = FREE_FAILURES[mode]
  const failures = limiter('login', free, FAILURE_WINDOW)
  const delays = limiter('delay', 1, DELAYS_REMEMBERED)
  const ofAccount = limiter('account', ACCOUNT_FAILURES, HOUR)
  const accountWaits = limiter('wait', 1, ACCOUNT_LONGEST_WAIT)
  const ofAddress = limiter('address', ADDRESS_FAILURES, HOUR)
  const alarms = limiter('alarm', 1, ALARM_EVERY)
  const ofSite = limiter('site', SITE_FAILURES, HOUR)
  const siteAlarms = limiter('site-alarm', 1, ALARM_EVERY)

  const keysFor = ({ account: whose, address }: Attempt) => {
    const account = whose.toLowerCase().slice(0, 150)
    const source = sourceOf(address)
    return { account, source, pair: `${account}@${source}` }
  }

  async function countOfPair(pair: string): Promise<Wait | undefined> {
    // Once a pair has had to wait, no further failure is free.
    const hasWaited = (await delays.get(pair)) !== null
    const { consumedPoints } = await failures.penalty(pair, hasWaited ? free : 1)
    // Below: still free. Beyond: another failure of the same moment has begun the wait.
    if (consumedPoints !== free) return undefined
    const rounds = (await delays.penalty(pair)).consumedPoints
    const waitSeconds = Math.min(FIRST_DELAY * 2 ** (rounds - 1), LONGEST_DELAY)
    await failures.block(pair, waitSeconds)
    return { scope: 'pair', waitSeconds }
  }

  async function countOfAccount(account: string): Promise<{ wait: Wait | undefined; isAlarming: boolean }> {
    const { consumedPoints } = await ofAccount.penalty(account)
    const isAlarming = consumedPoints >= ALARMING_FAILURES && (await alarms.penalty(account)).consumedPoints === 1
    if (consumedPoints < ACCOUNT_FAILURES) return { wait: undefined, isAlarming }
    const waitSeconds = Math.min(ACCOUNT_FIRST_WAIT * 2 ** (consumedPoints - ACCOUNT_FAILURES), ACCOUNT_LONGEST_WAIT)
    await accountWaits.block(account, waitSeconds)
    return { wait: { scope: 'account', waitSeconds }, isAlarming }
  }

  async function countOfAddress(source: string): Promise<Wait | undefined> {
    const { consumedPoints, msBeforeNext } = await ofAddress.penalty(source)
    if (consumedPoints !== ADDRESS_FAILURES) return undefined
    return { scope: 'address', waitSeconds: Math.ceil(msBeforeNext / 1000) }
  }

  async function countOfSite(): Promise<boolean> {
    const { consumedPoints } = await ofSite.penalty('all')
    return consumedPoints >= SITE_FAILURES && (await siteAlarms.penalty('all')).consumedPoints === 1
  }

  return {
    /** Refuses (429, saying for how long) while this account, this address or the two together have to wait. */
    async refuseWhileWaiting(attempt: Attempt): Promise<void> {
      const { account, source, pair } = keysFor(attempt)
      const mostOf = new Map([[`login:${pair}`, free]])
      if (mode === 'live') {
        mostOf.set(`address:${source}`, ADDRESS_FAILURES)
        if (!attempt.isOwn) mostOf.set(`wait:${account}`, 1)
      }
      const now = Date.now()
      const { rows } = await pool.query<{ key: string; points: number; expire: string }>(
        'select key, points, expire from throttles where key = any($1) and expire > $2',
        [[...mostOf.keys()], now],
      )
      const waits = rows.filter(({ key, points }) => points >= (mostOf.get(key) ?? 0))
      if (waits.length === 0) return
      const longest = Math.max(...waits.map(({ expire }) => Number(expire) - now))
      refuseUntil(commonRefusals.too_many_requests, longest / 1000)
    },
    /**
     * Counts a failed login. Answers what has to wait from now on, whether whoever the account belongs to should be told, and
     * whether the studio's owner should, of many failures everywhere.
     */
    async countFailed(
      attempt: Attempt,
    ): Promise<{ waits: Wait[]; isAlarming: boolean; isAlarmingEverywhere: boolean }> {
      const { account, source, pair } = keysFor(attempt)
      const ofPair = await countOfPair(pair)
      if (mode === 'demo') return { waits: ofPair ? [ofPair] : [], isAlarming: false, isAlarmingEverywhere: false }
      const { wait, isAlarming } = await countOfAccount(account)
      const waits = [ofPair, wait, await countOfAddress(source)]
      const isAlarmingEverywhere = await countOfSite()
      return { waits: waits.filter((one) => one !== undefined), isAlarming, isAlarmingEverywhere }
    },
    /** A success clears the pair, and nothing else: whoever has an account of their own could begin anew with it. */
    async forget(attempt: Attempt): Promise<void> {
      const { pair } = keysFor(attempt)
      await pool.query('delete from throttles where key = any($1)', [[`login:${pair}`, `delay:${pair}`]])
    },
  }
}
export type LoginThrottle = ReturnType<typeof loginThrottle>

/** Where the limiters count: all processes share it. */
export const throttleTable = (pool: Pool) => ({
  storeClient: pool,
  storeType: 'pool',
  tableName: 'throttles',
  tableCreated: true,
  clearExpiredByTimeout: false,
})

/** Who is limited by address: an IPv4 address, or the /64 that a connection to IPv6 is usually given as a whole. */
export function sourceOf(address: string): string {
  return networkOf(address, { v4: 32, v6: 64 })?.replace(/\/32$/, '') ?? address
}
