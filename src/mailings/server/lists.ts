import { and, asc, countDistinct, desc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { CONTACT, users } from '#accounts/tables.ts'
import { takenPlaces } from '#booking/tables.ts'
import { pick } from '#foundation/collections.ts'
import { studioDate } from '#foundation/instants.ts'
import { emergencyContacts, healthQuestionnaires, healthUpdates } from '#health/tables.ts'
import { passes } from '#passes/tables.ts'
import type { Reader } from '#platform/database/database.ts'
import { classes } from '#timetable/tables.ts'
import type { Prompted, Prompts, WeekClass } from '../contract.ts'
import {
  expiringUntil,
  isNudge,
  LISTS,
  type ListName,
  lastSeenBefore,
  maySendMarketing,
  usedUpSince,
} from '../rules.ts'
import { marketingConsents, marketingObjections } from '../tables.ts'
import { agreedAt } from './consents.ts'

/** Passes with credits that have not expired and are not frozen by a dispute. */
const canPay = (at: string) =>
  sql`${passes.creditsRemaining} > 0 and ${passes.expiresAt} > ${at} and ${passes.frozenAt} is null`

/**
 * The members of a list as a subquery with `user_id`, `credits` and `at`. It may contain admins.
 *
 * - `expiring`: credits that expire within 14 days, and when the first of them do
 * - `last_credit`: exactly one credit left, over all passes
 * - `used_up`: no credits left, and the last one was used within 30 days, perhaps for a companion
 * - `not_seen`: the last class ended at least 4 weeks ago, and none is booked
 * - `health_missing`: a class is booked, and the questionnaire or the emergency contact is missing
 */
export function rowsOf(list: ListName, now: Temporal.Instant): SQL {
  const at = sql`${now.toString()}::timestamptz`
  switch (list) {
    case 'expiring':
      return sql`(select ${passes.userId} as user_id, sum(${passes.creditsRemaining})::int as credits, min(${passes.expiresAt}) as at
        from ${passes} where ${canPay(now.toString())} and ${passes.expiresAt} <= ${expiringUntil(now).toString()}
        group by 1)`
    case 'last_credit':
      return sql`(select ${passes.userId} as user_id, 1 as credits, min(${passes.expiresAt}) as at
        from ${passes} where ${canPay(now.toString())} group by 1 having sum(${passes.creditsRemaining}) = 1)`
    case 'used_up':
      return sql`(select ${takenPlaces.payerId} as user_id, 0 as credits, max(${takenPlaces.bookedAt}) as at
        from ${takenPlaces}
        where ${takenPlaces.payerId} is not null and ${takenPlaces.bookedAt} >= ${usedUpSince(now).toString()}::timestamptz
          and ${takenPlaces.payerId} not in (select ${passes.userId} from ${passes} where ${canPay(now.toString())})
        group by 1)`
    case 'not_seen': {
      // Recent bookings are few and are excluded first. `at` is only calculated for rows that are read.
      const seen = sql`${takenPlaces.userId} = ${users.id} and ${takenPlaces.status} in ('confirmed', 'completed')`
      const attended = sql`${takenPlaces} join ${classes} on ${classes.id} = ${takenPlaces.classId} where ${seen}`
      return sql`(select ${users.id} as user_id, null::int as credits, (select max(${classes.endsAt}) from ${attended}) as at
        from ${users} where exists (select from ${takenPlaces} where ${seen})
          and not exists (select from ${attended} and ${classes.endsAt} > ${lastSeenBefore(now).toString()}::timestamptz))`
    }
    case 'health_missing':
      return sql`(select ${takenPlaces.userId} as user_id, null::int as credits, min(${classes.startsAt}) as at
        from ${takenPlaces} join ${classes} on ${classes.id} = ${takenPlaces.classId}
        left join ${healthQuestionnaires} on ${healthQuestionnaires.userId} = ${takenPlaces.userId}
        left join ${emergencyContacts} on ${emergencyContacts.userId} = ${takenPlaces.userId}
        where ${takenPlaces.status} = 'confirmed' and ${classes.startsAt} > ${at}
          and (${healthQuestionnaires.userId} is null or ${emergencyContacts.userId} is null)
        group by 1)`
  }
}

type Listed = { user_id: string; credits: number | null; at: string; total: number }

/** Members only; a blocked member cannot take up an offer, but is still asked for health information before a class. */
const mayPrompt = (list: ListName) =>
  sql`exists (select from ${users} where ${users.id} = listed.user_id and not ${users.isAdmin} and not ${users.isTeacher}
    ${isNudge(list) ? sql`and ${users.blockedAt} is null` : sql``})`

async function countOf(reader: Reader, list: ListName, now: Temporal.Instant): Promise<number> {
  const { rows } = await reader.execute<{ count: number }>(
    sql`select count(*)::int as count from ${rowsOf(list, now)} as listed where ${mayPrompt(list)}`,
  )
  return rows[0]?.count ?? 0
}

/** A page of a list and its total: the soonest first, or for `not_seen` the most recently seen. */
export async function promptedBy(
  reader: Reader,
  { list, limit, offset }: { list: ListName; limit?: number; offset?: number },
  now: Temporal.Instant,
): Promise<{ people: Prompted[]; total: number }> {
  const order = list === 'not_seen' ? sql`desc` : sql`asc`
  const { rows: listed } = await reader.execute<Listed>(
    sql`select user_id, credits, at, count(*) over ()::int as total from ${rowsOf(list, now)} as listed where ${mayPrompt(list)}
      order by at ${order}, user_id limit ${limit ?? null} offset ${offset ?? 0}`,
  )
  const ids = listed.map((row) => row.user_id)
  const people = await reader
    .select({ ...pick(users, CONTACT), agreedAt, objectedAt: marketingObjections.objectedAt })
    .from(users)
    .leftJoin(healthQuestionnaires, eq(healthQuestionnaires.userId, users.id))
    .leftJoin(marketingConsents, eq(marketingConsents.userId, users.id))
    .leftJoin(marketingObjections, eq(marketingObjections.userId, users.id))
    .where(inArray(users.id, ids))
  const byId = new Map(people.map((person) => [person.id, person]))
  const page = listed.flatMap(({ user_id: userId, credits, at }) => {
    const person = byId.get(userId)
    if (!person) return []
    const { firstName, lastName, email, objectedAt } = person
    const mayNudge = maySendMarketing({ agreedAt: person.agreedAt, objectedAt })
    return [{ userId, firstName, lastName, email, credits, at: Temporal.Instant.from(at).toString(), mayNudge }]
  })
  // A page beyond the last has no row with the total.
  return { people: page, total: listed[0]?.total ?? (offset ? await countOf(reader, list, now) : 0) }
}

/** How full the next seven days are, and how many members are on each list. */
export async function promptsAt(reader: Reader, now: Temporal.Instant): Promise<Prompts> {
  const [[week], [news], ...counts] = await Promise.all([
    reader
      .select({
        classes: sql<number>`count(*)::int`,
        places: sql<number>`coalesce(sum(${classes.maxParticipants}), 0)::int`,
        taken: sql<number>`coalesce(sum(${classes.bookedCount}), 0)::int`,
      })
      .from(classes)
      .where(isUpcoming(now)),
    reader
      .select({ members: countDistinct(healthUpdates.userId) })
      .from(healthUpdates)
      .where(isNull(healthUpdates.notifiedAt)),
    ...LISTS.map((list) => countOf(reader, list, now)),
  ])
  return {
    week: week ?? { classes: 0, places: 0, taken: 0 },
    lists: Object.fromEntries(LISTS.map((list, i) => [list, counts[i] ?? 0])) as Prompts['lists'],
    withNewHealth: news?.members ?? 0,
  }
}

const WEEK_DAYS = 7

/** Classes of today and the six days after it that take place and have not started. */
function isUpcoming(now: Temporal.Instant): SQL | undefined {
  const day = studioDate(now)
  const last = day.add({ days: WEEK_DAYS - 1 })
  const isInWeek = sql`${classes.date} between ${day.toString()} and ${last.toString()}`
  return and(isInWeek, isNull(classes.deletedAt), classes.isActive, sql`${classes.startsAt} > ${now.toString()}`)
}

/** The upcoming classes of the next seven days with their members. */
export async function weekAhead(reader: Reader, now: Temporal.Instant): Promise<WeekClass[]> {
  const { id, title, date, startTime, maxParticipants, bookedCount, reservedPlaces } = classes
  const upcoming = await reader
    .select({ id, title, date, startTime, maxParticipants, bookedCount, reservedPlaces })
    .from(classes)
    .where(isUpcoming(now))
    .orderBy(asc(classes.startsAt), desc(classes.id))
  const places = await reader
    .select({
      classId: takenPlaces.classId,
      userId: users.id,
      firstName: users.firstName,
      lastName: users.lastName,
    })
    .from(takenPlaces)
    .innerJoin(users, eq(users.id, takenPlaces.userId))
    .where(
      and(
        eq(takenPlaces.status, 'confirmed'),
        inArray(
          takenPlaces.classId,
          upcoming.map((one) => one.id),
        ),
      ),
    )
    .orderBy(asc(takenPlaces.id))
  const ofClass = Map.groupBy(places, ({ classId }) => classId)
  return upcoming.map((one) => ({
    ...one,
    people: (ofClass.get(one.id) ?? []).map(({ classId: _, ...person }) => person),
  }))
}
