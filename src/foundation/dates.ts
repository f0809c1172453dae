import { defined } from './collections.ts'

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

export function weekdayOf(date: string): (typeof WEEKDAYS)[number] {
  // A date without a time is UTC. Sunday is 0, and at(-1) is the last weekday.
  return defined(WEEKDAYS.at(new Date(date).getUTCDay() - 1))
}

/** `Monday 7 December 2026`. */
export function formatLongDate(date: string): string {
  return `${weekdayOf(date)} ${Number(date.slice(8, 10))} ${monthOf(date)} ${date.slice(0, 4)}`
}

/** `Monday 7 December`, for dates near enough to need no year. */
export function formatDay(date: string): string {
  return `${weekdayOf(date)} ${Number(date.slice(8, 10))} ${monthOf(date)}`
}

export function monthOf(date: string): (typeof MONTHS)[number] {
  return defined(MONTHS[Number(date.slice(5, 7)) - 1])
}

/** The date so many days later, or earlier if `days` is negative. */
export function addDays(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString()
}

/** The Monday of a day's week. */
export function mondayOf(day: string): Temporal.PlainDate {
  const date = Temporal.PlainDate.from(day)
  return date.subtract({ days: date.dayOfWeek - 1 })
}
