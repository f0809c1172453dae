import { AUDITED } from '#audit/contract.ts'
import { differences, recordAdminChanges } from '#audit/server/audit.ts'
import { defined } from '#foundation/collections.ts'
import { refuse } from '#foundation/refusal.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { timetableRefusals } from '#timetable/contract.ts'
import { hasStarted } from '#timetable/rules.ts'
import {
  askIfClosed,
  askIfOverlapping,
  classesBetween,
  classesForUpdate,
  copyWeek as copyClasses,
  type Days,
  extendSeries as extend,
  factsOf,
  holdDays,
  shiftClasses,
  shiftSeries,
  writeEdit,
} from '#timetable/server/timetable.ts'
import type { ClassRow } from '#timetable/tables.ts'
import type { ClassPeople, CopyWeekForm, ExtendForm, ShiftForm } from '../contract-several.ts'
import { moveClasses, movesOf } from './change-class.ts'
import { placesIn } from './queries.ts'
import { emailLosses } from './studio-cancellations.ts'
import { type TakenOff, takeOffClasses } from './take-off-classes.ts'
import { inLinesOf } from './waiting-queries.ts'

/** Who has a place in classes, and who waits for one, by class. */
export async function peopleIn(reader: Reader, classIds: number[]): Promise<ReadonlyMap<number, ClassPeople>> {
  const [places, line] = await Promise.all([placesIn(reader, classIds), inLinesOf(reader, classIds)])
  const booked = Map.groupBy(places, ({ classId }) => classId)
  const waiting = Map.groupBy(line, ({ classId }) => classId)
  const ids = new Set([...booked.keys(), ...waiting.keys()])
  return new Map(
    Array.from(ids, (classId) => [
      classId,
      {
        classId,
        booked: (booked.get(classId) ?? []).map(toPerson),
        waiting: (waiting.get(classId) ?? []).map(({ userId, user }) => toPerson({ userId, ...user })),
      },
    ]),
  )
}

const toPerson = ({ userId, firstName, lastName }: { userId: string; firstName: string; lastName: string }) => {
  return { id: userId, firstName, lastName }
}

/** Who comes to the classes of some days, and who waits. */
export async function peopleBetween(reader: Reader, days: Days): Promise<ClassPeople[]> {
  const shown = await classesBetween(reader, days, { inactiveToo: true })
  const people = await peopleIn(
    reader,
    shown.map(({ class: { id } }) => id),
  )
  return [...people.values()]
}

/** Takes those of the classes off the timetable that have not begun and are on it, as if each were edited. */
export async function takeOffSeveral(tx: Tx, admin: { id: string }, classIds: number[], now: Temporal.Instant) {
  const rows = (await lockAhead(tx, classIds, now)).filter(({ isActive }) => isActive)
  const [named] = rows
  if (!named) return { classes: 0, bookingsCancelled: 0, peopleTold: 0 }
  const { cancelled, lost } = await takeOffClasses(tx, admin, rows, now)
  const peopleTold = await emailLosses(tx, lost)
  // With the places that cancelling gave back.
  const before = await classesForUpdate(
    tx,
    rows.map(({ id }) => id),
  )
  const after = await writeEdit(tx, before, named, { isActive: false }, now)
  await record(tx, admin, before, after, cancelledIn(cancelled), now)
  const bookingsCancelled = [...cancelled.values()].reduce((sum, { length }) => sum + length, 0)
  return { classes: rows.length, bookingsCancelled, peopleTold }
}

/** Moves those of the classes that have not begun, each from where it is; everybody concerned is told as by an edit of each. */
export async function shiftSeveral(
  tx: Tx,
  admin: { id: string },
  { classIds, days, minutes, onClosedDay, ifNoOverlap }: ShiftForm,
  now: Temporal.Instant,
) {
  await holdDays(tx, 'shared')
  const before = await lockAhead(tx, classIds, now)
  if (before.length === 0) return { classes: 0, peopleTold: 0 }
  const after = await shiftClasses(tx, before, { days, minutes }, now)
  if (!onClosedDay) await askIfClosed(tx, before, after)
  if (ifNoOverlap) await askIfOverlapping(tx, before, after)
  await shiftSeries(tx, before, after, now)
  const told = await moveClasses(tx, movesOf(before, after), now)
  await record(tx, admin, before, after, ({ id }) => told.get(id) && { peopleTold: { after: told.get(id) } }, now)
  return { classes: after.length, peopleTold: [...told.values()].reduce((sum, count) => sum + count, 0) }
}

/** Copies a week's classes; see the timetable. */
export async function copyWeek(tx: Tx, admin: { id: string }, weeks: CopyWeekForm, now: Temporal.Instant) {
  const { created, ...left } = await copyClasses(tx, weeks, now)
  await recordCreated(tx, admin, created, now)
  return { classes: created.length, ...left }
}

/** Lets a repeating class go on; see the timetable. */
export async function extendSeries(tx: Tx, admin: { id: string }, id: number, form: ExtendForm, now: Temporal.Instant) {
  const { created, until } = await extend(tx, id, form, now)
  await recordCreated(tx, admin, created, now)
  return { classes: created.length, until }
}

/** Locks the classes and leaves out those that have begun. @throws where one of them is not there */
async function lockAhead(tx: Tx, classIds: readonly number[], now: Temporal.Instant): Promise<ClassRow[]> {
  const ids = [...new Set(classIds)]
  const rows = (await classesForUpdate(tx, ids)).filter(({ deletedAt }) => deletedAt === null)
  if (rows.length < ids.length) refuse(timetableRefusals.class_not_found)
  return rows.filter(({ startsAt }) => !hasStarted(startsAt, now))
}

type More = (row: ClassRow) => Record<string, { after?: unknown }> | undefined | 0

const cancelledIn =
  (cancelled: TakenOff): More =>
  ({ id }) =>
    cancelled.has(id) ? { bookingsCancelled: { after: cancelled.get(id)?.length } } : undefined

async function record(
  tx: Tx,
  admin: { id: string },
  before: ClassRow[],
  after: ClassRow[],
  more: More,
  now: Temporal.Instant,
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

async function recordCreated(tx: Tx, admin: { id: string }, created: ClassRow[], now: Temporal.Instant): Promise<void> {
  await recordAdminChanges(
    tx,
    admin,
    created.map((row) => ({
      action: 'created',
      subject: { kind: 'class', id: row.id },
      changes: differences(AUDITED.class, {}, factsOf(row)),
    })),
    now,
  )
}
