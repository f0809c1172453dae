import { studioDate } from '#foundation/instants.ts'
import { studio } from '#studio.ts'

/** What is as old as this, or older, is over. */
export type Cutoffs = {
  /** Contact details: by the end of the last class, or the registration. */
  contact: Temporal.Instant
  /** Health information: by the end of the last class and the last save, whichever is later. */
  health: Temporal.Instant
  /** Of who never followed one: by when the newest invitation was mailed. */
  invitation: Temporal.Instant
  /** Purchases and payments: by when they were made. */
  financial: Temporal.Instant
  /** Lines of the records: by when they were written. */
  records: Temporal.Instant
}

/** How long things are kept. */
const SPANS = {
  contact: { years: studio.policies.retention.contactYears },
  health: { months: studio.policies.retention.healthMonths },
  invitation: { months: studio.policies.retention.invitationMonths },
  financial: { years: studio.policies.retention.financialYears },
  records: { months: studio.policies.retention.recordMonths },
} as const

/**
 * Until when things may be kept, seen from `now`: the same wall time so many years or months before. Exactly two
 * years after the last class contact details are over. Source: docs/studio-rules.md#retention
 */
export function cutoffsAt(now: Temporal.Instant): Cutoffs {
  const before = (span: { years: number } | { months: number }) =>
    now.toZonedDateTimeISO(studio.timeZone).subtract(span).toInstant()
  return {
    contact: before(SPANS.contact),
    health: before(SPANS.health),
    invitation: before(SPANS.invitation),
    financial: before(SPANS.financial),
    records: before(SPANS.records),
  }
}

/**
 * The first day at the studio in the course of which what counts from `since` is over, `YYYY-MM-DD`: by the same
 * {@link cutoffsAt} as the job, so that months without such a day end here as they do there.
 */
export function overOn(part: keyof Cutoffs, since: Temporal.Instant): string {
  const isOver = (day: Temporal.PlainDate) => {
    const lastMoment = day.add({ days: 1 }).toZonedDateTime(studio.timeZone).toInstant().subtract({ nanoseconds: 1 })
    return Temporal.Instant.compare(since, cutoffsAt(lastMoment)[part]) <= 0
  }
  // A span that is cut to a shorter month ends up to three days beside its own addition.
  let day = studioDate(since).add(SPANS[part]).subtract({ days: 1 })
  while (!isOver(day)) day = day.add({ days: 1 })
  return day.toString()
}

/**
 * A purchase made since this instant keeps its buyer: members can give a pass back until the end of the day 14 days later.
 * Source: docs/studio-rules.md#retention
 */
export function recentPurchasesSince(now: Temporal.Instant): Temporal.Instant {
  return studioDate(now).subtract({ days: studio.policies.refundDays }).toZonedDateTime(studio.timeZone).toInstant()
}

/** The last day for the answer to a complaint about data, `YYYY-MM-DD`. Source: docs/studio-rules.md#complaints-about-data */
export function answerBy(madeAt: Temporal.Instant): string {
  return studioDate(madeAt).add({ days: studio.policies.complaintDays }).toString()
}

/** Why a run of the retention job waits for the owner. */
export const HOLD_REASONS = ['clocks_differ', 'last_run_ahead', 'last_run_long_ago', 'many_due'] as const
export type HoldReason = (typeof HOLD_REASONS)[number]

const CLOCKS_MAY_DIFFER = { minutes: 5 }
const RUNS_AT_LEAST_EVERY = { hours: 7 * 24 }
/** So many members at least, and more than this share of all, are not due in one night. */
const MANY_DUE = { members: 5, percent: 5 }
/** How long the owner's confirmation covers further runs. */
const CONFIRMED_FOR = { hours: 24 }

/**
 * Why the retention job must not believe its clock, or undefined: what it erases cannot be brought back.
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
  if (isLongerThan(processNow.since(databaseNow).abs(), CLOCKS_MAY_DIFFER)) return 'clocks_differ'
  if (lastRunAt && Temporal.Instant.compare(lastRunAt, now) > 0) return 'last_run_ahead'
  if (lastRunAt && isLongerThan(now.since(lastRunAt), RUNS_AT_LEAST_EVERY)) return 'last_run_long_ago'
  if (due >= MANY_DUE.members && due * 100 > members * MANY_DUE.percent) return 'many_due'
  return undefined
}

/** Whether what the owner confirmed still covers a run. */
export function isConfirmed(confirmedAt: Temporal.Instant, now: Temporal.Instant): boolean {
  const since = now.since(confirmedAt)
  return since.sign >= 0 && !isLongerThan(since, CONFIRMED_FOR)
}

const isLongerThan = (one: Temporal.Duration, other: Temporal.DurationLike) =>
  Temporal.Duration.compare(one, Temporal.Duration.from(other)) > 0
