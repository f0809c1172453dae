import { type Column, sql } from 'drizzle-orm'
import { customType } from 'drizzle-orm/pg-core'

/** An instant (`timestamptz`), in code a `Temporal.Instant`. */
export const instant = customType<{ data: Temporal.Instant; driverData: string | Date }>({
  dataType: () => 'timestamptz',
  fromDriver: (value) =>
    value instanceof Date ? Temporal.Instant.fromEpochMilliseconds(value.getTime()) : Temporal.Instant.from(value),
  toDriver: (value) => value.toString(),
})

/**
 * An instant as the API sends it (ISO 8601 in UTC), straight from PostgreSQL's text, because converting through
 * `Temporal.Instant` is much of the work of a long list.
 */
export const instantText = (column: Column) =>
  sql<string>`${column}`.mapWith((sent) => {
    const text = String(sent)
    return text.endsWith('+00') ? `${text.slice(0, 10)}T${text.slice(11, -3)}Z` : Temporal.Instant.from(text).toString()
  })

/** The time of a change, always later than the previous one, even within one tick of the clock. */
export const changedAt = (column: Column, now: Temporal.Instant) =>
  sql`greatest(${now.toString()}::timestamptz, ${column} + interval '1 microsecond')`

/** A wall time (`time(0)`), in code `HH:mm`. */
export const wallTime = customType<{ data: string; driverData: string }>({
  dataType: () => 'time(0)',
  fromDriver: (value) => value.slice(0, 5),
})

/** A calendar date, in code `YYYY-MM-DD`. */
export const calendarDate = customType<{ data: string; driverData: string }>({ dataType: () => 'date' })

/** Bytes (`bytea`), in code a `Buffer`. */
export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

/** Calendar dates, first and last included. */
export type DateRange = { from: string; to: string }

/** Several spans of dates (`datemultirange`), in order and apart. */
export const dateRanges = customType<{ data: readonly DateRange[]; driverData: string }>({
  dataType: () => 'datemultirange',
  fromDriver: (value) =>
    [...value.matchAll(/\[([\d-]+),([\d-]+)\)/g)].map(([, from = '', after = '']) => {
      return { from, to: Temporal.PlainDate.from(after).subtract({ days: 1 }).toString() }
    }),
  toDriver: (ranges) => `{${ranges.map(({ from, to }) => `[${from},${to}]`).join(',')}}`,
})
