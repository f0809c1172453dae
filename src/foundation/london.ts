/**
 * The studio lives in Europe/London: dates and times are wall time there, instants are UTC.
 * Days that change the clock resolve as Temporal's `compatible` says (a gap moves forward, a repeat takes the first).
 */
export const LONDON = 'Europe/London'

/** The instant a London wall time denotes. `date` is `YYYY-MM-DD`, `time` is `HH:mm`. */
export function instantAt(date: string, time: string): Temporal.Instant {
  return Temporal.PlainDate.from(date)
    .toZonedDateTime({ timeZone: LONDON, plainTime: Temporal.PlainTime.from(time) })
    .toInstant()
}

/** The last whole second of a London day: until then a pass that expires on `date` is valid. */
export function endOfDay(date: Temporal.PlainDate): Temporal.Instant {
  return date.add({ days: 1 }).toZonedDateTime(LONDON).toInstant().subtract({ seconds: 1 })
}

/** The London calendar date of an instant. */
export function londonDate(instant: Temporal.Instant): Temporal.PlainDate {
  return instant.toZonedDateTimeISO(LONDON).toPlainDate()
}

/** The London wall time of an instant as `HH:mm`. */
export function londonTime(instant: Temporal.Instant): string {
  return instant.toZonedDateTimeISO(LONDON).toPlainTime().toString({ smallestUnit: 'minute' })
}

/** The instants at which the London calendar month of `now` begins and the next one begins. */
export function londonMonth(now: Temporal.Instant): { from: Temporal.Instant; until: Temporal.Instant } {
  const first = londonDate(now).with({ day: 1 })
  return {
    from: first.toZonedDateTime(LONDON).toInstant(),
    until: first.add({ months: 1 }).toZonedDateTime(LONDON).toInstant(),
  }
}

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

/** `dd/mm/yyyy` of a `YYYY-MM-DD`. */
export function formatDate(date: string): string {
  return `${date.slice(8, 10)}/${date.slice(5, 7)}/${date.slice(0, 4)}`
}

/** The weekday's name of a `YYYY-MM-DD`. */
export function weekdayOf(date: string): (typeof WEEKDAYS)[number] {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number]
  return WEEKDAYS[(new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7] as (typeof WEEKDAYS)[number]
}

/** The long form, `Monday 7 December 2026`, of a `YYYY-MM-DD`. */
export function formatLongDate(date: string): string {
  return `${weekdayOf(date)} ${Number(date.slice(8, 10))} ${monthOf(date)} ${date.slice(0, 4)}`
}

/** `Monday 7 December` of a `YYYY-MM-DD`: for what is near enough to need no year. */
export function formatDay(date: string): string {
  return `${weekdayOf(date)} ${Number(date.slice(8, 10))} ${monthOf(date)}`
}

/** The month's name of a `YYYY-MM-DD`. */
export function monthOf(date: string): (typeof MONTHS)[number] {
  return MONTHS[Number(date.slice(5, 7)) - 1] as (typeof MONTHS)[number]
}
