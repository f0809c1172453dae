import { and, asc, eq, getTableColumns, gt, gte, inArray, isNull, lt, lte, notExists, or, sql } from 'drizzle-orm'
import { changedAt } from '#platform/database/columns.ts'
import { onlyRow, type Reader, type Tx } from '#platform/database/database.ts'
import { type ClassRow, type ClosureRow, classes, closedClasses, closures } from '../tables.ts'

export type Days = { from: string; to: string }
/** Has times only if it is one day. */
export type ClosedTime = Days & { fromTime: string | null; toTime: string | null }

/** An advisory lock ("days" as a number). */
const DAYS_LOCK = 1_684_109_683

/** Shared while classes are added or moved, exclusive for closing days, so that neither misses the other. */
export async function lockDays(tx: Tx, how: 'shared' | 'exclusive'): Promise<void> {
  const lock = how === 'shared' ? sql`pg_advisory_xact_lock_shared` : sql`pg_advisory_xact_lock`
  await tx.execute(sql`select ${lock}(${DAYS_LOCK})`)
}

/** Closures that touch these days, earliest first. */
export async function closuresIn(reader: Reader, { from, to }: { from: string; to?: string }): Promise<ClosureRow[]> {
  return await reader
    .select()
    .from(closures)
    .where(and(gte(closures.to, from), to ? lte(closures.from, to) : undefined))
    .orderBy(asc(closures.from), asc(closures.fromTime), asc(closures.id))
}

/** Classes of these days or hours that have not started and are active, or kept off only by another closure. */
export async function classesToClose(reader: Reader, time: ClosedTime, now: Temporal.Instant): Promise<ClassRow[]> {
  const { from, to, fromTime, toTime } = time
  return await reader
    .select()
    .from(classes)
    .where(
      and(
        isNull(classes.deletedAt),
        gte(classes.date, from),
        lte(classes.date, to),
        fromTime === null ? undefined : gte(classes.startTime, fromTime),
        toTime === null ? undefined : lt(classes.startTime, toTime),
        gt(classes.startsAt, now),
        or(eq(classes.isActive, true), inArray(classes.id, classesKeptOff(reader))),
      ),
    )
    .orderBy(asc(classes.startsAt), asc(classes.id))
}

const classesKeptOff = (reader: Reader) => reader.select({ id: closedClasses.classId }).from(closedClasses)

/** Creates a closure and takes its (locked) classes off the timetable. */
export async function recordClosure(
  tx: Tx,
  admin: { id: string },
  { time, reason, classIds }: { time: ClosedTime; reason: string; classIds: number[] },
  now: Temporal.Instant,
): Promise<ClosureRow> {
  const closure = await tx
    .insert(closures)
    .values({ ...time, reason, adminId: admin.id, createdAt: now })
    .returning()
    .then(onlyRow)
  if (classIds.length === 0) return closure
  await tx
    .update(classes)
    .set({ isActive: false, updatedAt: changedAt(classes.updatedAt, now) })
    .where(and(inArray(classes.id, classIds), eq(classes.isActive, true)))
  await tx.insert(closedClasses).values(classIds.map((classId) => ({ closureId: closure.id, classId })))
  return closure
}

/** Removes a closure. Its upcoming classes return without bookings, except those hidden by another closure. */
export async function reopenClosure(
  tx: Tx,
  id: number,
  now: Temporal.Instant,
): Promise<{ closure: ClosureRow; back: ClassRow[] } | undefined> {
  const kept = await tx
    .select({ id: classes.id })
    .from(classes)
    .innerJoin(closedClasses, eq(closedClasses.classId, classes.id))
    .where(eq(closedClasses.closureId, id))
    .orderBy(asc(classes.id))
    .for('no key update', { of: classes })
  const [closure] = await tx.delete(closures).where(eq(closures.id, id)).returning()
  if (!closure) return undefined
  const ids = kept.map((row) => row.id)
  const back = await tx
    .update(classes)
    .set({ isActive: true, updatedAt: changedAt(classes.updatedAt, now) })
    .where(
      and(
        inArray(classes.id, ids),
        eq(classes.isActive, false),
        isNull(classes.deletedAt),
        gt(classes.startsAt, now),
        notExists(tx.select({ one: sql`1` }).from(closedClasses).where(eq(closedClasses.classId, classes.id))),
      ),
    )
    .returning(getTableColumns(classes))
  return { closure, back }
}

/** Removes a closure without bringing its classes back. */
export async function deleteClosure(tx: Tx, id: number): Promise<ClosureRow | undefined> {
  const [closure] = await tx.delete(closures).where(eq(closures.id, id)).returning()
  return closure
}
