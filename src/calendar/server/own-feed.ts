import { desc, eq } from 'drizzle-orm'
import { toMailedBooking } from '#booking/server/booking.ts'
import { bookings } from '#booking/tables.ts'
import { bookingEvent, type CalendarEvent } from '#messages/server/messages.ts'
import type { Reader } from '#platform/database/database.ts'
import { classes } from '#timetable/tables.ts'
import { feedBegins } from '../rules.ts'

/**
 * A member's bookings as entries of a calendar, the next last: what is to come and the past ninety days, cancelled ones
 * marked as such. Of a booking that moved only the last place is shown.
 */
export async function ownEvents(
  reader: Reader,
  userId: string,
  now: Temporal.Instant,
  site: (path: string) => string,
): Promise<CalendarEvent[]> {
  const rows = await reader
    .selectDistinctOn([bookings.calendarUid], { booking: bookings, class: classes })
    .from(bookings)
    .innerJoin(classes, eq(classes.id, bookings.classId))
    .where(eq(bookings.userId, userId))
    .orderBy(bookings.calendarUid, desc(bookings.calendarSequence))
  return rows
    .filter((row) => Temporal.Instant.compare(row.class.startsAt, feedBegins(now)) >= 0)
    .sort((a, b) => Temporal.Instant.compare(a.class.startsAt, b.class.startsAt) || a.booking.id - b.booking.id)
    .map((row) => {
      const isCancelled = row.booking.status === 'cancelled'
      return bookingEvent(toMailedBooking(row.booking, row.class), { isCancelled }, site)
    })
}
