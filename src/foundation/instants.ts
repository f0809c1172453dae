import { studio } from '#studio.ts'
import { formatDate } from './dates.ts'

// Dates and times are local to the studio, instants are UTC. Clock changes resolve with Temporal's `compatible`.
const { timeZone } = studio

/** The instant of a local time at the studio. `date` is `YYYY-MM-DD`, `time` is `HH:mm`. */
export function instantAt(date: string, time: string): Temporal.Instant {
  return Temporal.PlainDate.from(date)
    .toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from(time) })
    .toInstant()
}

/** The last whole second of a day at the studio. */
export function endOfDay(date: Temporal.PlainDate): Temporal.Instant {
  return date.add({ days: 1 }).toZonedDateTime(timeZone).toInstant().subtract({ seconds: 1 })
}

export function studioDate(instant: Temporal.Instant): Temporal.PlainDate {
  return instant.toZonedDateTimeISO(timeZone).toPlainDate()
}

/** `HH:mm` at the studio. */
export function studioTime(instant: Temporal.Instant): string {
  return instant.toZonedDateTimeISO(timeZone).toPlainTime().toString({ smallestUnit: 'minute' })
}

/** Today at the studio, `YYYY-MM-DD`. */
export function today(now: Temporal.Instant): string {
  return studioDate(now).toString()
}

/** `text` if it is an existing date, else `fallback`. */
export function dateOr(text: string | null, fallback: string): string {
  if (!text) return fallback
  try {
    return Temporal.PlainDate.from(text).toString()
  } catch {
    return fallback
  }
}

/** The first instants of the current month at the studio and of the next one. */
export function studioMonth(now: Temporal.Instant): { from: Temporal.Instant; until: Temporal.Instant } {
  const first = studioDate(now).with({ day: 1 })
  return {
    from: first.toZonedDateTime(timeZone).toInstant(),
    until: first.add({ months: 1 }).toZonedDateTime(timeZone).toInstant(),
  }
}

/** The studio's date of an ISO 8601 instant: `07/12/2026`. */
export function formatInstantDate(instant: string): string {
  return formatDate(today(Temporal.Instant.from(instant)))
}

/** The studio's date and time of an ISO 8601 instant: `07/12/2026 09:30`. */
export function formatInstant(instant: string): string {
  return `${formatInstantDate(instant)} ${studioTime(Temporal.Instant.from(instant))}`
}

/** The studio's time of an ISO 8601 instant: `09:30`. */
export function timeOf(instant: string): string {
  return studioTime(Temporal.Instant.from(instant))
}

export type Clock = { now(): Temporal.Instant }

/** The system clock, in whole milliseconds like the database. */
export const systemClock: Clock = { now: () => Temporal.Now.instant().round('millisecond') }
