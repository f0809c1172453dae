import { sql } from 'drizzle-orm'
import type { Pool } from 'pg'
import { RateLimiterPostgres } from 'rate-limiter-flexible'
import { commonRefusals, refuseUntil } from '#foundation/refusal.ts'
import type { Tx } from '#platform/database/database.ts'
import { networkOf } from '#platform/http/network.ts'
import { studio } from '#studio.ts'
import { hashOfToken } from '../one-time-links.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const { policies } = studio
const NO_LIMIT = Number.MAX_SAFE_INTEGER

/**
 * The most of what is counted, and in how many seconds; `NO_LIMIT` is not counted. Each name is the prefix of its keys
 * in the table. Sources: docs/studio-rules.md#signing-in and #gift-vouchers; the others are our choice.
 */
const LIMITS = {
  /** Registration, reset, newsletter and verification mails, per network address. */
  mail: { live: 300, demo: NO_LIMIT, seconds: HOUR },
  /** Mails of one kind that a visitor can cause, per recipient. */
  to: { live: policies.linksAnHour, demo: NO_LIMIT, seconds: HOUR },
  /** Unknown promotion codes, per account and per network address. */
  promotion: { live: policies.codeTriesAnHour, demo: NO_LIMIT, seconds: HOUR },
  /** Tries to redeem a voucher, per account and per network address. */
  voucher: { live: policies.voucher.triesAnHour, demo: NO_LIMIT, seconds: HOUR },
  /** Reports of blocked content from browsers, per network address. */
  report: { live: 60, demo: 60, seconds: HOUR },
  /** Reports of page speed, per network address. */
  vital: { live: 120, demo: 120, seconds: HOUR },
  /** Codes of the second step and passwords of a step-up, per account. Nobody can guess a passkey. */
  code: { live: 5, demo: 50, seconds: 15 * MINUTE },
  /** Free failures to log in, per account and address. */
  login: { live: 5, demo: 50, seconds: 15 * MINUTE },
  /** Waits of an account and address. After this long without a failure they start again. */
  delay: { live: 1, demo: 1, seconds: 24 * HOUR },
  /** From this many failures of an account, from any address, each try has to wait. */
  account: { live: 30, demo: NO_LIMIT, seconds: HOUR },
  wait: { live: 1, demo: NO_LIMIT, seconds: MINUTE },
  /** From this many failures of an address, for any account, it has to wait for the rest of the hour. */
  address: { live: 60, demo: NO_LIMIT, seconds: HOUR },
  alarm: { live: 1, demo: NO_LIMIT, seconds: policies.loginAlarm.everyHours * HOUR },
  /** From this many failures of the whole site, the studio's owner is emailed. */
  site: { live: policies.loginAlarm.failures, demo: NO_LIMIT, seconds: HOUR },
  'site-alarm': { live: 1, demo: NO_LIMIT, seconds: policies.loginAlarm.everyHours * HOUR },
}
type LimitName = keyof typeof LIMITS
type Mode = 'demo' | 'live'

/** Added to every response, so that it reveals nothing about the account. */
export const LINKS_LIMIT_NOTICE = `We send at most ${policies.linksAnHour} an hour.`

/** `expire` is in milliseconds, by the system clock. */
export async function deleteExpiredThrottles(tx: Tx): Promise<void> {
  await tx.execute(sql`delete from throttles where expire <= ${Date.now()}`)
}

const limiterOf = (pool: Pool, mode: Mode, name: LimitName) =>
  new RateLimiterPostgres({
    storeClient: pool,
    storeType: 'pool',
    tableName: 'throttles',
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: name,
    points: LIMITS[name][mode],
    duration: LIMITS[name].seconds,
  })

/** Counts towards one limit. All processes share the counters in the database. */
export function counterOf(pool: Pool, mode: Mode, name: LimitName) {
  const limiter = limiterOf(pool, mode, name)
  const most = LIMITS[name][mode]
  return {
    /** Counts one; false above the limit. */
    async allows(key: string): Promise<boolean> {
      return most === NO_LIMIT || (await limiter.penalty(key)).consumedPoints <= most
    },
    /** Counts one; refuses (429) above the limit. */
    async count(...keys: string[]): Promise<void> {
      if (most === NO_LIMIT) return
      for (const key of keys) {
        const { consumedPoints, msBeforeNext } = await limiter.penalty(key)
        if (consumedPoints > most) refuseUntil(commonRefusals.too_many_requests, msBeforeNext / 1000)
      }
    },
    /** Refuses (429) at the limit, without counting. */
    async refuseAtLimit(...keys: string[]): Promise<void> {
      if (most === NO_LIMIT) return
      for (const key of keys) {
        const counted = await limiter.get(key)
        if (counted && counted.consumedPoints >= most)
          refuseUntil(commonRefusals.too_many_requests, counted.msBeforeNext / 1000)
      }
    },
    forget: (key: string) => limiter.delete(key),
  }
}
export type Counter = ReturnType<typeof counterOf>

/** Limits guessing and mail floods. */
export function throttles(pool: Pool, mode: Mode) {
  const counter = (name: LimitName) => counterOf(pool, mode, name)
  const mails = counter('mail')
  const mailsTo = counter('to')
  const guesses = counter('promotion')
  const voucherTries = counter('voucher')
  const reports = counter('report')
  const vitals = counter('vital')
  return {
    login: loginThrottle(pool, mode),
    /** Counts a request that sends mail; refuses (429) above the limit. */
    countMail: (address: string) => mails.count(sourceOf(address)),
    /**
     * Counts a mail that a visitor has caused; false if the recipient has reached the limit of its kind. Each kind is
     * counted alone, so that nobody can use up a member's sign-in mails with another form.
     */
    mayMail: (kind: 'sign-in' | 'new-address' | 'newsletter' | 'complaint', to: string) =>
      mailsTo.allows(`${kind}:${keyOfEmail(to)}`),
    /** Refuses (429) a member or network that has tried too many unknown promotion codes. */
    refuseGuessing: (userId: string, address: string) => guesses.refuseAtLimit(userId, sourceOf(address)),
    /** Counts an unknown promotion code. */
    async countGuess(userId: string, address: string): Promise<void> {
      for (const key of [userId, sourceOf(address)]) await guesses.allows(key)
    },
    /** Counts a try to redeem a voucher; refuses (429) above the limit. */
    countVoucherTry: (userId: string, address: string) => voucherTries.count(userId, sourceOf(address)),
    /** Counts a report of a page's speed; false if its network has reached the limit. */
    mayReportVitals: (address: string) => vitals.allows(sourceOf(address)),
    /** Counts a browser's report; false if its network has reached the limit. */
    mayReport: (address: string) => reports.allows(sourceOf(address)),
  }
}
export type Throttles = ReturnType<typeof throttles>

/** Hashed, because an address can be too long for a key. */
const keyOfEmail = (email: string) => hashOfToken(email.toLowerCase()).toString('base64url')

/** Each further failure doubles the wait, up to an hour. Never a permanent lock. */
const FIRST_DELAY = MINUTE
const LONGEST_DELAY = HOUR

/** Seconds. Our choice. */
const ACCOUNT_FIRST_WAIT = 10
/** From this many failures in an hour, the account's owner is emailed. Live only. */
const ALARMING_FAILURES = 10

export type Attempt = {
  /** The account's id, or the typed name if there is none. */
  account: string
  address: string
  /** The caller is signed in to this account. */
  isOwn: boolean
}
type Wait = { scope: 'pair' | 'account' | 'address'; waitSeconds: number }

/** Limits guessing per account and address, and in live mode also per account and per address. */
function loginThrottle(pool: Pool, mode: Mode) {
  const limiter = (name: LimitName) => limiterOf(pool, mode, name)
  const failures = limiter('login')
  const delays = limiter('delay')
  const ofAccount = limiter('account')
  const accountWaits = limiter('wait')
  const alarms = limiter('alarm')
  const ofAddress = limiter('address')
  const ofSite = limiter('site')
  const siteAlarms = limiter('site-alarm')
  const free = failures.points

  const keysFor = ({ account: whose, address }: Attempt) => {
    const account = whose.toLowerCase().slice(0, 150)
    const source = sourceOf(address)
    return { account, source, pair: `${account}@${source}` }
  }

  async function countOfPair(pair: string): Promise<Wait | undefined> {
    // After the first wait, no failure is free.
    const hasWaited = (await delays.get(pair)) !== null
    const { consumedPoints } = await failures.penalty(pair, hasWaited ? free : 1)
    // Below the limit, or a concurrent failure has started the wait.
    if (consumedPoints !== free) return undefined
    const rounds = (await delays.penalty(pair)).consumedPoints
    const waitSeconds = Math.min(FIRST_DELAY * 2 ** (rounds - 1), LONGEST_DELAY)
    await failures.block(pair, waitSeconds)
    return { scope: 'pair', waitSeconds }
  }

  async function countOfAccount(account: string): Promise<{ wait: Wait | undefined; isAlarming: boolean }> {
    const { consumedPoints } = await ofAccount.penalty(account)
    const isAlarming = consumedPoints >= ALARMING_FAILURES && (await alarms.penalty(account)).consumedPoints === 1
    if (consumedPoints < ofAccount.points) return { wait: undefined, isAlarming }
    const waitSeconds = Math.min(ACCOUNT_FIRST_WAIT * 2 ** (consumedPoints - ofAccount.points), accountWaits.duration)
    await accountWaits.block(account, waitSeconds)
    return { wait: { scope: 'account', waitSeconds }, isAlarming }
  }

  async function countOfAddress(source: string): Promise<Wait | undefined> {
    const { consumedPoints, msBeforeNext } = await ofAddress.penalty(source)
    if (consumedPoints !== ofAddress.points) return undefined
    return { scope: 'address', waitSeconds: Math.ceil(msBeforeNext / 1000) }
  }

  async function countOfSite(): Promise<boolean> {
    const { consumedPoints } = await ofSite.penalty('all')
    return consumedPoints >= ofSite.points && (await siteAlarms.penalty('all')).consumedPoints === 1
  }

  return {
    /** Refuses (429) while this account, this address or the pair has to wait. */
    async refuseWhileWaiting(attempt: Attempt): Promise<void> {
      const { account, source, pair } = keysFor(attempt)
      const limits = new Map([[`login:${pair}`, free]])
      if (mode === 'live') {
        limits.set(`address:${source}`, ofAddress.points)
        if (!attempt.isOwn) limits.set(`wait:${account}`, 1)
      }
      const now = Date.now()
      const { rows } = await pool.query<{ key: string; points: number; expire: string }>(
        'select key, points, expire from throttles where key = any($1) and expire > $2',
        [[...limits.keys()], now],
      )
      const waits = rows.filter(({ key, points }) => points >= (limits.get(key) ?? 0))
      if (waits.length === 0) return
      const longest = Math.max(...waits.map(({ expire }) => Number(expire) - now))
      refuseUntil(commonRefusals.too_many_requests, longest / 1000)
    },
    /** Counts a failed login. Returns the waits it starts, and whether to email the account's or studio's owner. */
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
    /** Clears only the pair, because an attacker could sign in to their own account. */
    async forget(attempt: Attempt): Promise<void> {
      const { pair } = keysFor(attempt)
      await pool.query('delete from throttles where key = any($1)', [[`login:${pair}`, `delay:${pair}`]])
    },
  }
}
export type LoginThrottle = ReturnType<typeof loginThrottle>

/** An IPv4 address, or the /64 network of an IPv6 address. */
export function sourceOf(address: string): string {
  return networkOf(address, { v4: 32, v6: 64 })?.replace(/\/32$/, '') ?? address
}
