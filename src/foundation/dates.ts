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

/** The weekday's name of a `YYYY-MM-DD`. */
export function weekdayOf(date: string): (typeof WEEKDAYS)[number] {
  // A date alone is read as UTC; Sunday is 0 there and, with -1, the last of ours.
  return defined(WEEKDAYS.at(new Date(date).getUTCDay() - 1))
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
  return defined(MONTHS[Number(date.slice(5, 7)) - 1])
}

/** The Monday of the week in which a day lies. */
export function mondayOf(day: string): Temporal.PlainDate {
  const date = Temporal.PlainDate.from(day)
  return date.subtract({ days: date.dayOfWeek - 1 })
}
