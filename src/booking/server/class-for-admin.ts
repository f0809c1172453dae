import { asc, eq } from 'drizzle-orm'
import { users } from '#accounts/tables.ts'
import { refuse } from '#foundation/refusal.ts'
import type { Reader } from '#platform/database/database.ts'
import { timetableRefusals } from '#timetable/contract.ts'
import { classesAlike, findClass, toStudioClass } from '#timetable/server/timetable.ts'
import type { ClassRow } from '#timetable/tables.ts'
import type { ClassForAdmin } from '../contract-classes.ts'
import { bookings } from '../tables.ts'
import { cancelledLate, confirmedAhead } from './take-off-classes.ts'
import { inLinesOf, waitingFor } from './waiting-queries.ts'

/**
 * One class with who comes, and what editing or cancelling it would touch: alone, and with all alike. Counted by the
 * very queries that the change makes.
 */
export async function classForAdmin(reader: Reader, id: number, now: Temporal.Instant): Promise<ClassForAdmin> {
  const found = (await findClass(reader, id)) ?? refuse(timetableRefusals.class_not_found)
  const alike = await classesAlike(reader, id, { recurring: true, now })
  const [taken, line, one, all] = await Promise.all([
    reader
      .select({
        id: bookings.id,
        status: bookings.status,
        user: { id: users.id, firstName: users.firstName, lastName: users.lastName },
      })
      .from(bookings)
      .innerJoin(users, eq(users.id, bookings.userId))
      .where(eq(bookings.classId, id))
      .orderBy(asc(bookings.id)),
    waitingFor(reader, id),
    touched(reader, [found.class], now),
    touched(reader, alike, now),
  ])
  return {
    class: toStudioClass(found),
    bookings: taken.filter(({ status }) => status !== 'cancelled'),
    waiting: line.map(({ position, userId, firstName, lastName }) => ({
      position,
      user: { id: userId, firstName, lastName },
    })),
    touches: { one, all },
    seriesStart: found.series?.firstDate ?? null,
  }
}

/** What the studio's cancelling or moving of these classes would do. */
async function touched(reader: Reader, rows: ClassRow[], now: Temporal.Instant) {
  const ids = rows.map(({ id }) => id)
  const [booked, late, waiting] = await Promise.all([
    confirmedAhead(reader, rows, now),
    cancelledLate(reader, rows, now),
    inLinesOf(reader, ids),
  ])
  const members = booked.map(({ booking }) => booking.userId)
  return {
    classes: rows.length,
    bookings: booked.length,
    credits: booked.length + late.length,
    members: new Set([...members, ...late.map(({ booking }) => booking.userId)]).size,
    waiting: waiting.length,
    people: new Set([...members, ...waiting.map(({ userId }) => userId)]).size,
    /** The most places taken in one of them: no edit can go below. */
    mostBooked: Math.max(0, ...rows.map(({ bookedCount }) => bookedCount)),
  }
}
