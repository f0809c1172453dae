import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { AUDITED } from '#audit/contract.ts'
import { differences, recordAdminChanges } from '#audit/server/audit.ts'
import { currentFacts } from '#facts/server/facts.ts'
import { toPence } from '#foundation/amounts.ts'
import { inParts } from '#foundation/collections.ts'
import { formatDay } from '#foundation/dates.ts'
import { type FieldError, type RefusalDefinition, refuse } from '#foundation/refusal.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { type ClassForm, timetableRefusals } from '../contract.ts'
import { closureOf, spanOf } from '../rules.ts'
import { MAX_OCCURRENCES, occurrences } from '../rules-planning.ts'
import { type ClassRow, classes, classSeries } from '../tables.ts'
import { type ClosedTime, closuresIn, lockDays } from './closures.ts'
import { factsOf } from './queries.ts'

type Repeats = 'isRepeating' | 'repeatFrequency' | 'repeatUntilDate' | 'onClosedDay' | 'ifNoOverlap'
type NewClass = Omit<ClassForm, Repeats> & Partial<Pick<ClassForm, Repeats>>

/** Creates a class, or one per date of a series but for closed days. Returns them by date; there is at least one. */
export async function createClasses(tx: Tx, form: NewClass, now: Temporal.Instant): Promise<ClassRow[]> {
  const { isRepeating, repeatFrequency, repeatUntilDate } = form
  const repeats = isRepeating && repeatFrequency && repeatUntilDate ? { repeatFrequency, repeatUntilDate } : undefined
  const all = repeats ? occurrences(form.date, repeats.repeatFrequency, repeats.repeatUntilDate) : [form.date]
  if (all.length > MAX_OCCURRENCES) refuse(timetableRefusals.series_too_long)
  const dates = form.onClosedDay && !repeats ? all : await openDays(tx, all, form.startTime)
  if (dates.length === 0) refuseClosed()
  const [series] = repeats
    ? await tx
        .insert(classSeries)
        .values({ ...repeats, firstDate: form.date })
        .returning({ id: classSeries.id })
    : []
  const { prices, instructor } = await currentFacts(tx)
  const rows = await insertClasses(
    tx,
    dates.map((date) => ({
      seriesId: series?.id ?? null,
      title: form.title,
      description: form.description || null,
      date,
      startTime: form.startTime,
      endTime: form.endTime,
      maxParticipants: form.maxParticipants,
      pricePence: form.price == null ? toPence(prices.price) : toPence(form.price),
      passPricePence: form.passPrice == null ? toPence(prices.passPrice) : toPence(form.passPrice),
      instructorName: form.instructorName ?? instructor.name,
      isActive: form.isActive ?? true,
    })),
    now,
  )
  if (form.ifNoOverlap) await refuseOverlaps(tx, [], rows)
  return rows.sort((a, b) => a.date.localeCompare(b.date))
}

/** Its instants follow from its date and times. */
type NewClassRow = Omit<typeof classes.$inferInsert, 'startsAt' | 'endsAt' | 'createdAt' | 'updatedAt'>

/** A statement takes at most 65,535 parameters. */
const ROWS_A_STATEMENT = 3000

/** Inserts new classes, however many; every class is created here. Returns them in no order. */
export async function insertClasses(tx: Tx, rows: readonly NewClassRow[], now: Temporal.Instant): Promise<ClassRow[]> {
  const created: ClassRow[] = []
  for (const part of inParts(rows, ROWS_A_STATEMENT)) {
    const values = part.map((row) => ({ ...row, ...spanOf(row), createdAt: now, updatedAt: now }))
    created.push(...(await tx.insert(classes).values(values).returning()))
  }
  return created
}

/** Records new classes in the audit log. */
export async function recordCreatedClasses(
  tx: Tx,
  admin: { id: string },
  created: readonly ClassRow[],
  now: Temporal.Instant,
): Promise<void> {
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

/** The days on which the studio is open at this time, in order; none is closed before the transaction ends. */
export async function openDays(tx: Tx, dates: string[], startTime: string): Promise<string[]> {
  await lockDays(tx, 'shared')
  const [from = '', to = from] = [dates[0], dates.at(-1)]
  const closed = await closuresIn(tx, { from, to })
  return dates.filter((date) => !closureOf({ date, startTime }, closed))
}

function refuseClosed(): never {
  const { studio_closed } = timetableRefusals
  refuse(studio_closed, [{ path: 'onClosedDay', message: studio_closed.message }])
}

/**
 * Refuses, unless confirmed, that classes are moved to closed days or hours or switched on there. Call `lockDays`
 * before locking the classes.
 *
 * @param before the classes as they were; `after`: as they are written now
 */
export async function refuseClosedDays(tx: Tx, before: ClassRow[], after: ClassRow[]): Promise<void> {
  const old = new Map(before.map((row) => [row.id, row]))
  const placed = after
    .filter((row) => {
      const was = old.get(row.id)
      return row.isActive && !(was?.isActive && was.date === row.date && was.startTime === row.startTime)
    })
    .sort((a, b) => a.date.localeCompare(b.date))
  const from = placed[0]?.date
  const to = placed.at(-1)?.date
  if (from === undefined) return
  const closed = await closuresIn(tx, { from, to })
  const days = placed.flatMap((row) => {
    const closure = closureOf(row, closed)
    const was = old.get(row.id)
    const tookPlaceAnyway = was?.isActive && was.date === row.date && closureOf(was, closed) !== undefined
    return closure && !tookPlaceAnyway ? [`${formatDay(row.date)}${hoursOf(closure)}: ${closure.reason}`] : []
  })
  if (days.length === 0) return
  refuseNaming(timetableRefusals.studio_closed, 'onClosedDay', 'The studio is closed on', [...new Set(days)])
}

const hoursOf = ({ fromTime, toTime }: ClosedTime) => (fromTime && toTime ? `, ${fromTime} to ${toTime}` : '')

/**
 * Refuses, unless confirmed, that classes which were created, moved or switched on overlap others on the timetable.
 * Classes changed together are not compared with each other.
 *
 * @param before empty for new classes
 */
export async function refuseOverlaps(tx: Tx, before: ClassRow[], after: ClassRow[]): Promise<void> {
  const old = new Map(before.map((row) => [row.id, row]))
  const placed = after.filter((row) => {
    const was = old.get(row.id)
    return row.isActive && !(was?.isActive && was.startsAt.equals(row.startsAt) && was.endsAt.equals(row.endsAt))
  })
  const others = await overlappingClasses(
    tx,
    placed,
    after.map(({ id }) => id),
  )
  const named = others.map(nameOfClass)
  if (named.length > 0) refuseNaming(timetableRefusals.classes_overlap, 'ifNoOverlap', 'Overlaps with', named)
}

/** Active classes, except some, that take place at the same time as any of these, by start. */
export async function overlappingClasses(
  reader: Reader,
  placed: readonly Pick<ClassRow, 'startsAt' | 'endsAt'>[],
  exceptIds: readonly number[],
): Promise<ClassRow[]> {
  if (placed.length === 0) return []
  const instants = (key: 'startsAt' | 'endsAt') => sql.param(placed.map((row) => row[key].toString()))
  return await reader
    .select()
    .from(classes)
    .where(
      and(
        eq(classes.isActive, true),
        isNull(classes.deletedAt),
        sql`${classes.id} <> all(${sql.param(exceptIds)}::int[])`,
        sql`exists (
          select from unnest(${instants('startsAt')}::timestamptz[], ${instants('endsAt')}::timestamptz[]) as placed(starts_at, ends_at)
          where ${classes.startsAt} < placed.ends_at and ${classes.endsAt} > placed.starts_at)`,
      ),
    )
    .orderBy(asc(classes.startsAt), asc(classes.id))
}

/** `Duo on Friday 8 January, 08:00 to 08:45`. */
export const nameOfClass = ({ title, date, startTime, endTime }: ClassRow) =>
  `${title} on ${formatDay(date)}, ${startTime} to ${endTime}`

const MAX_NAMED = 3

function refuseNaming(refusal: RefusalDefinition, path: FieldError['path'], words: string, items: string[]): never {
  const more = items.length - MAX_NAMED
  const named = items.slice(0, MAX_NAMED).join('; ')
  refuse(refusal, [{ path, message: `${words} ${named}${more > 0 ? ` and ${more} more` : ''}` }])
}
