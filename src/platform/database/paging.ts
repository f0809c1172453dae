import { type SQLWrapper, sql } from 'drizzle-orm'
import type { PgSelect } from 'drizzle-orm/pg-core'
import type { Reader } from './database.ts'

/** Which rows of a list are asked for; without a limit all of them. */
type Page = { limit?: number; offset?: number }

/** Narrows a (dynamic) query to one page of its rows. */
export function paged<Query extends PgSelect>(query: Query, { limit, offset }: Page): Query {
  if (limit !== undefined) query.limit(limit)
  if (offset !== undefined) query.offset(offset)
  return query
}

/** Whoever turns pages does not count them: beyond so many further rows "more than" says enough. */
const MOST_COUNTED = 1000

/** How many rows there are, counted at most {@link MOST_COUNTED} beyond `offset`: the cost does not grow with the list. */
export async function countedFrom(
  reader: Reader,
  rows: SQLWrapper,
  offset = 0,
): Promise<{ total: number; isMore: boolean }> {
  const most = offset + MOST_COUNTED
  const { rows: counted } = await reader.execute<{ total: number }>(
    sql`select count(*)::int as total from (select from ${rows} as found limit ${most + 1}) as counted`,
  )
  const total = counted[0]?.total ?? 0
  return { total: Math.min(total, most), isMore: total > most }
}

/** A LIKE pattern that finds `text` anywhere; its own wildcards count as plain characters. */
export function likePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}
