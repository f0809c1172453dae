import { getTableColumns, inArray, type SQL, sql } from 'drizzle-orm'
import { toPence } from '../../foundation/amounts.ts'
import { defined } from '../../foundation/collections.ts'
import { refuse } from '../../foundation/refusal.ts'
import { changedAt } from '../../platform/database/columns.ts'
import type { Tx } from '../../platform/database/database.ts'
import { type ClassEdit, timetableRefusals } from '../contract.ts'
import { spanOf } from '../rules.ts'
import { type ClassRow, classes, closedClasses } from '../tables.ts'

/**
 * Writes an edit into the given (locked) classes. Only what is sent changes; a changed date shifts all by the
 * same number of days, counted from the named class, and each keeps its wall time. Places cannot go below what is booked.
 *
 * @param named the class the edit was written for, one of `rows`
 * @returns the classes as they are now, in the order of `rows`
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
    refuse(timetableRefusals.below_booked)
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
      pricePence: edit.price == null ? undefined : toPence(edit.price),
      passPricePence: edit.passPrice == null ? undefined : toPence(edit.passPrice),
      instructorName: edit.instructorName ?? undefined,
      isActive: edit.isActive,
      updatedAt: changedAt(classes.updatedAt, now),
    })
    .from(asRows(walls))
    .where(sql`${classes.id} = edited.id`)
    .returning(getTableColumns(classes))
  const isSwitched = ({ isActive }: ClassRow) => edit.isActive !== undefined && edit.isActive !== isActive
  await leaveClosures(tx, isSwitched(named) ? rows : rows.filter(isSwitched))
  return rows.map(({ id }) => defined(edited.find((row) => row.id === id)))
}

/** From now on an admin decides whether the classes are active: opening closed days again changes nothing about them. */
async function leaveClosures(tx: Tx, rows: ClassRow[]): Promise<void> {
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  await tx.delete(closedClasses).where(inArray(closedClasses.classId, ids))
}

/**
 * Moves (locked) classes by days and minutes, each from where it is, by the clock on the wall.
 *
 * @returns the classes as they are now, in the order of `rows`
 */
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

/** A time of day so many minutes later; refused where that would be another day. */
function shifted(time: string, minutes: number): string {
  const from = Temporal.PlainTime.from(time)
  const to = from.add({ minutes })
  const isAnotherDay = minutes !== 0 && Temporal.PlainTime.compare(to, from) !== Math.sign(minutes)
  if (isAnotherDay) refuse(timetableRefusals.past_midnight)
  return to.toString({ smallestUnit: 'minute' })
}

/** When a class takes place, from {@link asRows}. */
const WHEN = {
  date: sql`edited.date`,
  startTime: sql`edited.start_time`,
  endTime: sql`edited.end_time`,
  startsAt: sql`edited.starts_at`,
  endsAt: sql`edited.ends_at`,
}

type Wall = Pick<ClassRow, 'id' | 'date' | 'startTime' | 'endTime' | 'startsAt' | 'endsAt'>

/** When each class takes place, as rows a statement can join: a series is written at once. */
function asRows(walls: Wall[]): SQL {
  const column = (key: keyof Wall) => sql.param(walls.map((wall) => String(wall[key])))
  return sql`unnest(${column('id')}::int[], ${column('date')}::date[], ${column('startTime')}::time[],
    ${column('endTime')}::time[], ${column('startsAt')}::timestamptz[], ${column('endsAt')}::timestamptz[]
  ) as edited(id, date, start_time, end_time, starts_at, ends_at)`
}

/** Takes classes out of every list; only booking history keeps them. */
export async function markClassesDeleted(tx: Tx, ids: number[], now: Temporal.Instant): Promise<void> {
  await tx
    .update(classes)
    .set({ deletedAt: now, isActive: false, updatedAt: changedAt(classes.updatedAt, now) })
    .where(inArray(classes.id, ids))
}
