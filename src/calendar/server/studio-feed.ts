import { and, asc, eq, gte, isNotNull, isNull, or } from 'drizzle-orm'
import { users } from '#accounts/tables.ts'
import { bookings } from '#booking/tables.ts'
import { defined } from '#foundation/collections.ts'
import type { CalendarEvent } from '#messages/server/messages.ts'
import type { Reader } from '#platform/database/database.ts'
import { type ClassRow, classes } from '#timetable/tables.ts'
import { feedBegins } from '../rules.ts'

/**
 * The studio's classes as entries of a calendar, with the names of who comes and nothing else about them. A class that was
 * taken off is marked as cancelled if anybody had booked it; otherwise it is gone.
 */
export async function studioEvents(
  reader: Reader,
  now: Temporal.Instant,
  site: (path: string) => string,
): Promise<CalendarEvent[]> {
  const isOn = and(eq(classes.isActive, true), isNull(classes.deletedAt))
  const rows = await reader
    .select({
      class: classes,
      booking: { status: bookings.status, bookedAt: bookings.bookedAt, cancelledAt: bookings.cancelledAt },
      name: { first: users.firstName, last: users.lastName },
    })
    .from(classes)
    .leftJoin(bookings, eq(bookings.classId, classes.id))
    .leftJoin(users, eq(users.id, bookings.userId))
    .where(and(gte(classes.startsAt, feedBegins(now)), or(isOn, isNotNull(bookings.id))))
    .orderBy(asc(classes.startsAt), asc(classes.id), asc(bookings.bookedAt), asc(bookings.id))
  return [...Map.groupBy(rows, (row) => row.class.id).values()].map((rowsOfClass) => toEvent(rowsOfClass, site))
}

type Row = {
  class: ClassRow
  booking: { status: string; bookedAt: Temporal.Instant; cancelledAt: Temporal.Instant | null } | null
  name: { first: string; last: string } | null
}

function toEvent(rows: Row[], site: (path: string) => string): CalendarEvent {
  const { class: shown } = defined(rows[0])
  const coming = rows.filter(({ booking }) => booking && booking.status !== 'cancelled')
  const isCancelled = !shown.isActive || shown.deletedAt !== null
  const title = `${shown.title} (${coming.length} of ${shown.maxParticipants})`
  return {
    calendar: entryOf(shown, rows),
    startsAt: shown.startsAt.toString(),
    endsAt: shown.endsAt.toString(),
    summary: isCancelled ? `Cancelled: ${shown.title}` : title,
    description: coming.length > 0 ? coming.map(({ name }) => `${name?.first} ${name?.last}`).join('\n') : 'Nobody yet',
    url: site('/admin'),
    isCancelled,
    hasAlarm: false,
  }
}

/** The seconds from a class's making to its last change count up as a SEQUENCE must, and need no column. */
function entryOf(shown: ClassRow, rows: Row[]) {
  const changes = [shown.updatedAt, ...rows.flatMap(({ booking }) => [booking?.bookedAt, booking?.cancelledAt])]
  const changedAt = changes.filter((at) => at != null).reduce((a, b) => (Temporal.Instant.compare(a, b) < 0 ? b : a))
  const sequence = Math.floor(changedAt.since(shown.createdAt).total('seconds'))
  return { uid: `class-${shown.id}`, sequence: Math.max(0, sequence), changedAt: changedAt.toString() }
}
