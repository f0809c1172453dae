import { and, asc, eq, getColumns, gt, gte, inArray, isNull, lte, sql } from 'drizzle-orm'
import type { PgSelect } from 'drizzle-orm/pg-core'
import { toDecimal } from '#foundation/money.ts'
import { instantText } from '#platform/database/columns.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import type { StudioClass } from '../contract.ts'
import { type ClassRow, classes, classSeries } from '../tables.ts'

type Series = { repeatFrequency: 'weekly' | 'biweekly' | 'monthly'; repeatUntilDate: string }
export type ClassWithSeries = { class: ClassRow; series: (Series & { firstDate: string }) | null }

const { id: ___, firstDate, ...series } = getColumns(classSeries)
const columns = { class: classes, series: { ...series, firstDate } }

type Instants = 'startsAt' | 'endsAt' | 'createdAt' | 'updatedAt'
/** A class with its instants as instants or as text. */
type Shown = {
  class: Omit<ClassRow, Instants | 'seriesId' | 'deletedAt'> & Record<Instants, { toString(): string }>
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

/** A class as the wire knows one. */
export function toStudioClass({ class: row, series }: Shown): StudioClass {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    date: row.date,
    startTime: row.startTime,
    endTime: row.endTime,
    startsAt: row.startsAt.toString(),
    endsAt: row.endsAt.toString(),
    maxParticipants: row.maxParticipants,
    bookedCount: row.bookedCount,
    availableSpots: row.maxParticipants - row.bookedCount - row.heldPlaces,
    heldPlaces: row.heldPlaces,
    price: toDecimal(row.pricePence),
    passPrice: toDecimal(row.passPricePence),
    instructorName: row.instructorName,
    isActive: row.isActive,
    isRepeating: series !== null,
    repeatFrequency: series?.repeatFrequency ?? null,
    repeatUntilDate: series?.repeatUntilDate ?? null,
    createdAt: row.createdAt.toString(),
    updatedAt: row.updatedAt.toString(),
  }
}

/** What the record of changes says of a class. */
export function factsOf(row: ClassRow) {
  const { title, description, date, startTime, endTime, maxParticipants, instructorName, isActive } = row
  const prices = { price: toDecimal(row.pricePence), passPrice: toDecimal(row.passPricePence) }
  return { title, description, date, startTime, endTime, maxParticipants, ...prices, instructorName, isActive }
}

type Range = { from?: string; to?: string }

/** Classes between two dates (both included, both optional), by start. */
export async function classesBetween(
  reader: Reader,
  range: Range,
  options: { inactiveToo: boolean },
): Promise<ClassWithSeries[]> {
  const all = reader.select(columns).from(classes).leftJoin(classSeries, ofSeries).$dynamic()
  return await between(all, range, options)
}

/** The same classes as the wire knows them: the list that everybody asks for. */
export async function classListBetween(
  reader: Reader,
  range: Range,
  options: { inactiveToo: boolean },
): Promise<StudioClass[]> {
  const all = reader.select(columnsOfList).from(classes).leftJoin(classSeries, ofSeries).$dynamic()
  return (await between(all, range, options)).map(toStudioClass)
}

const ofSeries = eq(classSeries.id, classes.seriesId)

function between<Query extends PgSelect>(all: Query, { from, to }: Range, { inactiveToo }: { inactiveToo: boolean }) {
  return all
    .where(
      and(
        isNull(classes.deletedAt),
        inactiveToo ? undefined : eq(classes.isActive, true),
        from ? gte(classes.date, from) : undefined,
        to ? lte(classes.date, to) : undefined,
      ),
    )
    .orderBy(asc(classes.date), asc(classes.startTime), asc(classes.id))
}

/** One class, whatever its state but deleted. */
export async function findClass(reader: Reader, id: number): Promise<ClassWithSeries | undefined> {
  const [row] = await reader
    .select(columns)
    .from(classes)
    .leftJoin(classSeries, ofSeries)
    .where(and(eq(classes.id, id), isNull(classes.deletedAt)))
  return row
}

/** Locks one class until the transaction ends; undefined when there is none or it was deleted. */
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

/** Locks classes in the order of their ids, so that two who need the same ones never wait for each other in a ring. */
export async function classesForUpdate(tx: Tx, ids: number[]): Promise<ClassRow[]> {
  return await tx.select().from(classes).where(inArray(classes.id, ids)).orderBy(asc(classes.id)).for('no key update')
}

/** Locks the classes that hold places for their waiting lists; one that someone else holds is left for the next time. */
export async function classesWithHeldPlaces(tx: Tx): Promise<ClassRow[]> {
  return await tx
    .select()
    .from(classes)
    .where(gt(classes.heldPlaces, 0))
    .orderBy(asc(classes.id))
    .for('no key update', { skipLocked: true })
}

/** Locks a class that a booking refers to, even a deleted one. */
export async function classForUpdateOnRecord(tx: Tx, id: number): Promise<ClassRow | undefined> {
  const [row] = await tx.select().from(classes).where(eq(classes.id, id)).for('no key update')
  return row
}

/**
 * Locks the classes an edit or delete means: the named one, or with `recurring` every class not yet started
 * at the same weekday, start and end time (the named one always among them). Locked in the order of their ids,
 * so that two such changes wait for each other instead of deadlocking.
 */
export async function classesAlikeForUpdate(tx: Tx, id: number, options: Alike): Promise<ClassRow[]> {
  const meant = await selectAlike(tx, id, options)
  return meant ? await meant.forUpdate() : []
}

/** The same classes, not locked: what such a change would be about. */
export async function classesAlike(reader: Reader, id: number, options: Alike): Promise<ClassRow[]> {
  return (await (await selectAlike(reader, id, options))?.rows()) ?? []
}

type Alike = { recurring: boolean; now: Temporal.Instant }

async function selectAlike(reader: Reader, id: number, options: Alike) {
  const named = await findClass(reader, id)
  if (!named) return undefined
  const { date, startTime, endTime } = named.class
  const alike = options.recurring
    ? await reader
        .select({ id: classes.id })
        .from(classes)
        .where(
          and(
            isNull(classes.deletedAt),
            gt(classes.startsAt, options.now),
            eq(classes.startTime, startTime),
            eq(classes.endTime, endTime),
            sql`extract(isodow from ${classes.date}) = extract(isodow from ${date}::date)`,
          ),
        )
    : []
  const ids = [...new Set([id, ...alike.map((row) => row.id)])]
  const query = reader
    .select()
    .from(classes)
    .where(and(inArray(classes.id, ids), isNull(classes.deletedAt)))
    .orderBy(asc(classes.id))
  // Wrapped: a query that is returned from an async function would run.
  return { forUpdate: () => query.for('no key update'), rows: () => query }
}
