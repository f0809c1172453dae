import { type SQLWrapper, sql } from 'drizzle-orm'
import type { PgSelect } from 'drizzle-orm/pg-core'
import type { Reader } from './database.ts'

/** One page of a list; without a limit all of it. */
type Page = { limit?: number; offset?: number }

/** Limits a (dynamic) query to one page. */
export function limitToPage<Query extends PgSelect>(query: Query, { limit, offset }: Page): Query {
  if (limit !== undefined) query.limit(limit)
  if (offset !== undefined) query.offset(offset)
  return query
}

/** Beyond this many further rows "more than" is enough. */
const MAX_COUNTED = 1000

/** Counts rows, at most {@link MAX_COUNTED} beyond `offset`, so that the cost does not grow with the list. */
export async function countFrom(
  reader: Reader,
  rows: SQLWrapper,
  offset = 0,
): Promise<{ total: number; isMore: boolean }> {
  const most = offset + MAX_COUNTED
  const { rows: counted } = await reader.execute<{ total: number }>(
    sql`select count(*)::int as total from (select from ${rows} as found limit ${most + 1}) as counted`,
  )
  const total = counted[0]?.total ?? 0
  return { total: Math.min(total, most), isMore: total > most }
}
