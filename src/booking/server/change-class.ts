import { and, eq, inArray, sql } from 'drizzle-orm'
import { recipient } from '#accounts/server/accounts.ts'
import { AUDITED } from '#audit/contract.ts'
import { differences, recordAdminChanges } from '#audit/server/audit.ts'
import { defined } from '#foundation/collections.ts'
import { refuseIfChanged } from '#foundation/fields.ts'
import { refuse } from '#foundation/refusal.ts'
import { queueMails } from '#messages/server/messages.ts'
import type { Tx } from '#platform/database/database.ts'
import { type ClassEdit, type StudioClass, timetableRefusals } from '#timetable/contract.ts'
import { hasStarted } from '#timetable/rules.ts'
import {
  askIfClosed,
  askIfOverlapping,
  classesAlikeForUpdate,
  factsOf,
  findClass,
  holdDays,
  holdPlaces,
  markClassesDeleted,
  shiftSeries,
  toStudioClass,
  writeEdit,
} from '#timetable/server/timetable.ts'
import type { ClassRow } from '#timetable/tables.ts'
import type { Undoable } from '../contract-classes.ts'
import { bookingRefusals } from '../refusals.ts'
import { bookings, waitingList } from '../tables.ts'
import { lockPassesAround, offerFreedPlaces } from './offer-freed-place.ts'
import { toClassFacts, toMailedBooking } from './queries.ts'
import { cancelledClasses, emailLosses, keepForUndo } from './studio-cancellations.ts'
import { confirmedIn, type TakenOff, takeOffClasses } from './take-off-classes.ts'
import { inLinesOf } from './waiting-queries.ts'

/**
 * Edits a class, or all alike that have not started. Taking it off the timetable cancels its bookings for the members;
 * another date, start or end moves them with the class.
 */
export async function editClass(
  tx: Tx,
  admin: { id: string },
  id: number,
  edit: ClassEdit,
  now: Temporal.Instant,
): Promise<StudioClass> {
  const { applyToRecurring, ifUpdatedAt, onClosedDay, ifNoOverlap, ...changes } = edit
  if (changes.date !== undefined || changes.isActive) await holdDays(tx, 'shared')
  const { rows, named } = await lockMeant(tx, id, applyToRecurring, now)
  refuseIfChanged(named.updatedAt, ifUpdatedAt)
  const isTakenOff = changes.isActive === false
  let cancelled: TakenOff = new Map()
  if (isTakenOff) {
    const taken = await takeOffClasses(tx, admin, rows, now)
    cancelled = taken.cancelled
    await emailLosses(tx, taken.lost)
  }
  const before = isTakenOff ? (await lockMeant(tx, id, applyToRecurring, now)).rows : rows
  const after = await writeEdit(tx, before, named, changes, now)
  if (!onClosedDay) await askIfClosed(tx, before, after)
  if (ifNoOverlap) await askIfOverlapping(tx, before, after)
  await shiftSeries(tx, before, after, now)
  const moves = movesOf(before, after)
  const told = await moveClasses(tx, moves, now)
  await recordAdminChanges(
    tx,
    admin,
    after.map((row, i) => ({
      action: 'edited',
      subject: { kind: 'class', id: row.id },
      changes: {
        ...differences(AUDITED.class, factsOf(defined(before[i])), factsOf(row)),
        ...bookingsCancelled(cancelled, row),
        ...peopleTold(told, row),
      },
    })),
    now,
  )
  await offerNewPlaces(tx, before, after, moves, now)
  const edited = (await findClass(tx, id)) ?? refuse(timetableRefusals.class_not_found)
  return toStudioClass(edited)
}

/** Offers the places of classes that were made larger. Who waits for one that moved as well has been told of its free places. */
async function offerNewPlaces(
  tx: Tx,
  before: ClassRow[],
  after: ClassRow[],
  moves: Move[],
  now: Temporal.Instant,
): Promise<void> {
  const moved = new Set(moves.map(({ to }) => to.id))
  const larger = after
    .filter((row, i) => row.maxParticipants > (before[i]?.maxParticipants ?? 0) && !moved.has(row.id))
    .map((row) => row.id)
  await lockPassesAround(tx, larger)
  await offerFreedPlaces(tx, larger, now)
}

/**
 * Deletes a class, or all alike that have not started; their bookings are cancelled for the members, who are emailed once it
 * can no longer be undone.
 */
export async function deleteClass(
  tx: Tx,
  admin: { id: string },
  id: number,
  options: { applyToRecurring: boolean },
  now: Temporal.Instant,
): Promise<Undoable> {
  const { rows } = await lockMeant(tx, id, options.applyToRecurring, now)
  const { cancelled, lost } = await takeOffClasses(tx, admin, rows, now)
  const deleted = await markClassesDeleted(
    tx,
    rows.map((row) => row.id),
    now,
  )
  await recordAdminChanges(
    tx,
    admin,
    rows.map((row) => ({
      action: 'deleted',
      subject: { kind: 'class', id: row.id },
      changes: bookingsCancelled(cancelled, row),
    })),
    now,
  )
  return await keepForUndo(tx, admin, { classes: cancelledClasses(rows, deleted), lost, closed: null }, now)
}

async function lockMeant(tx: Tx, id: number, recurring: boolean, now: Temporal.Instant) {
  const rows = await classesAlikeForUpdate(tx, id, { recurring, now })
  const named = rows.find((row) => row.id === id) ?? refuse(timetableRefusals.class_not_found)
  return { rows, named }
}

function bookingsCancelled(cancelled: TakenOff, { id }: ClassRow) {
  const count = cancelled.get(id)?.length
  return count ? { bookingsCancelled: { after: count } } : {}
}

function peopleTold(told: ReadonlyMap<number, number>, { id }: ClassRow) {
  const count = told.get(id)
  return count ? { peopleTold: { after: count } } : {}
}

/** A class as it was and as it is now. */
type Move = { from: ClassRow; to: ClassRow }

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
