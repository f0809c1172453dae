import { and, eq, inArray, sql } from 'drizzle-orm'
import { recipient } from '#accounts/server/accounts.ts'
import { defined } from '#foundation/collections.ts'
import { refuse } from '#foundation/refusal.ts'
import { queueMails } from '#messages/server/messages.ts'
import type { Tx } from '#platform/database/database.ts'
import { hasStarted } from '#timetable/rules.ts'
import { holdPlaces } from '#timetable/server/timetable.ts'
import type { ClassRow } from '#timetable/tables.ts'
import { bookingRefusals } from '../refusals.ts'
import { bookings, waitingList } from '../tables.ts'
import { toClassFacts, toMailedBooking } from './queries.ts'
import { confirmedIn } from './take-off-classes.ts'
import { inLinesOf } from './waiting-queries.ts'

/** A class as it was and as it is now. */
export type Move = { from: ClassRow; to: ClassRow }

/** Those of the edited classes whose date, start or end is another now. */
export function movesOf(before: ClassRow[], after: ClassRow[]): Move[] {
  const pairs = after.flatMap((to) => {
    const from = before.find(({ id }) => id === to.id)
    return from ? [{ from, to }] : []
  })
  return pairs.filter(
    ({ from, to }) => from.date !== to.date || from.startTime !== to.startTime || from.endTime !== to.endTime,
  )
}

/**
 * The studio moves classes (locked, and written already) under those who have booked or wait. Each of them is mailed once
 * for each class. A booking can from then on be cancelled without cost until the class starts, and is reminded of anew; a
 * place in line counts again once its member has confirmed it. Refused where anybody would be moved into the past, and where a class
 * whose attendance has been marked would still be to come.
 *
 * @returns how many were mailed, by class
 */
export async function moveClasses(tx: Tx, moves: Move[], now: Temporal.Instant): Promise<ReadonlyMap<number, number>> {
  if (moves.length === 0) return new Map()
  const ids = moves.map(({ to }) => to.id)
  const ahead = moves.filter(({ to }) => !hasStarted(to.startsAt, now)).map(({ to }) => to.id)
  if (await hasMarkedAttendance(tx, ahead)) refuse(bookingRefusals.attendance_marked)
  const booked = await confirmedIn(tx, ids).for('no key update', { of: bookings })
  const waiting = await inLinesOf(tx, ids)
  const concerned = new Set([...booked.map(({ booking }) => booking.classId), ...waiting.map(({ classId }) => classId)])
  const told = moves.filter(({ to }) => concerned.has(to.id))
  if (told.some((move) => isIntoPast(move, now))) refuse(bookingRefusals.new_time_in_past)
  if (told.length === 0) return new Map()
  await markMoved(tx, told, now)
  // Everyone in line is emailed about free places now, so none waits for the morning.
  await holdPlaces(tx, ids, 0)
  await tx.update(waitingList).set({ unconfirmedSince: now }).where(inArray(waitingList.classId, ids))

  const moveOf = (classId: number) => defined(told.find(({ to }) => to.id === classId))
  const movedAt = now.toString()
  const toBooked = booked.map(({ booking, user }) => {
    const { from, to } = moveOf(booking.classId)
    return { to: recipient(user), class: toMailedBooking(booking, to), from: toClassFacts(from), movedAt }
  })
  await queueMails(tx, 'class-moved', toBooked)
  const toWaiting = waiting.map(({ classId, user }) => {
    const { from, to } = moveOf(classId)
    const facts = { classId, class: toClassFacts(to), from: toClassFacts(from), movedAt }
    return { to: recipient(user), ...facts, isFree: to.bookedCount < to.maxParticipants }
  })
  await queueMails(tx, 'awaited-class-moved', toWaiting)
  const mailed = [...booked.map(({ booking }) => booking.classId), ...waiting.map(({ classId }) => classId)]
  return new Map(ids.map((id) => [id, mailed.filter((classId) => classId === id).length]))
}

async function hasMarkedAttendance(tx: Tx, classIds: number[]): Promise<boolean> {
  const marked = inArray(bookings.status, ['completed', 'no_show'])
  return (await tx.$count(bookings, and(marked, inArray(bookings.classId, classIds)))) > 0
}

/** A class that is running may still end later; what has begun or ended before now cannot be come to. */
function isIntoPast({ from, to }: Move, now: Temporal.Instant): boolean {
  const startsAnew = !from.startsAt.equals(to.startsAt)
  return Temporal.Instant.compare(startsAnew ? to.startsAt : to.endsAt, now) <= 0
}

/** Writes into the bookings of the classes where they were before, and that their reminder is due anew: in one statement. */
async function markMoved(tx: Tx, moves: Move[], now: Temporal.Instant): Promise<void> {
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
    })
    .from(before)
    .where(and(eq(bookings.status, 'confirmed'), sql`${bookings.classId} = before.class_id`))
}
