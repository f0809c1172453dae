import { bookForRegulars, moveRegularSlots } from '#booking/server/booking.ts'
import { refuse } from '#foundation/refusal.ts'
import type { Tx } from '#platform/database/database.ts'
import { timetableRefusals } from '#timetable/contract.ts'
import { hasStarted } from '#timetable/rules.ts'
import {
  classesForUpdate,
  copyWeek as copyClasses,
  extendSeries as extend,
  lockDays,
  recordCreatedClasses,
  refuseClosedDays,
  refuseOverlaps,
  shiftClasses,
  shiftSeries,
  writeEdit,
} from '#timetable/server/timetable.ts'
import type { ClassRow } from '#timetable/tables.ts'
import type { CopyWeekForm, ExtendForm, GiveForm, ShiftForm } from '../contract-bulk.ts'
import { bookingsCancelled, findMoves, moveClasses, peopleNotified, recordEdits } from './change-class.ts'
import { announceTeachers } from './other-teachers.ts'
import { emailLosses } from './studio-cancellations.ts'
import { takeOffClasses } from './take-off-classes.ts'

/** Takes active classes that have not started off the timetable, as if each were edited. */
export async function takeOffClassesInBulk(tx: Tx, admin: { id: string }, classIds: number[], now: Temporal.Instant) {
  const rows = (await lockAhead(tx, classIds, now)).filter(({ isActive }) => isActive)
  const [named] = rows
  if (!named) return { classes: 0, bookingsCancelled: 0, peopleNotified: 0 }
  const { cancelled, lost } = await takeOffClasses(tx, admin, rows, now)
  const peopleNotified = await emailLosses(tx, lost, now)
  // Read again, as cancelling has changed the number of bookings.
  const before = await classesForUpdate(
    tx,
    rows.map(({ id }) => id),
  )
  const after = await writeEdit(tx, before, named, { isActive: false }, now)
  await recordEdits(tx, admin, before, after, now, (row) => bookingsCancelled(cancelled, row))
  return { classes: rows.length, bookingsCancelled: lost.bookings.length, peopleNotified }
}

/** Moves classes that have not started, each from its own time; members are emailed as after an edit of each. */
export async function shiftClassesInBulk(
  tx: Tx,
  admin: { id: string },
  { classIds, days, minutes, onClosedDay, ifNoOverlap }: ShiftForm,
  now: Temporal.Instant,
) {
  await lockDays(tx, 'shared')
  const before = await lockAhead(tx, classIds, now)
  if (before.length === 0) return { classes: 0, peopleNotified: 0 }
  const after = await shiftClasses(tx, before, { days, minutes }, now)
  if (!onClosedDay) await refuseClosedDays(tx, before, after)
  if (ifNoOverlap) await refuseOverlaps(tx, before, after)
  await shiftSeries(tx, before, after, now)
  const moves = findMoves(before, after)
  const notified = await moveClasses(tx, moves, now)
  if (moves.length > 1) await moveRegularSlots(tx, moves, now)
  await recordEdits(tx, admin, before, after, now, (row) => peopleNotified(notified, row))
  return { classes: after.length, peopleNotified: [...notified.values()].reduce((sum, count) => sum + count, 0) }
}

/** Gives classes that have not started to a teacher, as if each were edited; their members get one email each. */
export async function giveClassesInBulk(
  tx: Tx,
  admin: { id: string },
  { classIds, instructorName }: GiveForm,
  now: Temporal.Instant,
) {
  const before = (await lockAhead(tx, classIds, now)).filter((row) => row.instructorName !== instructorName)
  const [named] = before
  if (!named) return { classes: 0, peopleNotified: 0 }
  const after = await writeEdit(tx, before, named, { instructorName }, now)
  const { people, byClass } = await announceTeachers(tx, before, after, now)
  await recordEdits(tx, admin, before, after, now, (row) => peopleNotified(byClass, row))
  return { classes: after.length, peopleNotified: people }
}

const idsOf = (rows: readonly ClassRow[]) => rows.map(({ id }) => id)

/** Copies a week's classes and records them. */
export async function copyWeek(tx: Tx, admin: { id: string }, weeks: CopyWeekForm, now: Temporal.Instant) {
  const { created, ...left } = await copyClasses(tx, weeks, now)
  await recordCreatedClasses(tx, admin, created, now)
  await bookForRegulars(tx, idsOf(created), now)
  return { classes: created.length, ...left }
}

/** Extends a series and records its new classes. */
export async function extendSeries(tx: Tx, admin: { id: string }, id: number, form: ExtendForm, now: Temporal.Instant) {
  const { created, until } = await extend(tx, id, form, now)
  await recordCreatedClasses(tx, admin, created, now)
  await bookForRegulars(tx, idsOf(created), now)
  return { classes: created.length, until }
}

/** Locks the classes and leaves out those that have started. @throws a refusal if one does not exist */
async function lockAhead(tx: Tx, classIds: readonly number[], now: Temporal.Instant): Promise<ClassRow[]> {
  const ids = [...new Set(classIds)]
  const rows = (await classesForUpdate(tx, ids)).filter(({ deletedAt }) => deletedAt === null)
  if (rows.length < ids.length) refuse(timetableRefusals.class_not_found)
  return rows.filter(({ startsAt }) => !hasStarted(startsAt, now))
}
