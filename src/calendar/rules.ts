import { addDays, formatDate } from '#foundation/dates.ts'
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
  'busy',
  'too_slow',
  'too_large',
  'not_a_calendar',
] as const
export type ReadFailure = (typeof READ_FAILURES)[number]

export const FAILURE_TEXTS: Record<ReadFailure, string> = {
  unreachable: 'We could not reach your calendar’s server.',
  not_public: 'The address is not a public https address.',
  refused: 'Your calendar’s server does not know this address. Perhaps you replaced it or turned sharing off.',
  busy: 'Your calendar’s server is too busy at the moment.',
  too_slow: 'Your calendar took too long to load or to read.',
  too_large:
    'Your calendar is too large: we read up to 5 MB. Please connect one with fewer events, such as a new one without past years.',
  not_a_calendar: 'The address does not lead to a calendar.',
}

/** Why an event of the owner's calendar could not be read. */
export const UNREAD_REASONS = ['start', 'end', 'date', 'rule', 'incomplete'] as const
export type UnreadReason = (typeof UNREAD_REASONS)[number]
/** `day`, `YYYY-MM-DD`, is when it seems to start. Nothing says what the event is. */
export type UnreadEvent = { day: string | null; reason: UnreadReason }

const REASON_TEXTS: Record<UnreadReason, string> = {
  start: 'has no start',
  end: 'ends before it starts',
  date: 'has a date or time that we do not understand',
  rule: 'repeats in a way that we do not understand',
  incomplete: 'is incomplete: the file ends in the middle of it',
}

/** `An event on 03/12/2026 ends before it starts.` */
export const unreadInWords = ({ day, reason }: UnreadEvent): string =>
  `An event ${day ? `on ${formatDate(day)} ` : ''}${REASON_TEXTS[reason]}.`

/** Our choice: no person's calendar has more in a year. */
export const MAX_BUSY_TIMES = 20_000

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
  const next = addDays(date, 1)
  const startsBefore = Temporal.Instant.compare(start, instantAt(date, '00:00')) <= 0
  const endsAfter = Temporal.Instant.compare(end, instantAt(next, '00:00')) >= 0
  if (isAllDay || (startsBefore && endsAfter)) return 'all day'
  if (startsBefore) return `until ${studioTime(end)}`
  return endsAfter ? `from ${studioTime(start)}` : `${studioTime(start)} to ${studioTime(end)}`
}
