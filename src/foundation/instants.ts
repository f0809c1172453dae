import { studio } from '#studio.ts'
import { formatDate } from './dates.ts'

/**
 * Dates and times are wall time at the studio, instants are UTC. Days that change the clock resolve as Temporal's
 * `compatible` says (a gap moves forward, a repeat takes the first).
 */
const { timeZone } = studio

/** The instant a wall time at the studio denotes. `date` is `YYYY-MM-DD`, `time` is `HH:mm`. */
export function instantAt(date: string, time: string): Temporal.Instant {
  return Temporal.PlainDate.from(date)
    .toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from(time) })
    .toInstant()
}

/** The last whole second of a day at the studio: until then a pass that expires on `date` is valid. */
export function endOfDay(date: Temporal.PlainDate): Temporal.Instant {
  return date.add({ days: 1 }).toZonedDateTime(timeZone).toInstant().subtract({ seconds: 1 })
}

/** The studio's calendar date of an instant. */
export function studioDate(instant: Temporal.Instant): Temporal.PlainDate {
  return instant.toZonedDateTimeISO(timeZone).toPlainDate()
}

/** The studio's wall time of an instant as `HH:mm`. */
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

/** The instants at which the studio's calendar month of `now` begins and the next one begins. */
export function studioMonth(now: Temporal.Instant): { from: Temporal.Instant; until: Temporal.Instant } {
  const first = studioDate(now).with({ day: 1 })
  return {
    from: first.toZonedDateTime(timeZone).toInstant(),
    until: first.add({ months: 1 }).toZonedDateTime(timeZone).toInstant(),
  }
}

/** The studio's day of an instant as the wire writes it: `07/12/2026`. */
export function formatInstantDate(instant: string): string {
  return formatDate(today(Temporal.Instant.from(instant)))
}

/** The studio's day and time of an instant as the wire writes it: `07/12/2026 09:30`. */
export function formatInstant(instant: string): string {
  return `${formatInstantDate(instant)} ${studioTime(Temporal.Instant.from(instant))}`
}

/** Where "now" comes from. Rules take an instant as an argument; only the edges ask a clock. */
export type Clock = { now(): Temporal.Instant }

/** The machine's clock, in whole milliseconds: what the database keeps and the wire shows is then the same. */
export const systemClock: Clock = { now: () => Temporal.Now.instant().round('millisecond') }
