import { many } from '#foundation/collections.ts'
import { fold } from '#foundation/fold.ts'
import { studioDate } from '#foundation/instants.ts'
import { studio } from '#studio.ts'

/** Data from these instants or earlier is due to be erased. */
export type Cutoffs = {
  /** Accounts: the end of the last class, or the registration. */
  contact: Temporal.Instant
  /** Health information: the end of the last class or the last save, whichever is later. */
  health: Temporal.Instant
  /** Unused accounts: the newest invitation. */
  invitation: Temporal.Instant
  /** Purchases and payments. */
  financial: Temporal.Instant
  /** Lines of the audit and access logs. */
  records: Temporal.Instant
}

const PERIODS = {
  contact: { years: studio.policies.retention.contactYears },
  health: { months: studio.policies.retention.healthMonths },
  invitation: { months: studio.policies.retention.invitationMonths },
  financial: { years: studio.policies.retention.financialYears },
  records: { months: studio.policies.retention.recordMonths },
} as const

/** The same wall time, the retention period before `now`. Source: docs/studio-rules.md#retention */
export function cutoffsAt(now: Temporal.Instant): Cutoffs {
  const before = (period: { years: number } | { months: number }) =>
    now.toZonedDateTimeISO(studio.timeZone).subtract(period).toInstant()
  return {
    contact: before(PERIODS.contact),
    health: before(PERIODS.health),
    invitation: before(PERIODS.invitation),
    financial: before(PERIODS.financial),
    records: before(PERIODS.records),
  }
}

/** The first day, `YYYY-MM-DD`, to erase data from `since`, by the same {@link cutoffsAt} as the job. */
export function firstDayToErase(part: keyof Cutoffs, since: Temporal.Instant): string {
  const isDue = (day: Temporal.PlainDate) => {
    const lastMoment = day.add({ days: 1 }).toZonedDateTime(studio.timeZone).toInstant().subtract({ nanoseconds: 1 })
    return Temporal.Instant.compare(since, cutoffsAt(lastMoment)[part]) <= 0
  }
  // Adding and subtracting months can differ by up to three days.
  let day = studioDate(since).add(PERIODS[part]).subtract({ days: 1 })
  while (!isDue(day)) day = day.add({ days: 1 })
  return day.toString()
}

/** Members with a purchase since then are kept: they can return the pass. Source: docs/studio-rules.md#retention */
export function recentPurchasesSince(now: Temporal.Instant): Temporal.Instant {
  return studioDate(now).subtract({ days: studio.policies.refundDays }).toZonedDateTime(studio.timeZone).toInstant()
}

/** The last day to answer a complaint about data, `YYYY-MM-DD`. Source: docs/studio-rules.md#complaints-about-data */
export function answerBy(madeAt: Temporal.Instant): string {
  return studioDate(madeAt).add({ days: studio.policies.complaintDays }).toString()
}

/** How a complaint about data reached the studio. The first two are made on this site; the owner records the others. */
export const COMPLAINT_CHANNELS = ['account', 'website', 'phone', 'letter', 'email', 'social', 'in_person'] as const

/** Why the retention job waits for the owner. */
export const HOLD_REASONS = ['clocks_differ', 'last_run_ahead', 'last_run_long_ago', 'many_due'] as const
export type HoldReason = (typeof HOLD_REASONS)[number]

const MAX_CLOCK_DIFFERENCE = { minutes: 5 }
const MAX_TIME_BETWEEN_RUNS = { hours: 7 * 24 }
/** Implausible for one night: at least this many members, and more than this percentage of all. */
const MANY_DUE = { members: 5, percent: 5 }
/** How long the owner's confirmation is valid. */
const CONFIRMED_FOR = { hours: 24 }

/**
 * Why a clock may be wrong, so that the retention job must not erase anything, or undefined.
 * Source: docs/studio-rules.md#retention
 *
 * @param run.lastRunAt null before the first run
 */
export function reasonToHold(run: {
  now: Temporal.Instant
  processNow: Temporal.Instant
  databaseNow: Temporal.Instant
  lastRunAt: Temporal.Instant | null
  members: number
  due: number
}): HoldReason | undefined {
  const { now, processNow, databaseNow, lastRunAt, members, due } = run
  if (isLongerThan(processNow.since(databaseNow).abs(), MAX_CLOCK_DIFFERENCE)) return 'clocks_differ'
  if (lastRunAt && Temporal.Instant.compare(lastRunAt, now) > 0) return 'last_run_ahead'
  if (lastRunAt && isLongerThan(now.since(lastRunAt), MAX_TIME_BETWEEN_RUNS)) return 'last_run_long_ago'
  if (due >= MANY_DUE.members && due * 100 > members * MANY_DUE.percent) return 'many_due'
  return undefined
}

/** Whether the owner's confirmation still covers a run. */
export function isConfirmed(confirmedAt: Temporal.Instant, now: Temporal.Instant): boolean {
  const since = now.since(confirmedAt)
  return since.sign >= 0 && !isLongerThan(since, CONFIRMED_FOR)
}

const isLongerThan = (one: Temporal.Duration, other: Temporal.DurationLike) =>
  Temporal.Duration.compare(one, Temporal.Duration.from(other)) > 0

type Consequences = { credits: number; upcomingBookings: number; openComplaints: number }

/** Whether the admin types the member's name before deleting them: something of value or a dispute would be lost. */
export function mustTypeName({ credits, upcomingBookings, openComplaints }: Consequences): boolean {
  return credits > 0 || upcomingBookings > 0 || openComplaints > 0
}

/** Whether a typed name is the member's; ignores case, accents, apostrophes and extra spaces. */
export const isSameName = (typed: string, name: string) => fold(typed) === fold(name)

/** What stays of a member who is deleted, in the owner's words. `register.test.ts` compares it with the register. */
export function staysOf(receipts: number): string[] {
  const { financialYears, recordMonths } = studio.policies.retention
  const kept = [
    'Gift vouchers and places that they paid for others',
    `Your own record of what admins did and read, for ${recordMonths} months, without their name`,
    'Their id, so that no backup or import brings them back',
  ]
  if (receipts === 0) return kept
  return [`${many(receipts, 'receipt')} for ${financialYears} years, without their name and email`, ...kept]
}
