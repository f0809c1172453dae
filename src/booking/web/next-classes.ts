import { formatLongDate } from '#foundation/dates.ts'
import type { Booking } from '../contract.ts'

/** The next classes as the device stores them for offline use: no name, no id. */
export type NextClasses = {
  /** Milliseconds since 1970. */
  savedAt: number
  classes: { title: string; day: string; startTime: string; endTime: string; endsAt: string }[]
}

const MOST = 3

/**
 * The next few confirmed classes that have not ended, next first; undefined if there are none.
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
