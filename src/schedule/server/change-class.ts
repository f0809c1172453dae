import { and, inArray } from 'drizzle-orm'
import { notify, recipient } from '#accounts/server/accounts.ts'
import { AUDITED } from '#audit/contract.ts'
import { differences, recordAdminChanges } from '#audit/server/audit.ts'
import { bookingRefusals } from '#booking/refusals.ts'
import { hasOffer } from '#booking/rules.ts'
import {
  bookForRegulars,
  findWaitingFor,
  hasMarkedAttendance,
  heldIn,
  lockedPlaces,
  lockPassesForFreedPlaces,
  markMoved,
  moveHolds,
  moveRegularSlots,
  offerFreedPlaces,
  selectConfirmedIn,
  selectHeld,
  setTurns,
  toClassFacts,
  toMailedBooking,
} from '#booking/server/booking.ts'
import { bookings } from '#booking/tables.ts'
import { defined } from '#foundation/collections.ts'
import { refuseIfChanged } from '#foundation/fields.ts'
import { refuse } from '#foundation/refusal.ts'
import { queueMails } from '#messages/server/messages.ts'
import type { Tx } from '#platform/database/database.ts'
import { type ApplyToRecurring, type ClassEdit, timetableRefusals } from '#timetable/contract.ts'
import { hasStarted } from '#timetable/rules.ts'
import {
  factsOf,
  findClass,
  lockDays,
  markClassesDeleted,
  refuseClosedDays,
  refuseOverlaps,
  reservePlaces,
  shiftSeries,
  shortenSeries,
  similarClassesForUpdate,
  toStudioClass,
  writeEdit,
} from '#timetable/server/timetable.ts'
import type { ClassRow } from '#timetable/tables.ts'
import type { Undoable } from '../contract.ts'
import { announceTeachers } from './other-teachers.ts'
import { cancelledClasses, emailLosses, saveForUndo } from './studio-cancellations.ts'
import { type TakenOff, takeOffClasses } from './take-off-classes.ts'

/**
 * Edits a class, or all similar ones to come, or the later ones. Deactivating cancels bookings; moving moves them;
 * a new teacher is announced.
 */
export async function editClass(tx: Tx, admin: { id: string }, id: number, edit: ClassEdit, now: Temporal.Instant) {
  const { applyToRecurring, ifUpdatedAt, onClosedDay, ifNoOverlap, ...changes } = edit
  if (changes.date !== undefined || changes.startTime !== undefined || changes.isActive) await lockDays(tx, 'shared')
  const { rows, named } = await lockEditedClasses(tx, id, applyToRecurring, now)
  refuseIfChanged(named.updatedAt, ifUpdatedAt)
  const isTakenOff = changes.isActive === false
  let cancelled: TakenOff = new Map()
  if (isTakenOff) {
    const taken = await takeOffClasses(tx, admin, rows, now)
    cancelled = taken.cancelled
    await emailLosses(tx, taken.lost, now)
  }
  const before = isTakenOff ? (await lockEditedClasses(tx, id, applyToRecurring, now)).rows : rows
  const after = await writeEdit(tx, before, named, changes, now)
  await refuseBelowOffers(tx, before, after, now)
  if (!onClosedDay) await refuseClosedDays(tx, before, after)
  if (ifNoOverlap) await refuseOverlaps(tx, before, after)
  await shiftSeries(tx, before, after, now)
  const moves = findMoves(before, after)
  const moved = await moveClasses(tx, moves, now)
  const { byClass: given } = await announceTeachers(tx, before, after, now, moved)
  const notified = new Map([...moved, ...given])
  await recordEdits(tx, admin, before, after, now, (row) => ({
    ...bookingsCancelled(cancelled, row),
    ...peopleNotified(notified, row),
  }))
  if (applyToRecurring || moves.length > 1) await moveRegularSlots(tx, moves, now)
  await offerNewPlaces(tx, before, after, moves, now)
  const back = after.filter((row, i) => row.isActive && !before[i]?.isActive)
  await bookForRegulars(
    tx,
    back.map((row) => row.id),
    now,
  )
  const edited = (await findClass(tx, id)) ?? refuse(timetableRefusals.class_not_found)
  return toStudioClass(edited)
}

/** Refuses to take away a place that is offered to a waiting member at the moment. */
async function refuseBelowOffers(tx: Tx, before: ClassRow[], after: ClassRow[], now: Temporal.Instant): Promise<void> {
  const fewer = after.filter((row, i) => row.isActive && row.reservedPlaces < (before[i]?.reservedPlaces ?? 0))
  const waiting = await findWaitingFor(
    tx,
    fewer.map(({ id }) => id),
  )
  for (const { id, reservedPlaces } of fewer) {
    const offers = waiting.filter((each) => each.classId === id && each.offeredUntil)
    const running = offers.filter((each) => hasOffer(each, now))
    if (running.length > reservedPlaces) refuse(bookingRefusals.place_offered)
    const over = offers.filter((each) => !running.includes(each)).map(({ userId }) => userId)
    await setTurns(tx, id, over, { turn: 'over' })
  }
}

/** Offers new places of enlarged classes, except moved ones, whose waiting lists were just emailed. */
async function offerNewPlaces(tx: Tx, before: ClassRow[], after: ClassRow[], moves: Move[], now: Temporal.Instant) {
  const moved = new Set(moves.map(({ to }) => to.id))
  const larger = after
    .filter((row, i) => row.maxParticipants > (before[i]?.maxParticipants ?? 0) && !moved.has(row.id))
    .map((row) => row.id)
  await lockPassesForFreedPlaces(tx, larger)
  await offerFreedPlaces(tx, larger, now)
}

/**
 * Deletes a class, or also the similar ones, or the later of them, that have not started; their bookings are cancelled,
 * and members are emailed once it can no longer be undone.
 */
export async function deleteClass(
  tx: Tx,
  admin: { id: string },
  id: number,
  options: { applyToRecurring: ApplyToRecurring },
  now: Temporal.Instant,
): Promise<Undoable> {
  const { rows } = await lockEditedClasses(tx, id, options.applyToRecurring, now)
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
  const shortened = options.applyToRecurring ? await shortenSeries(tx, rows) : undefined
  return await saveForUndo(tx, admin, { classes: cancelledClasses(rows, deleted, shortened), lost, closed: null }, now)
}

/** Records edits of classes in the audit log, each with its differences and `more`. */
export async function recordEdits(
  tx: Tx,
  admin: { id: string },
  before: ClassRow[],
  after: ClassRow[],
  now: Temporal.Instant,
  more: (row: ClassRow) => Partial<Record<string, { after?: unknown }>>,
): Promise<void> {
  await recordAdminChanges(
    tx,
    admin,
    after.map((row, i) => ({
      action: 'edited',
      subject: { kind: 'class', id: row.id },
      changes: { ...differences(AUDITED.class, factsOf(defined(before[i])), factsOf(row)), ...more(row) },
    })),
    now,
  )
}

async function lockEditedClasses(tx: Tx, id: number, recurring: ApplyToRecurring, now: Temporal.Instant) {
  const rows = await similarClassesForUpdate(tx, id, { recurring, now })
  const named = rows.find((row) => row.id === id) ?? refuse(timetableRefusals.class_not_found)
  return { rows, named }
}

/** How many places of a class were cancelled, and how many of them were held, for the audit log; empty if none. */
export function bookingsCancelled(cancelled: TakenOff, { id }: Pick<ClassRow, 'id'>) {
  const places = cancelled.get(id) ?? []
  const held = places.filter(({ place }) => place.status === 'held').length
  return {
    ...(places.length > 0 && { bookingsCancelled: { after: places.length } }),
    ...(held > 0 && { heldPlaces: { after: held } }),
  }
}

/** How many people were emailed about a class, for the audit log; empty if none. */
export function peopleNotified(notified: ReadonlyMap<number, number>, { id }: ClassRow) {
  const count = notified.get(id)
  return count ? { peopleNotified: { after: count } } : {}
}

type Move = { from: ClassRow; to: ClassRow }

/** The edited classes whose date, start or end changed. */
export function findMoves(before: ClassRow[], after: ClassRow[]): Move[] {
  const pairs = after.flatMap((to) => {
    const from = before.find(({ id }) => id === to.id)
    return from ? [{ from, to }] : []
  })
  return pairs.filter(
    ({ from, to }) => from.date !== to.date || from.startTime !== to.startTime || from.endTime !== to.endTime,
  )
}

/**
 * Moves bookings and waiting lists with classes that the studio has moved (locked, and already written). Everyone is
 * emailed once per class. A moved booking can be cancelled free of charge until the class starts, and is reminded of
 * again; a place on the waiting list must be confirmed. Refused if members would be moved into the past, or if
 * attendance was marked for a class that would still be to come.
 *
 * @returns how many people were emailed, by class
 */
export async function moveClasses(tx: Tx, moves: Move[], now: Temporal.Instant): Promise<ReadonlyMap<number, number>> {
  if (moves.length === 0) return new Map()
  const ids = moves.map(({ to }) => to.id)
  const ahead = moves.filter(({ to }) => !hasStarted(to.startsAt, now)).map(({ to }) => to.id)
  if (await hasMarkedAttendance(tx, ahead)) refuse(bookingRefusals.attendance_marked)
  await lockedPlaces(tx, and(inArray(bookings.status, ['held', 'confirmed']), heldIn(ids)))
  const [booked, held] = [await selectConfirmedIn(tx, ids), await selectHeld(tx, heldIn(ids))]
  const waiting = await findWaitingFor(tx, ids)
  const affected = new Set(
    [...booked.map(({ booking }) => booking), ...held.map(({ place }) => place), ...waiting].map(
      ({ classId }) => classId,
    ),
  )
  const announced = moves.filter(({ to }) => affected.has(to.id))
  if (announced.some((move) => isIntoPast(move, now))) refuse(bookingRefusals.new_time_in_past)
  if (announced.length === 0) return new Map()
  await markMoved(tx, announced, now)
  // The whole waiting list is emailed about free places now, so none is held until the morning.
  await reservePlaces(tx, ids, 0)

  const moveOf = (classId: number) => defined(announced.find(({ to }) => to.id === classId))
  const movedAt = now.toString()
  const toBooked = booked.map(({ booking, user, payer, hasPassEnded }) => {
    const { from, to } = moveOf(booking.classId)
    const paidBy = payer?.id === user.id ? undefined : payer?.firstName
    const facts = { class: toMailedBooking(booking, to), from: toClassFacts(from), movedAt }
    const mail = { to: recipient(user), ...facts, paidBy, hasPassEnded }
    return { mail, alert: { kind: 'class_moved' as const, userId: user.id, ...facts } }
  })
  await notify(tx, 'class-moved', toBooked, now)
  await moveHolds(tx, held, (classId) => moveOf(classId), now)
  const toWaiting = waiting.map(({ classId, user }) => {
    const { from, to } = moveOf(classId)
    const facts = { classId, class: toClassFacts(to), from: toClassFacts(from), movedAt }
    return { to: recipient(user), ...facts, isFree: to.bookedCount < to.maxParticipants }
  })
  await queueMails(tx, 'awaited-class-moved', toWaiting)
  const mailed = [...booked.map(({ booking }) => booking.classId), ...waiting.map(({ classId }) => classId)]
  return new Map(ids.map((id) => [id, mailed.filter((classId) => classId === id).length]))
}

/** A class in progress may still end later, but members cannot attend a class that has already started or ended. */
function isIntoPast({ from, to }: Move, now: Temporal.Instant): boolean {
  const hasNewStart = !from.startsAt.equals(to.startsAt)
  return Temporal.Instant.compare(hasNewStart ? to.startsAt : to.endsAt, now) <= 0
}
