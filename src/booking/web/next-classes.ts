import { formatLongDate } from '#foundation/dates.ts'
import type { Booking } from '../contract.ts'

/** What a member's device keeps of the classes that come next, to be read without a connection: no name, no id. */
export type NextClasses = {
  /** When it was read, in milliseconds since 1970. */
  savedAt: number
  classes: { title: string; day: string; startTime: string; endTime: string; endsAt: string }[]
}

/** So many that there is a next one for a while after the last visit. */
const MOST = 3

/**
 * The next few confirmed classes that have not ended, next first; undefined when there is none.
 *
 * @param now in milliseconds since 1970
 */
export function nextClasses(bookings: readonly Booking[], now: number): NextClasses | undefined {
  const classes = bookings
    .filter((booking) => booking.status === 'confirmed' && Date.parse(booking.class.endsAt) > now)
    .map((booking) => booking.class)
    .sort((a, b) => Date.parse(a.startsAt) - Date.parse(b.startsAt))
    .slice(0, MOST)
    .map(({ title, date, startTime, endTime, endsAt }) => ({
      title,
      day: formatLongDate(date),
      startTime,
      endTime,
      endsAt,
    }))
  return classes.length > 0 ? { savedAt: now, classes } : undefined
}
