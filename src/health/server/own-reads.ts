import { count, desc, eq, max, sql } from 'drizzle-orm'
import { users } from '#accounts/tables.ts'
import type { Reader } from '#platform/database/database.ts'
import { countedFrom, paged } from '#platform/database/paging.ts'
import { studio } from '#studio.ts'
import type { OwnHealthRead } from '../contract-own.ts'
import { healthReads } from '../tables.ts'

/** By its name, so that what is grouped is what is shown. */
const day = sql<string>`(${healthReads.at} at time zone ${sql.raw(`'${studio.timeZone}'`)})::date::text`.as('day')

function readsByDay(reader: Reader, memberId: string) {
  return reader
    .select({
      firstName: users.firstName,
      lastName: users.lastName,
      what: healthReads.what,
      day,
      times: count(),
      lastAt: max(healthReads.at).as('last_at'),
      lastId: max(healthReads.id).as('last_id'),
    })
    .from(healthReads)
    .leftJoin(users, eq(users.id, healthReads.adminId))
    .where(eq(healthReads.memberId, memberId))
    .groupBy(healthReads.adminId, users.firstName, users.lastName, healthReads.what, sql`day`)
    .$dynamic()
}

/** Who read a member's health information, a line for each reader, kind and day; the newest leading. */
export async function ownHealthReads(
  reader: Reader,
  memberId: string,
  page: { limit?: number; offset?: number },
): Promise<OwnHealthRead[]> {
  const found = readsByDay(reader, memberId).orderBy(desc(sql`last_at`), desc(sql`last_id`))
  paged(found, page)
  return (await found).map(({ firstName, lastName, what, day: on, times, lastAt }) => ({
    reader: firstName === null ? null : `${firstName} ${lastName}`.trim(),
    what,
    day: on,
    times,
    lastAt: String(lastAt),
  }))
}

/** How many such lines there are. */
export async function countOwnHealthReads(reader: Reader, memberId: string, offset?: number) {
  return await countedFrom(reader, readsByDay(reader, memberId), offset)
}
