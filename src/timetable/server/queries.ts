import { and, asc, eq, getColumns, gt, gte, inArray, isNull, lte, sql } from 'drizzle-orm'
import type { PgSelect } from 'drizzle-orm/pg-core'
import { toDecimal } from '#foundation/money.ts'
import { instantText } from '#platform/database/columns.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import type { ApplyToRecurring } from '../contract.ts'
import { type ClassRow, classes, classSeries } from '../tables.ts'

type Series = { repeatFrequency: 'weekly' | 'biweekly' | 'monthly'; repeatUntilDate: string }
export type ClassWithSeries = { class: ClassRow; series: (Series & { firstDate: string }) | null }

const { id: ___, firstDate, ...series } = getColumns(classSeries)
const columns = { class: classes, series: { ...series, firstDate } }

type Instants = 'startsAt' | 'endsAt' | 'createdAt' | 'updatedAt'
/** With instants as instants or as text. */
type Shown = {
  class: Omit<ClassRow, Instants | 'seriesId' | 'deletedAt'> & Record<Instants, Temporal.Instant | string>
  series: Series | null
}

const { seriesId: _, deletedAt: __, ...ofClass } = getColumns(classes)
const columnsOfList = {
  class: {
    ...ofClass,
    startsAt: instantText(classes.startsAt),
    endsAt: instantText(classes.endsAt),
    createdAt: instantText(classes.createdAt),
    updatedAt: instantText(classes.updatedAt),
  },
  series,
}

export function toStudioClass({ class: studioClass, series }: Shown) {
  return {
    ...studioClass,
    availableSpots: studioClass.maxParticipants - studioClass.bookedCount - studioClass.reservedPlaces,
    price: studioClass.pricePence,
    passPrice: studioClass.passPricePence,
    isRepeating: series !== null,
    repeatFrequency: series?.repeatFrequency ?? null,
    repeatUntilDate: series?.repeatUntilDate ?? null,
  }
}

/** A class in the audit log. */
export function factsOf(row: ClassRow) {
  const { title, description, date, startTime, endTime, maxParticipants, instructorName, isActive } = row
  const prices = { price: toDecimal(row.pricePence), passPrice: toDecimal(row.passPricePence) }
  return { title, description, date, startTime, endTime, maxParticipants, ...prices, instructorName, isActive }
}

type Range = { from?: string; to?: string }

/** Classes between two inclusive dates, by start. */
export async function classesBetween(
  reader: Reader,
  range: Range,
  options: { inactiveToo: boolean },
): Promise<ClassWithSeries[]> {
  const all = reader.select(columns).from(classes).leftJoin(classSeries, ofSeries).$dynamic()
  return await between(all, range, options)
}

/** The same for the public list, with instants read as text. */
export async function classListBetween(reader: Reader, range: Range, options: { inactiveToo: boolean }) {
  const all = reader.select(columnsOfList).from(classes).leftJoin(classSeries, ofSeries).$dynamic()
  return (await between(all, range, options)).map(toStudioClass)
}

/** The ids of the classes between two inclusive dates, inactive ones too, as a subquery. */
export function classIdsBetween(reader: Reader, range: Range) {
  return reader.select({ id: classes.id }).from(classes).where(isBetween(range))
}

const isBetween = ({ from, to }: Range) =>
  and(isNull(classes.deletedAt), from ? gte(classes.date, from) : undefined, to ? lte(classes.date, to) : undefined)

const ofSeries = eq(classSeries.id, classes.seriesId)

function between<Query extends PgSelect>(all: Query, range: Range, { inactiveToo }: { inactiveToo: boolean }) {
  return all
    .where(and(isBetween(range), inactiveToo ? undefined : eq(classes.isActive, true)))
    .orderBy(asc(classes.date), asc(classes.startTime), asc(classes.id))
}

/** A class that is not deleted. */
export async function findClass(reader: Reader, id: number): Promise<ClassWithSeries | undefined> {
  const [row] = await reader
    .select(columns)
    .from(classes)
    .leftJoin(classSeries, ofSeries)
    .where(and(eq(classes.id, id), isNull(classes.deletedAt)))
  return row
}

/** Locks a class; undefined if it does not exist or is deleted. */
export async function classForUpdate(tx: Tx, id: number): Promise<ClassRow | undefined> {
  const [row] = await tx
    .select()
    .from(classes)
    .where(and(eq(classes.id, id), isNull(classes.deletedAt)))
    .for('no key update')
    .prepare('class_for_update')
    .execute()
  return row
}

/** Locks classes by ascending id, so that transactions cannot deadlock. */
export async function classesForUpdate(tx: Tx, ids: number[]): Promise<ClassRow[]> {
  return await tx.select().from(classes).where(inArray(classes.id, ids)).orderBy(asc(classes.id)).for('no key update')
}

/** The classes with places that are kept for the waiting list, or for Undo. */
export async function classIdsWithReservedPlaces(reader: Reader): Promise<number[]> {
  const rows = await reader
    .select({ id: classes.id })
    .from(classes)
    .where(gt(classes.reservedPlaces, 0))
    .orderBy(classes.id)
  return rows.map(({ id }) => id)
}

/** Locks a class that a booking refers to; it may be deleted. */
export async function classForUpdateEvenDeleted(tx: Tx, id: number): Promise<ClassRow | undefined> {
  const [row] = await tx.select().from(classes).where(eq(classes.id, id)).for('no key update')
  return row
}

/**
 * Locks the class of an edit or delete, and with `recurring` also every class not yet started at the same weekday,
 * start and end time (or only the later ones; of a monthly series its later dates), by ascending id.
 */
export async function similarClassesForUpdate(tx: Tx, id: number, options: Alike): Promise<ClassRow[]> {
  return await selectClasses(tx, await similarClassIds(tx, id, options)).for('no key update')
}

/** The same classes, not locked. */
export async function similarClasses(reader: Reader, id: number, options: Alike): Promise<ClassRow[]> {
  return await selectClasses(reader, await similarClassIds(reader, id, options))
}

type Alike = { recurring: ApplyToRecurring; now: Temporal.Instant }

async function similarClassIds(reader: Reader, id: number, { recurring, now }: Alike): Promise<number[]> {
  const named = await findClass(reader, id)
  if (!named) return []
  const { date, startTime, endTime, seriesId } = named.class
  if (!recurring) return [id]
  const isInSlot = and(
    eq(classes.startTime, startTime),
    eq(classes.endTime, endTime),
    sql`extract(isodow from ${classes.date}) = extract(isodow from ${date}::date)`,
  )
  const isLaterOfMonthly = recurring === 'later' && named.series?.repeatFrequency === 'monthly' && seriesId !== null
  const alike = await reader
    .select({ id: classes.id })
    .from(classes)
    .where(
      and(
        isNull(classes.deletedAt),
        gt(classes.startsAt, now),
        recurring === 'later' ? gt(classes.date, date) : undefined,
        isLaterOfMonthly ? eq(classes.seriesId, seriesId) : isInSlot,
      ),
    )
  return [...new Set([id, ...alike.map((row) => row.id)])]
}

function selectClasses(reader: Reader, ids: number[]) {
  return reader
    .select()
    .from(classes)
    .where(and(inArray(classes.id, ids), isNull(classes.deletedAt)))
    .orderBy(asc(classes.id))
}
