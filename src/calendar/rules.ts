import { instantAt, studioDate, studioTime } from '#foundation/instants.ts'

/** Our choice: long enough to look up last month's classes, short enough to stay small. */
const DAYS_BACK = 90

/** Classes that started before this are left out of feeds. */
export const feedStart = (now: Temporal.Instant): Temporal.Instant => now.subtract({ hours: DAYS_BACK * 24 })

/** Why the owner's own calendar could not be read. */
export const READ_FAILURES = [
  'unreachable',
  'not_public',
  'refused',
  'too_slow',
  'too_large',
  'not_a_calendar',
] as const
export type ReadFailure = (typeof READ_FAILURES)[number]

export const FAILURE_TEXTS: Record<ReadFailure, string> = {
  unreachable: 'We could not reach your calendar’s server.',
  not_public: 'The address is not a public https address.',
  refused: 'Your calendar’s server does not know this address. Perhaps you replaced it or turned sharing off.',
  too_slow: 'Your calendar took too long to load or to read.',
  too_large: 'Your calendar is too large to read.',
  not_a_calendar: 'The address does not lead to a calendar.',
}

/** Our choices: calendars change seldom, and a term is planned at most a year before. */
const MINUTES_BETWEEN_READS = 15
const MAX_JITTER_SECONDS = 120
const MONTHS_AHEAD = 12
const FAILING_HOURS = 24

/** @param random from 0 to 1, so that studios do not all read at the same moment */
export const nextRead = (now: Temporal.Instant, random: number): Temporal.Instant =>
  now.add({ minutes: MINUTES_BETWEEN_READS, seconds: Math.floor(random * MAX_JITTER_SECONDS) })

/** The first and last days of which busy times are kept. */
export function busyDays(now: Temporal.Instant): { from: string; to: string } {
  const today = studioDate(now)
  return { from: today.toString(), to: today.add({ months: MONTHS_AHEAD }).toString() }
}

/** Calendars that have failed since this instant or before need the owner's attention. */
export const failingTooLongSince = (now: Temporal.Instant): Temporal.Instant => now.subtract({ hours: FAILING_HOURS })

type Span = { startsAt: string; endsAt: string }
type Busy = Span & { isAllDay: boolean }

/** The first busy time that overlaps a class. One that ends when the class starts does not. */
export function clashOf<B extends Span>({ startsAt, endsAt }: Span, busy: readonly B[]): B | undefined {
  const [start, end] = [Date.parse(startsAt), Date.parse(endsAt)]
  return busy.find((one) => Date.parse(one.startsAt) < end && start < Date.parse(one.endsAt))
}

/** When the owner is busy on a date: `09:00 to 10:00`, `all day`, `from 18:00`, `until 10:00`. */
export function busyInWords(date: string, { startsAt, endsAt, isAllDay }: Busy): string {
  const [start, end] = [Temporal.Instant.from(startsAt), Temporal.Instant.from(endsAt)]
  const next = Temporal.PlainDate.from(date).add({ days: 1 }).toString()
  const startsBefore = Temporal.Instant.compare(start, instantAt(date, '00:00')) <= 0
  const endsAfter = Temporal.Instant.compare(end, instantAt(next, '00:00')) >= 0
  if (isAllDay || (startsBefore && endsAfter)) return 'all day'
  if (startsBefore) return `until ${studioTime(end)}`
  return endsAfter ? `from ${studioTime(start)}` : `${studioTime(start)} to ${studioTime(end)}`
}
