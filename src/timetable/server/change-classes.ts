import { and, getTableColumns, gt, inArray, ne, type SQL, sql } from 'drizzle-orm'
import { toPence } from '#foundation/amounts.ts'
import { defined } from '#foundation/collections.ts'
import { refuse } from '#foundation/refusal.ts'
import { changedAt } from '#platform/database/columns.ts'
import type { Tx } from '#platform/database/database.ts'
import { type ClassEdit, timetableRefusals } from '../contract.ts'
import { spanOf } from '../rules.ts'
import { type ClassRow, classes, closedClasses } from '../tables.ts'

/**
 * Writes an edit into (locked) classes. A new date shifts all by the same number of days, counted from `named`.
 * Capacity cannot go below bookings. Returns the classes in the order of `rows`.
 */
export async function writeEdit(
  tx: Tx,
  rows: ClassRow[],
  named: ClassRow,
  edit: Omit<ClassEdit, 'applyToRecurring' | 'ifUpdatedAt' | 'onClosedDay' | 'ifNoOverlap'>,
  now: Temporal.Instant,
): Promise<ClassRow[]> {
  const { maxParticipants } = edit
  if (maxParticipants !== undefined && rows.some((row) => row.bookedCount > maxParticipants)) {
    refuse(timetableRefusals.capacity_below_bookings)
  }
  const shift = edit.date
    ? Temporal.PlainDate.from(named.date).until(Temporal.PlainDate.from(edit.date), { largestUnit: 'days' })
    : undefined
  const walls = rows.map((row) => {
    const wall = {
      date: shift ? Temporal.PlainDate.from(row.date).add(shift).toString() : row.date,
      startTime: edit.startTime ?? row.startTime,
      endTime: edit.endTime ?? row.endTime,
    }
    return { id: row.id, ...wall, ...spanOf(wall) }
  })
  const edited = await tx
    .update(classes)
    .set({
      ...WHEN,
      title: edit.title,
      description: edit.description === undefined ? undefined : edit.description || null,
      maxParticipants,
      reservedPlaces:
        maxParticipants && sql`least(${classes.reservedPlaces}, ${maxParticipants}::int - ${classes.bookedCount})`,
      pricePence: edit.price == null ? undefined : toPence(edit.price),
      passPricePence: edit.passPrice == null ? undefined : toPence(edit.passPrice),
      ...(edit.instructorName && givenTo(edit.instructorName)),
      isActive: edit.isActive,
      updatedAt: changedAt(classes.updatedAt, now),
    })
    .from(asRows(walls))
    .where(sql`${classes.id} = edited.id`)
    .returning(getTableColumns(classes))
  const isSwitched = ({ isActive }: ClassRow) => edit.isActive !== undefined && edit.isActive !== isActive
  await detachFromClosures(tx, isSwitched(named) ? rows : rows.filter(isSwitched))
  return rows.map(({ id }) => defined(edited.find((row) => row.id === id)))
}

/** Who was to teach stays on record while another teacher has the class. */
const givenTo = (teacher: string) => ({
  instructorName: teacher,
  plannedInstructorName: sql`nullif(coalesce(${classes.plannedInstructorName}, ${classes.instructorName}), ${teacher})`,
})

/** An admin has switched these classes on or off by hand: opening closed days no longer affects them. */
async function detachFromClosures(tx: Tx, rows: ClassRow[]): Promise<void> {
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  await tx.delete(closedClasses).where(inArray(closedClasses.classId, ids))
}

/** Moves (locked) classes by days and minutes of wall-clock time. Returns them in the order of `rows`. */
export async function shiftClasses(
  tx: Tx,
  rows: ClassRow[],
  { days, minutes }: { days: number; minutes: number },
  now: Temporal.Instant,
): Promise<ClassRow[]> {
  const walls = rows.map((row) => {
    const wall = {
      date: Temporal.PlainDate.from(row.date).add({ days }).toString(),
      startTime: shifted(row.startTime, minutes),
      endTime: shifted(row.endTime, minutes),
    }
    return { id: row.id, ...wall, ...spanOf(wall) }
  })
  const edited = await tx
    .update(classes)
    .set({ ...WHEN, updatedAt: changedAt(classes.updatedAt, now) })
    .from(asRows(walls))
    .where(sql`${classes.id} = edited.id`)
    .returning(getTableColumns(classes))
  return rows.map(({ id }) => defined(edited.find((row) => row.id === id)))
}

/** Refused if it would be another day. */
function shifted(time: string, minutes: number): string {
  const from = Temporal.PlainTime.from(time)
  const to = from.add({ minutes })
  const isAnotherDay = minutes !== 0 && Temporal.PlainTime.compare(to, from) !== Math.sign(minutes)
  if (isAnotherDay) refuse(timetableRefusals.crosses_midnight)
  return to.toString({ smallestUnit: 'minute' })
}

const WHEN = {
  date: sql`edited.date`,
  startTime: sql`edited.start_time`,
  endTime: sql`edited.end_time`,
  startsAt: sql`edited.starts_at`,
  endsAt: sql`edited.ends_at`,
}

type Wall = Pick<ClassRow, 'id' | 'date' | 'startTime' | 'endTime' | 'startsAt' | 'endsAt'>

/** As rows for one update, however many classes. */
function asRows(walls: Wall[]): SQL {
  const column = (key: keyof Wall) => sql.param(walls.map((wall) => String(wall[key])))
  return sql`unnest(${column('id')}::int[], ${column('date')}::date[], ${column('startTime')}::time[],
    ${column('endTime')}::time[], ${column('startsAt')}::timestamptz[], ${column('endsAt')}::timestamptz[]
  ) as edited(id, date, start_time, end_time, starts_at, ends_at)`
}

/**
 * Brings (locked) classes back that were deleted, or taken off by a closure that is gone, except those changed since or
 * kept off by a later closure. Returns those that are back.
 *
 * @param options.taken their state before, and their `updatedAt` since
 */
export async function restoreClasses(
  tx: Tx,
  rows: readonly ClassRow[],
  options: { taken: readonly { id: number; wasActive: boolean; updatedAt: string }[]; closureId: number | undefined },
  now: Temporal.Instant,
): Promise<ClassRow[]> {
  const { taken, closureId } = options
  const updatedAt = new Map(rows.map((row) => [row.id, row.updatedAt.toString()]))
  const unchanged = taken.filter((one) => updatedAt.get(one.id) === one.updatedAt)
  const ids = unchanged.map(({ id }) => id)
  const kept = closureId
    ? await tx
        .select({ id: closedClasses.classId })
        .from(closedClasses)
        .where(and(inArray(closedClasses.classId, ids), gt(closedClasses.closureId, closureId)))
    : []
  const isKept = new Set(kept.map(({ id }) => id))
  const active = unchanged.filter(({ wasActive }) => wasActive).map(({ id }) => id)
  return await tx
    .update(classes)
    .set({
      deletedAt: null,
      isActive: inArray(classes.id, active),
      updatedAt: changedAt(classes.updatedAt, now),
    })
    .where(
      inArray(
        classes.id,
        ids.filter((id) => !isKept.has(id)),
      ),
    )
    .returning(getTableColumns(classes))
}

/** Holds this many free places of (locked) classes for their waiting lists. */
export async function reservePlaces(tx: Tx, ids: number[], places: number): Promise<void> {
  const isDifferent = and(inArray(classes.id, ids), ne(classes.reservedPlaces, places))
  if (ids.length > 0) await tx.update(classes).set({ reservedPlaces: places }).where(isDifferent)
}

/** Removes classes from every list; bookings keep them on record. Returns them. */
export async function markClassesDeleted(tx: Tx, ids: number[], now: Temporal.Instant): Promise<ClassRow[]> {
  return await tx
    .update(classes)
    .set({ deletedAt: now, isActive: false, updatedAt: changedAt(classes.updatedAt, now) })
    .where(inArray(classes.id, ids))
    .returning(getTableColumns(classes))
}
