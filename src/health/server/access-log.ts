import { and, count, desc, eq, gte, inArray, max, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { memberMatches } from '#accounts/server/accounts.ts'
import { users } from '#accounts/tables.ts'
import { instantAt, studioDate } from '#foundation/instants.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { countFrom, limitToPage } from '#platform/database/paging.ts'
import { clientNetwork } from '#platform/http/time-limit.ts'
import { studio } from '#studio.ts'
import type { HealthRead } from '../contract.ts'
import type { OwnHealthRead } from '../contract-own.ts'
import { healthReads } from '../tables.ts'

/** Records that an admin is shown health data: a line per member in the reading transaction, and one in the log. */
export async function recordHealthReads(
  tx: Tx,
  admin: { id: string },
  { members, what }: { members: readonly string[]; what: HealthRead['what'] },
  at: Temporal.Instant,
): Promise<void> {
  const shown = [...new Set(members)]
  if (shown.length === 0) return
  const address = clientNetwork()
  await tx.insert(healthReads).values(shown.map((memberId) => ({ adminId: admin.id, memberId, what, at, address })))
  tx.logOnCommit({ security: { kind: 'health_read', actorId: admin.id, subjectIds: shown, what, address } })
}

/** Those of the members for whom the admin has no such read on record today (London). */
export async function withoutReadToday(
  tx: Tx,
  admin: { id: string },
  { members, what }: { members: readonly string[]; what: HealthRead['what'] },
  now: Temporal.Instant,
): Promise<string[]> {
  const since = instantAt(studioDate(now).toString(), '00:00')
  const read = await tx
    .selectDistinct({ memberId: healthReads.memberId })
    .from(healthReads)
    .where(
      and(
        eq(healthReads.adminId, admin.id),
        inArray(healthReads.memberId, [...members]),
        eq(healthReads.what, what),
        gte(healthReads.at, since),
      ),
    )
  return members.filter((id) => !read.some(({ memberId }) => memberId === id))
}

export async function listHealthReads(reader: Reader, page: { limit?: number; offset?: number; search?: string }) {
  const admins = alias(users, 'admins')
  const found = reader
    .select({
      id: healthReads.id,
      admin: { id: healthReads.adminId, firstName: admins.firstName, lastName: admins.lastName },
      member: { id: healthReads.memberId, firstName: users.firstName, lastName: users.lastName },
      what: healthReads.what,
      at: healthReads.at,
    })
    .from(healthReads)
    .leftJoin(users, eq(users.id, healthReads.memberId))
    .leftJoin(admins, eq(admins.id, healthReads.adminId))
    .where(page.search?.trim() ? memberMatches(page.search.trim()) : undefined)
    .orderBy(desc(healthReads.at), desc(healthReads.id))
    .$dynamic()
  limitToPage(found, page)
  return await found
}

export async function countHealthReads(reader: Reader, page: { search?: string; offset?: number }) {
  const words = page.search?.trim()
  const found = reader.select({ id: healthReads.id }).from(healthReads).$dynamic()
  if (words) found.innerJoin(users, eq(users.id, healthReads.memberId)).where(memberMatches(words))
  return await countFrom(reader, found, page.offset)
}

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

/** Who read a member's health information: one line per reader, kind and day, newest first. */
export async function ownHealthReads(
  reader: Reader,
  memberId: string,
  page: { limit?: number; offset?: number },
): Promise<OwnHealthRead[]> {
  const found = readsByDay(reader, memberId).orderBy(desc(sql`last_at`), desc(sql`last_id`))
  limitToPage(found, page)
  return (await found).map(({ firstName, lastName, what, day: on, times, lastAt }) => ({
    reader: firstName === null ? null : `${firstName} ${lastName}`.trim(),
    what,
    day: on,
    times,
    lastAt: String(lastAt),
  }))
}

export async function countOwnHealthReads(reader: Reader, memberId: string, offset?: number) {
  return await countFrom(reader, readsByDay(reader, memberId), offset)
}
