import { sql } from 'drizzle-orm'
import type { Pool } from 'pg'
import { RateLimiterPostgres } from 'rate-limiter-flexible'
import { commonRefusals, refuseUntil } from '#foundation/refusal.ts'
import type { Tx } from '#platform/database/database.ts'
import { networkOf } from '#platform/http/network.ts'
import { studio } from '#studio.ts'
import { hashOfToken } from '../one-time-links.ts'

/** Registration, reset, newsletter and verification mails per network address; live only. */
const MAILS_AN_HOUR = 300
/** Mails of one kind that a visitor can cause, per recipient; live only. Source: docs/studio-rules.md#signing-in */
const MAILS_TO_RECIPIENT_AN_HOUR = studio.policies.linksAnHour
/** Unknown codes, per account and per network address; live only. */
const GUESSES_AN_HOUR = studio.policies.codeTriesAnHour
/** Invitations of companions per network address; live only. Source: docs/studio-rules.md#companions */
const INVITATIONS_AN_HOUR = studio.policies.companions.anHour
/** Tries to redeem a voucher, per account and network address; live only. Source: docs/studio-rules.md#gift-vouchers */
const VOUCHER_TRIES_AN_HOUR = studio.policies.voucher.triesAnHour
/** Reports of blocked content from browsers, per network address. Our choice. */
const REPORTS_AN_HOUR = 60
/** Reports of page speed, per network address. Our choice. */
const VITALS_AN_HOUR = 120
/** Added to every response, so that it reveals nothing about the account. */
export const LINKS_LIMIT_NOTICE = `We send at most ${studio.policies.linksAnHour} an hour.`

/** `expire` is in milliseconds, by the system clock. */
export async function deleteExpiredThrottles(tx: Tx): Promise<void> {
  await tx.execute(sql`delete from throttles where expire <= ${Date.now()}`)
}

/** Limits guessing and mail floods. All processes share the counters in the database. */
export function throttles(pool: Pool, mode: 'demo' | 'live') {
  const table = throttleTable(pool)
  const mails = new RateLimiterPostgres({ ...table, keyPrefix: 'mail', points: MAILS_AN_HOUR, duration: HOUR })
  const mailsTo = new RateLimiterPostgres({
    ...table,
    keyPrefix: 'to',
    points: MAILS_TO_RECIPIENT_AN_HOUR,
    duration: HOUR,
  })
  const guesses = new RateLimiterPostgres({ ...table, keyPrefix: 'code', points: GUESSES_AN_HOUR, duration: HOUR })
  const invitations = new RateLimiterPostgres({
    ...table,
    keyPrefix: 'companion',
    points: INVITATIONS_AN_HOUR,
    duration: HOUR,
  })
  const voucherTries = new RateLimiterPostgres({
    ...table,
    keyPrefix: 'voucher',
    points: VOUCHER_TRIES_AN_HOUR,
    duration: HOUR,
  })
  const reports = new RateLimiterPostgres({ ...table, keyPrefix: 'report', points: REPORTS_AN_HOUR, duration: HOUR })

  const vitals = new RateLimiterPostgres({ ...table, keyPrefix: 'vital', points: VITALS_AN_HOUR, duration: HOUR })

  return {
    login: loginThrottle(pool, mode),
    /** Counts a request that sends mail; refuses (429) above the limit. */
    async countMail(address: string): Promise<void> {
      if (mode === 'demo') return
      const { consumedPoints, msBeforeNext } = await mails.penalty(sourceOf(address))
      if (consumedPoints > MAILS_AN_HOUR) refuseUntil(commonRefusals.too_many_requests, msBeforeNext / 1000)
    },
    /** Counts an invitation of a companion; refuses (429) above the limit. */
    async countInvitation(address: string): Promise<void> {
      if (mode === 'demo') return
      const { consumedPoints, msBeforeNext } = await invitations.penalty(sourceOf(address))
      if (consumedPoints > INVITATIONS_AN_HOUR) refuseUntil(commonRefusals.too_many_requests, msBeforeNext / 1000)
    },
    /**
     * Counts a mail that a visitor has caused; false if the recipient has reached the limit of its kind. Each kind is
     * counted alone, so that nobody can use up a member's sign-in mails with another form.
     */
    async mayMail(kind: 'sign-in' | 'new-address' | 'newsletter' | 'complaint', to: string): Promise<boolean> {
      if (mode === 'demo') return true
      // Hashed, because an address can be too long for a key.
      const { consumedPoints } = await mailsTo.penalty(`${kind}:${hashOfToken(to.toLowerCase()).toString('base64url')}`)
      return consumedPoints <= MAILS_TO_RECIPIENT_AN_HOUR
    },
    /** Refuses (429) a member or network that has tried too many unknown codes. */
    async refuseGuessing(userId: string, address: string): Promise<void> {
      if (mode === 'demo') return
      for (const key of [userId, sourceOf(address)]) {
        const tried = await guesses.get(key)
        if (tried && tried.consumedPoints >= GUESSES_AN_HOUR)
          refuseUntil(commonRefusals.too_many_requests, tried.msBeforeNext / 1000)
      }
    },
    /** Counts an unknown code. */
    async countGuess(userId: string, address: string): Promise<void> {
      if (mode === 'demo') return
      for (const key of [userId, sourceOf(address)]) await guesses.penalty(key)
    },
    /** Counts a try to redeem a voucher; refuses (429) above the limit. */
    async countVoucherTry(userId: string, address: string): Promise<void> {
      if (mode === 'demo') return
      for (const key of [userId, sourceOf(address)]) {
        const { consumedPoints, msBeforeNext } = await voucherTries.penalty(key)
        if (consumedPoints > VOUCHER_TRIES_AN_HOUR) refuseUntil(commonRefusals.too_many_requests, msBeforeNext / 1000)
      }
    },
    /** Counts a report of a page's speed; false if its network has reached the limit. */
    async mayReportVitals(address: string): Promise<boolean> {
      return (await vitals.penalty(sourceOf(address))).consumedPoints <= VITALS_AN_HOUR
    },
    /** Counts a browser's report; false if its network has reached the limit. */
    async mayReport(address: string): Promise<boolean> {
      return (await reports.penalty(sourceOf(address))).consumedPoints <= REPORTS_AN_HOUR
    },
  }
}
export type Throttles = ReturnType<typeof throttles>

const MINUTE = 60
const HOUR = 60 * MINUTE
/** Free failures per account and address in the window. Source: docs/studio-rules.md#signing-in */
const FREE_FAILURES = { live: 5, demo: 50 }
const FAILURE_WINDOW = 15 * MINUTE
/** Each further failure doubles the wait, up to an hour. Never a permanent lock. */
const FIRST_DELAY = MINUTE
const LONGEST_DELAY = HOUR
/** After this long without a failure, the waits start again. */
const DELAYS_REMEMBERED = 24 * HOUR

// Live only. Source: docs/studio-rules.md#signing-in; the first wait and the interval of alarms are our choice.
/** From this many failures of an account in an hour, from any address, each try has to wait. */
const ACCOUNT_FAILURES = 30
const ACCOUNT_FIRST_WAIT = 10
const ACCOUNT_LONGEST_WAIT = MINUTE
/** From this many failures of an address in an hour, for any account, it has to wait for the rest of the hour. */
const ADDRESS_FAILURES = 60
/** From this many failures in an hour, the account's owner is emailed. */
const ALARMING_FAILURES = 10
const ALARM_EVERY = studio.policies.loginAlarm.everyHours * HOUR
/** From this many failures of the whole site in an hour, the studio's owner is emailed. Our choice. */
const SITE_FAILURES = studio.policies.loginAlarm.failures

export type Attempt = {
  /** The account's id, or the typed name if there is none. */
  account: string
  address: string
  /** The caller is signed in to this account. */
  isOwn: boolean
}
type Wait = { scope: 'pair' | 'account' | 'address'; waitSeconds: number }

/** Limits guessing per account and address, and in live mode also per account and per address. */
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
    /** Refuses (429) while this account, this address or the pair has to wait. */
    async refuseWhileWaiting(attempt: Attempt): Promise<void> {
      const { account, source, pair } = keysFor(attempt)
      const limits = new Map([[`login:${pair}`, free]])
      if (mode === 'live') {
        limits.set(`address:${source}`, ADDRESS_FAILURES)
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

export const throttleTable = (pool: Pool) => ({
  storeClient: pool,
  storeType: 'pool',
  tableName: 'throttles',
  tableCreated: true,
  clearExpiredByTimeout: false,
})

/** An IPv4 address, or the /64 network of an IPv6 address. */
export function sourceOf(address: string): string {
  return networkOf(address, { v4: 32, v6: 64 })?.replace(/\/32$/, '') ?? address
}
