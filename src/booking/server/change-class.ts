import { AUDITED } from '#audit/contract.ts'
import { differences, recordAdminChanges } from '#audit/server/audit.ts'
import { defined } from '#foundation/collections.ts'
import { refuseIfChanged } from '#foundation/freshness.ts'
import { refuse } from '#foundation/refusal.ts'
import type { Tx } from '#platform/database/database.ts'
import { type ClassEdit, type StudioClass, timetableRefusals } from '#timetable/contract.ts'
import {
  askIfClosed,
  askIfOverlapping,
  classesAlikeForUpdate,
  factsOf,
  findClass,
  holdDays,
  markClassesDeleted,
  shiftSeries,
  toStudioClass,
  writeEdit,
} from '#timetable/server/timetable.ts'
import type { ClassRow } from '#timetable/tables.ts'
import type { Undoable } from '../contract-classes.ts'
import { type Move, moveClasses, movesOf } from './move-classes.ts'
import { lockPassesAround, offerFreedPlaces } from './offer-freed-place.ts'
import { cancelledClasses, emailLosses, keepForUndo } from './studio-cancellations.ts'
import { type TakenOff, takeOffClasses } from './take-off-classes.ts'

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
