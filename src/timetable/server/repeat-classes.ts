import { and, eq, gt, inArray, isNull, ne, notExists, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { mondayOf } from '#foundation/dates.ts'
import { refuse } from '#foundation/refusal.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { timetableRefusals } from '../contract.ts'
import { closureOf, hasStarted, spanOf } from '../rules.ts'
import { MAX_OCCURRENCES, occurrences } from '../rules-planning.ts'
import { type ClassRow, classes, classSeries } from '../tables.ts'
import { closuresIn, lockDays } from './closures.ts'
import { insertClasses, openDays, refuseOverlaps } from './create-classes.ts'
import { classesBetween, findClass } from './queries.ts'

type Copies = { from: string; to: string; weeks: number; onClosedDay: boolean }

/**
 * Copies the active classes of a week to another and the weeks after it. Left out are those that would have started,
 * closed days (unless `onClosedDay`), and classes that are already there, so that copying twice does no harm.
 *
 * @param copies.from any day of the week to copy
 * @param copies.to any day of the first week to copy it to
 * @param copies.weeks how many weeks to copy it to
 */
export async function copyWeek(tx: Tx, copies: Copies & { ifNoOverlap: boolean }, now: Temporal.Instant) {
  // Keeps others from copying or closing days concurrently.
  await lockDays(tx, 'exclusive')
  const { wanted, ...left } = await copiesOfWeek(tx, copies, now)
  const created = await insertCopies(tx, wanted, null, now)
  if (copies.ifNoOverlap) await refuseOverlaps(tx, [], created)
  return { created, ...left }
}

/** What {@link copyWeek} would copy. */
export async function copiesOfWeek(reader: Reader, { weeks, onClosedDay, ...copies }: Copies, now: Temporal.Instant) {
  const from = mondayOf(copies.from)
  const first = mondayOf(copies.to)
  if (weeks === 1 && from.equals(first)) refuse(timetableRefusals.same_week)
  const there = { from: first.toString(), to: first.add({ days: weeks * 7 - 1 }).toString() }
  const before = await classesBetween(reader, weekFrom(from), { inactiveToo: false })
  const taken = new Set(
    (await classesBetween(reader, there, { inactiveToo: true })).map(({ class: studioClass }) => slotOf(studioClass)),
  )
  const closed = await closuresIn(reader, there)
  const left = { alreadyThere: 0, onClosedDays: 0, inThePast: 0 }
  const wanted: { studioClass: ClassRow; date: string }[] = []
  for (let week = 0; week < weeks; week++) {
    const days = from.until(first.add({ weeks: week }), { largestUnit: 'days' })
    for (const { class: studioClass } of before) {
      const date = Temporal.PlainDate.from(studioClass.date).add(days).toString()
      if (hasStarted(spanOf({ ...studioClass, date }).startsAt, now)) left.inThePast += 1
      else if (!onClosedDay && closureOf({ ...studioClass, date }, closed)) left.onClosedDays += 1
      else if (taken.has(slotOf({ ...studioClass, date }))) left.alreadyThere += 1
      else wanted.push({ studioClass, date })
    }
  }
  if (before.length > 0 && left.inThePast === before.length * weeks) refuse(timetableRefusals.week_in_past)
  return { wanted, ...left }
}

const weekFrom = (monday: Temporal.PlainDate) => ({
  from: monday.toString(),
  to: monday.add({ days: 6 }).toString(),
})
const slotOf = ({ title, date, startTime }: Pick<ClassRow, 'title' | 'date' | 'startTime'>) =>
  `${date} ${startTime} ${title}`

/**
 * Continues a series until a later day with copies of the given class, on dates counted from the first date of the
 * series. Left out are closed days, everything up to its former end, and dates on which it has a class.
 */
export async function extendSeries(
  tx: Tx,
  id: number,
  { until, ifNoOverlap }: { until: string; ifNoOverlap: boolean },
  now: Temporal.Instant,
): Promise<{ created: ClassRow[]; until: string }> {
  await lockDays(tx, 'shared')
  const named = ((await findClass(tx, id)) ?? refuse(timetableRefusals.class_not_found)).class
  const { seriesId } = named
  if (seriesId === null) refuse(timetableRefusals.class_not_in_series)
  const [series] = await tx.select().from(classSeries).where(eq(classSeries.id, seriesId)).for('no key update')
  if (!series) refuse(timetableRefusals.class_not_in_series)
  const { repeatFrequency, repeatUntilDate, firstDate } = series
  if (until <= repeatUntilDate) return { created: [], until: repeatUntilDate }
  const dates = occurrences(firstDate, repeatFrequency, until)
  if (dates.length > MAX_OCCURRENCES) refuse(timetableRefusals.series_too_long)
  const rows = await tx
    .select({ date: classes.date })
    .from(classes)
    .where(and(eq(classes.seriesId, seriesId), isNull(classes.deletedAt)))
  const taken = new Set(rows.map(({ date }) => date))
  const wanted = dates.filter((date) => date > repeatUntilDate && !taken.has(date))
  const open = wanted.length > 0 ? await openDays(tx, wanted, named.startTime) : []
  const created = await insertCopies(
    tx,
    open.map((date) => ({ studioClass: named, date })),
    seriesId,
    now,
  )
  if (ifNoOverlap) await refuseOverlaps(tx, [], created)
  await tx.update(classSeries).set({ repeatUntilDate: until }).where(eq(classSeries.id, seriesId))
  return { created, until }
}

/**
 * Moves weekly and fortnightly series along with classes that were moved together by whole days: later classes get the
 * new weekday if two or more moved and no later one was left on the old one. Moving a single class changes nothing.
 *
 * @param moved the classes as they were; `after`: the same in the same order, as they are written now
 */
export async function shiftSeries(tx: Tx, moved: ClassRow[], after: ClassRow[], now: Temporal.Instant): Promise<void> {
  const from = moved[0]?.date
  const to = after[0]?.date
  const first = moved.map(({ date }) => date).sort()[0]
  if (moved.length < 2 || !from || !to || from === to) return
  const { days } = Temporal.PlainDate.from(from).until(to)
  const ids = sql.param(moved.map(({ id }) => id))
  const isOnWeekday = (date: SQL | PgColumn) =>
    sql`(${date} - ${classSeries.firstDate}) % case ${classSeries.repeatFrequency} when 'weekly' then 7 else 14 end = 0`
  const left = tx
    .select({ one: sql`1` })
    .from(classes)
    .where(
      and(
        eq(classes.seriesId, classSeries.id),
        isNull(classes.deletedAt),
        gt(classes.startsAt, now),
        gt(classes.date, first ?? from),
        sql`${classes.id} <> all(${ids}::int[])`,
        isOnWeekday(classes.date),
      ),
    )
  await tx
    .update(classSeries)
    .set({ firstDate: sql`${classSeries.firstDate} + ${days}::int` })
    .where(
      and(
        ne(classSeries.repeatFrequency, 'monthly'),
        sql`1 < (
          select count(*) from unnest(
            ${sql.param(moved.map(({ seriesId }) => seriesId))}::int[], ${sql.param(moved.map(({ date }) => date))}::date[]
          ) as moved(series_id, date)
          where moved.series_id = ${classSeries.id} and ${isOnWeekday(sql`moved.date`)})`,
        notExists(left),
      ),
    )
}

/**
 * Ends series whose classes from some day on were deleted with their last remaining class, so that they can be extended
 * again. Returns the former ends, by series.
 */
export async function shortenSeries(tx: Tx, deleted: readonly ClassRow[]): Promise<ReadonlyMap<number, string>> {
  const ofSeries = Map.groupBy(deleted, ({ seriesId }) => seriesId)
  const ids = [...ofSeries.keys()].filter((id) => id !== null).sort((a, b) => a - b)
  if (ids.length === 0) return new Map()
  const last = sql<string>`max(${classes.date})::text`
  const remaining = await tx
    .select({ id: classSeries.id, until: classSeries.repeatUntilDate, last })
    .from(classSeries)
    .innerJoin(classes, and(eq(classes.seriesId, classSeries.id), isNull(classes.deletedAt)))
    .where(inArray(classSeries.id, ids))
    .groupBy(classSeries.id)
  const ended = remaining.filter((series) => ofSeries.get(series.id)?.every(({ date }) => date > series.last))
  if (ended.length === 0) return new Map()
  await tx
    .update(classSeries)
    .set({ repeatUntilDate: sql`ended.last` })
    .from(
      sql`unnest(${sql.param(ended.map(({ id }) => id))}::int[], ${sql.param(ended.map((series) => series.last))}::date[]) as ended(id, last)`,
    )
    .where(sql`${classSeries.id} = ended.id`)
  return new Map(ended.map(({ id, until }) => [id, until]))
}

/**
 * Takes {@link shortenSeries} back for classes that are back.
 *
 * @param until the former end of its series, by class
 */
export async function lengthenSeries(
  tx: Tx,
  back: readonly ClassRow[],
  until: ReadonlyMap<number, string | undefined>,
): Promise<void> {
  const ends = new Map(back.map(({ id, seriesId }) => [seriesId, until.get(id)]))
  for (const [id, end] of ends) {
    if (id === null || end === undefined) continue
    await tx
      .update(classSeries)
      .set({ repeatUntilDate: sql`greatest(${classSeries.repeatUntilDate}, ${end}::date)` })
      .where(eq(classSeries.id, id))
  }
}

async function insertCopies(
  tx: Tx,
  wanted: readonly { studioClass: ClassRow; date: string }[],
  seriesId: number | null,
  now: Temporal.Instant,
): Promise<ClassRow[]> {
  return await insertClasses(
    tx,
    wanted.map(({ studioClass: { id: _, bookedCount: __, reservedPlaces: ___, ...facts }, date }) => ({
      ...facts,
      // Another teacher had this one class.
      instructorName: facts.plannedInstructorName ?? facts.instructorName,
      plannedInstructorName: null,
      seriesId,
      date,
      isActive: true,
    })),
    now,
  )
}
