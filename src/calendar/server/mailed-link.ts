import { desc, eq } from 'drizzle-orm'
import { toMailedBooking } from '#booking/server/booking.ts'
import { bookings } from '#booking/tables.ts'
import { factsNow } from '#facts/server/facts.ts'
import { refuse } from '#foundation/refusal.ts'
import { calendarFile, isCalendarToken, type TokenOf } from '#messages/server/messages.ts'
import type { Reader } from '#platform/database/database.ts'
import { classes } from '#timetable/tables.ts'
import { calendarRefusals } from '../contract.ts'

/**
 * What the link in a mail about a booking leads to: its entry as it is now, however old the mail. Where the booking has ended, the
 * file takes it out of the calendar.
 *
 * @param site makes a path an absolute address
 */
export async function mailedEntry(
  reader: Reader,
  link: { uid: string; token: string },
  { tokenOf, site }: { tokenOf: TokenOf; site: (path: string) => string },
): Promise<string> {
  if (!isCalendarToken(link.token, link.uid, tokenOf)) refuse(calendarRefusals.calendar_entry_not_found)
  const [found] = await reader
    .select({ booking: bookings, class: classes })
    .from(bookings)
    .innerJoin(classes, eq(classes.id, bookings.classId))
    .where(eq(bookings.calendarUid, link.uid))
    .orderBy(desc(bookings.calendarSequence))
    .limit(1)
  if (!found) return refuse(calendarRefusals.calendar_entry_not_found)
  const method = found.booking.status === 'cancelled' ? 'CANCEL' : 'PUBLISH'
  return calendarFile(toMailedBooking(found.booking, found.class), method, site, await factsNow(reader))
}
