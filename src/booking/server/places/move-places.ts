import { and, inArray, sql } from 'drizzle-orm'
import type { Tx } from '#platform/database/database.ts'
import type { ClassRow } from '#timetable/tables.ts'
import { bookings, waitingList } from '../../tables.ts'

/** Whether attendance was marked in one of these classes. */
export async function hasMarkedAttendance(tx: Tx, classIds: number[]): Promise<boolean> {
  const marked = inArray(bookings.status, ['completed', 'no_show'])
  return (await tx.$count(bookings, and(marked, inArray(bookings.classId, classIds)))) > 0
}

/**
 * Writes the previous times into the places of moved (locked) classes, makes their reminders due again, and asks their
 * waiting lists to confirm.
 */
export async function markMoved(tx: Tx, moves: { from: ClassRow }[], now: Temporal.Instant): Promise<void> {
  const column = (of: (from: ClassRow) => unknown) => sql.param(moves.map(({ from }) => of(from)))
  const before = sql`unnest(
    ${column(({ id }) => id)}::int[],
    ${column(({ date }) => date)}::date[],
    ${column(({ startTime }) => startTime)}::time[],
    ${column(({ endTime }) => endTime)}::time[]
  ) as before(class_id, date, start_time, end_time)`
  await tx
    .update(bookings)
    .set({
      movedAt: now,
      movedFromDate: sql`before.date`,
      movedFromStartTime: sql`before.start_time`,
      movedFromEndTime: sql`before.end_time`,
      remindedAt: null,
      announcedAt: now,
    })
    .from(before)
    .where(and(inArray(bookings.status, ['held', 'confirmed']), sql`${bookings.classId} = before.class_id`))
  const unconfirmed = { unconfirmedSince: now, turn: null, offeredUntil: null }
  const ids = moves.map(({ from }) => from.id)
  await tx.update(waitingList).set(unconfirmed).where(inArray(waitingList.classId, ids))
}

/**
 * Writes who was to teach into the places of (locked) classes that were given to another teacher; a class that is given
 * back has none.
 */
export async function markGiven(tx: Tx, given: { from: ClassRow; to: ClassRow }[]): Promise<void> {
  const column = (of: (change: { from: ClassRow; to: ClassRow }) => unknown) => sql.param(given.map(of))
  const change = sql`unnest(
    ${column(({ to }) => to.id)}::int[],
    ${column(({ from }) => from.instructorName)}::text[],
    ${column(({ to }) => to.instructorName)}::text[]
  ) as change(class_id, was, is_now)`
  await tx
    .update(bookings)
    .set({ bookedWith: sql`nullif(coalesce(${bookings.bookedWith}, change.was), change.is_now)` })
    .from(change)
    .where(and(inArray(bookings.status, ['held', 'confirmed']), sql`${bookings.classId} = change.class_id`))
}
