import { and, asc, eq, isNull, notInArray, sql } from 'drizzle-orm'
import { formatDay } from '#foundation/dates.ts'
import { type FieldError, type RefusalDefinition, refuse } from '#foundation/refusal.ts'
import type { Tx } from '#platform/database/database.ts'
import { timetableRefusals } from '../contract.ts'
import { closureOn } from '../rules.ts'
import { type ClassRow, classes } from '../tables.ts'
import { closuresIn } from './closures.ts'

/**
 * Asks, by refusing, before classes take place on closed days: those that were moved there or switched on again. The caller holds
 * the days (`holdDays`) since before it locked the classes.
 *
 * @param before the classes as they were
 * @param after the same classes as they are written now
 */
export async function askIfClosed(tx: Tx, before: ClassRow[], after: ClassRow[]): Promise<void> {
  const old = new Map(before.map((row) => [row.id, row]))
  const dates = after
    .filter((row) => {
      const was = old.get(row.id)
      return row.isActive && !(was?.isActive && was.date === row.date)
    })
    .map(({ date }) => date)
    .sort()
  const [from, to] = [dates[0], dates.at(-1)]
  if (from === undefined) return
  const closed = await closuresIn(tx, { from, to })
  const days = [...new Set(dates)].flatMap((date) => {
    const closure = closureOn(date, closed)
    return closure ? [`${formatDay(date)}: ${closure.reason}`] : []
  })
  if (days.length > 0) ask(timetableRefusals.studio_closed, 'onClosedDay', 'The studio is closed on', days)
}

/**
 * Asks, by refusing, before classes overlap others on the timetable: those that were created, moved or switched on again. Classes
 * that are changed together are not compared with each other.
 *
 * @param before the classes as they were, none for new ones
 */
export async function askIfOverlapping(tx: Tx, before: ClassRow[], after: ClassRow[]): Promise<void> {
  const old = new Map(before.map((row) => [row.id, row]))
  const placed = after.filter((row) => {
    const was = old.get(row.id)
    return row.isActive && !(was?.isActive && was.startsAt.equals(row.startsAt) && was.endsAt.equals(row.endsAt))
  })
  if (placed.length === 0) return
  const instants = (key: 'startsAt' | 'endsAt') => sql.param(placed.map((row) => row[key].toString()))
  const others = await tx
    .select()
    .from(classes)
    .where(
      and(
        eq(classes.isActive, true),
        isNull(classes.deletedAt),
        notInArray(
          classes.id,
          after.map(({ id }) => id),
        ),
        sql`exists (
          select from unnest(${instants('startsAt')}::timestamptz[], ${instants('endsAt')}::timestamptz[]) as placed(starts_at, ends_at)
          where ${classes.startsAt} < placed.ends_at and ${classes.endsAt} > placed.starts_at)`,
      ),
    )
    .orderBy(asc(classes.startsAt), asc(classes.id))
  const named = others.map((row) => `${row.title} on ${formatDay(row.date)}, ${row.startTime} to ${row.endTime}`)
  if (named.length > 0) ask(timetableRefusals.classes_overlap, 'ifNoOverlap', 'Overlaps with', named)
}

/** So many days or classes are named. */
const MOST_NAMED = 3

function ask(refusal: RefusalDefinition, path: FieldError['path'], words: string, items: string[]): never {
  const more = items.length - MOST_NAMED
  const named = items.slice(0, MOST_NAMED).join('; ')
  refuse(refusal, [{ path, message: `${words} ${named}${more > 0 ? ` and ${more} more` : ''}` }])
}
