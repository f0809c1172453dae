import { and, eq, isNull } from 'drizzle-orm'
import { mondayOf } from '../../foundation/dates.ts'
import { refuse } from '../../foundation/refusal.ts'
import type { Tx } from '../../platform/database/database.ts'
import { timetableRefusals } from '../contract.ts'
import { closureOn, hasStarted, MOST_OCCURRENCES, occurrences, spanOf } from '../rules.ts'
import { type ClassRow, classes, classSeries } from '../tables.ts'
import { closuresIn, holdDays } from './closures.ts'
import { openDays } from './create-classes.ts'
import { classesBetween, findClass } from './queries.ts'

/**
 * Copies the active classes of a week to another, each to the same weekday and time. Left out are those that would have
 * begun, days on which the studio is closed, and what stands there already, so that copying twice does no harm.
 *
 * @param weeks any day of either week
 * @returns the new classes, and how many were left out
 */
export async function copyWeek(tx: Tx, weeks: { from: string; to: string }, now: Temporal.Instant) {
  const [from, to] = [mondayOf(weeks.from), mondayOf(weeks.to)]
  const days = from.until(to, { largestUnit: 'days' })
  if (days.days === 0) refuse(timetableRefusals.same_week)
  // Nobody else copies or closes days meanwhile.
  await holdDays(tx, 'exclusive')
  const there = weekFrom(to)
  const before = await classesBetween(tx, weekFrom(from), { inactiveToo: false })
  const taken = new Set((await classesBetween(tx, there, { inactiveToo: true })).map(({ class: one }) => placeOf(one)))
  const closed = await closuresIn(tx, there)
  const left = { alreadyThere: 0, onClosedDays: 0, inThePast: 0 }
  const wanted = before.flatMap(({ class: of }) => {
    const date = Temporal.PlainDate.from(of.date).add(days).toString()
    if (hasStarted(spanOf({ ...of, date }).startsAt, now)) left.inThePast += 1
    else if (closureOn(date, closed)) left.onClosedDays += 1
    else if (taken.has(placeOf({ ...of, date }))) left.alreadyThere += 1
    else return [{ of, date }]
    return []
  })
  if (before.length > 0 && left.inThePast === before.length) refuse(timetableRefusals.week_is_over)
  return { created: await insertLike(tx, wanted, null, now), ...left }
}

const weekFrom = (monday: Temporal.PlainDate) => ({
  from: monday.toString(),
  to: monday.add({ days: 6 }).toString(),
})
const placeOf = ({ title, date, startTime }: Pick<ClassRow, 'title' | 'date' | 'startTime'>) =>
  `${date} ${startTime} ${title}`

/**
 * Lets a repeating class go on until a later day, like the named one in all but the date. Days on which the studio is
 * closed are left out, and so is everything before the end that the series had.
 *
 * @returns the new classes, and until when the series goes now
 */
export async function extendSeries(
  tx: Tx,
  id: number,
  until: string,
  now: Temporal.Instant,
): Promise<{ created: ClassRow[]; until: string }> {
  const named = ((await findClass(tx, id)) ?? refuse(timetableRefusals.class_not_found)).class
  const { seriesId } = named
  if (seriesId === null) refuse(timetableRefusals.no_series)
  const [series] = await tx.select().from(classSeries).where(eq(classSeries.id, seriesId)).for('no key update')
  if (!series) refuse(timetableRefusals.no_series)
  const { repeatFrequency, repeatUntilDate } = series
  if (until <= repeatUntilDate) return { created: [], until: repeatUntilDate }
  const rows = await tx
    .select({ date: classes.date })
    .from(classes)
    .where(and(eq(classes.seriesId, seriesId), isNull(classes.deletedAt)))
  const dates = rows.map(({ date }) => date).sort()
  const last = [repeatUntilDate, ...dates].toSorted().at(-1) ?? repeatUntilDate
  const first = repeatFrequency === 'monthly' ? fullMonth(dates) : named.date
  const wanted = occurrences(first, repeatFrequency, until).filter((date) => date > last)
  if (wanted.length + dates.length > MOST_OCCURRENCES) refuse(timetableRefusals.series_too_long)
  const open = wanted.length > 0 ? await openDays(tx, wanted) : []
  const created = await insertLike(
    tx,
    open.map((date) => ({ of: named, date })),
    seriesId,
    now,
  )
  await tx.update(classSeries).set({ repeatUntilDate: until }).where(eq(classSeries.id, seriesId))
  return { created, until }
}

/** The first date on the day of the month that the series means: a short month clamps it. */
function fullMonth(dates: readonly string[]): string {
  const dayOf = (date: string) => date.slice(-2)
  return dates.toSorted((a, b) => dayOf(b).localeCompare(dayOf(a)) || a.localeCompare(b))[0] ?? ''
}

async function insertLike(
  tx: Tx,
  wanted: readonly { of: ClassRow; date: string }[],
  seriesId: number | null,
  now: Temporal.Instant,
): Promise<ClassRow[]> {
  if (wanted.length === 0) return []
  return await tx
    .insert(classes)
    .values(
      wanted.map(({ of, date }) => {
        const { title, description, startTime, endTime, maxParticipants, pricePence, passPricePence, instructorName } =
          of
        const facts = {
          title,
          description,
          startTime,
          endTime,
          maxParticipants,
          pricePence,
          passPricePence,
          instructorName,
        }
        return { ...facts, seriesId, date, ...spanOf({ ...of, date }), isActive: true, createdAt: now, updatedAt: now }
      }),
    )
    .returning()
}
