import { and, asc, desc, eq, getColumns, gte, isNotNull, isNull, or } from 'drizzle-orm'
import { users } from '#accounts/tables.ts'
import { toMailedBooking } from '#booking/server/booking.ts'
import { takenPlaces } from '#booking/tables.ts'
import type { StudioFacts } from '#facts/contract.ts'
import { teacherToSay } from '#facts/rules.ts'
import { currentFacts } from '#facts/server/facts.ts'
import { defined } from '#foundation/collections.ts'
import { refuse } from '#foundation/refusal.ts'
import {
  bookingEvent,
  type CalendarEvent,
  calendarFile,
  isCalendarToken,
  type TokenOf,
} from '#messages/server/messages.ts'
import type { Reader } from '#platform/database/database.ts'
import { type ClassRow, classes } from '#timetable/tables.ts'
import { calendarRefusals } from '../contract.ts'
import { feedStart } from '../rules.ts'

/** A member's upcoming bookings and those of the past ninety days. A moved booking shows its latest place only. */
export async function ownEvents(
  reader: Reader,
  userId: string,
  now: Temporal.Instant,
  site: (path: string) => string,
): Promise<CalendarEvent[]> {
  const rows = await reader
    .selectDistinctOn([takenPlaces.calendarUid], { booking: getColumns(takenPlaces), class: classes })
    .from(takenPlaces)
    .innerJoin(classes, eq(classes.id, takenPlaces.classId))
    .where(eq(takenPlaces.userId, userId))
    .orderBy(takenPlaces.calendarUid, desc(takenPlaces.calendarSequence))
  return rows
    .filter((row) => Temporal.Instant.compare(row.class.startsAt, feedStart(now)) >= 0)
    .sort((a, b) => Temporal.Instant.compare(a.class.startsAt, b.class.startsAt) || a.booking.id - b.booking.id)
    .map((row) => {
      const isCancelled = row.booking.status === 'cancelled'
      return bookingEvent(toMailedBooking(row.booking, row.class), { isCancelled }, site)
    })
}

/** The studio's classes with participants' names and nothing else. Cancelled ones stay if anyone had booked. */
export async function studioEvents(
  reader: Reader,
  now: Temporal.Instant,
  site: (path: string) => string,
): Promise<CalendarEvent[]> {
  const isOn = and(eq(classes.isActive, true), isNull(classes.deletedAt))
  const rows = await reader
    .select({
      class: classes,
      booking: { status: takenPlaces.status, bookedAt: takenPlaces.bookedAt, cancelledAt: takenPlaces.cancelledAt },
      name: { first: users.firstName, last: users.lastName },
    })
    .from(classes)
    .leftJoin(takenPlaces, eq(takenPlaces.classId, classes.id))
    .leftJoin(users, eq(users.id, takenPlaces.userId))
    .where(and(gte(classes.startsAt, feedStart(now)), or(isOn, isNotNull(takenPlaces.id))))
    .orderBy(asc(classes.startsAt), asc(classes.id), asc(takenPlaces.bookedAt), asc(takenPlaces.id))
  const facts = await currentFacts(reader)
  return [...Map.groupBy(rows, (row) => row.class.id).values()].map((rowsOfClass) => toEvent(rowsOfClass, facts, site))
}

type Row = {
  class: ClassRow
  booking: { status: string; bookedAt: Temporal.Instant; cancelledAt: Temporal.Instant | null } | null
  name: { first: string; last: string } | null
}

function toEvent(rows: Row[], facts: StudioFacts, site: (path: string) => string): CalendarEvent {
  const { class: studioClass } = defined(rows[0])
  const coming = rows.filter(({ booking }) => booking && booking.status !== 'cancelled')
  const isCancelled = !studioClass.isActive || studioClass.deletedAt !== null
  const teacher = teacherToSay(facts, studioClass.instructorName)
  const people = coming.length > 0 ? coming.map(({ name }) => `${name?.first} ${name?.last}`) : ['Nobody yet']
  const title = `${studioClass.title} (${coming.length} of ${studioClass.maxParticipants})`
  return {
    calendar: entryOf(studioClass, rows),
    startsAt: studioClass.startsAt.toString(),
    endsAt: studioClass.endsAt.toString(),
    summary: isCancelled ? `Cancelled: ${studioClass.title}` : title,
    description: [...(teacher ? [`With ${teacher}`] : []), ...people].join('\n'),
    url: site('/admin'),
    isCancelled,
    hasAlarm: false,
  }
}

/** Seconds between creation and last change: a SEQUENCE that only grows, without a column. */
function entryOf(shown: ClassRow, rows: Row[]) {
  const changes = [shown.updatedAt, ...rows.flatMap(({ booking }) => [booking?.bookedAt, booking?.cancelledAt])]
  const changedAt = changes.filter((at) => at != null).reduce((a, b) => (Temporal.Instant.compare(a, b) < 0 ? b : a))
  const sequence = Math.floor(changedAt.since(shown.createdAt).total('seconds'))
  return { uid: `class-${shown.id}`, sequence: Math.max(0, sequence), changedAt: changedAt.toString() }
}

/** The calendar file behind an emailed link: the booking as it is now, or its cancellation. */
export async function mailedCalendarFile(
  reader: Reader,
  link: { uid: string; token: string },
  { tokenOf, site }: { tokenOf: TokenOf; site: (path: string) => string },
): Promise<string> {
  if (!isCalendarToken(link.token, link.uid, tokenOf)) refuse(calendarRefusals.calendar_entry_not_found)
  const [found] = await reader
    .select({ booking: getColumns(takenPlaces), class: classes })
    .from(takenPlaces)
    .innerJoin(classes, eq(classes.id, takenPlaces.classId))
    .where(eq(takenPlaces.calendarUid, link.uid))
    .orderBy(desc(takenPlaces.calendarSequence))
    .limit(1)
  if (!found) return refuse(calendarRefusals.calendar_entry_not_found)
  const method = found.booking.status === 'cancelled' ? 'CANCEL' : 'PUBLISH'
  return calendarFile(toMailedBooking(found.booking, found.class), method, site, await currentFacts(reader))
}
