import { sql } from 'drizzle-orm'
import { users } from '#accounts/tables.ts'
import { defined } from '#foundation/collections.ts'
import { hasCompleteHealth } from '#health/server/health.ts'
import { freeCreditsOf, passesForUpdate, passesOfMembers } from '#passes/server/passes.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { type ClassRow, classes } from '#timetable/tables.ts'
import type { SkipReason } from '../../contract-waiting.ts'
import { freeCreditsSince, type Standing, skipReasonOf, WAYS_IN, type WayIn } from '../../rules-places.ts'
import { bookings, waitingList } from '../../tables.ts'

/** `waiting`: the classes asked about for which they wait. `isOffered`: a place there is theirs at the moment. */
export type FoundStanding = Standing & { waiting: readonly { classId: number; isOffered: boolean }[] }

type Asked = {
  now: Temporal.Instant
  /** The classes that they would get a place in: of their bookings, those from the first to the last are read. */
  classes: readonly Pick<ClassRow, 'id' | 'startsAt' | 'endsAt'>[]
  /** Whether to find out which credits were free last night. */
  isUnasked?: boolean
}

/** What decides whether these members can get places; two statements, three with `isUnasked`. */
export async function findStandings(
  reader: Reader,
  userIds: readonly string[],
  asked: Asked,
): Promise<ReadonlyMap<string, FoundStanding>> {
  return await readStandings(reader, [...new Set(userIds)], asked, passesOfMembers)
}

/** The same, and locks the passes of the members who pay. */
export async function standingsForUpdate(
  tx: Tx,
  { holders, payers }: { holders: readonly string[]; payers: readonly string[] },
  asked: Asked,
): Promise<ReadonlyMap<string, FoundStanding>> {
  const locked = [...new Set(payers)]
  return await readStandings(tx, [...new Set([...holders, ...payers])], asked, () => passesForUpdate(tx, ...locked))
}

async function readStandings(
  reader: Reader,
  ids: readonly string[],
  { now, classes: asked, isUnasked = false }: Asked,
  readPasses: (reader: Reader, ids: readonly string[]) => ReturnType<typeof passesOfMembers>,
): Promise<ReadonlyMap<string, FoundStanding>> {
  const [people, held] = await Promise.all([readPeople(reader, ids, asked, now), readPasses(reader, ids)])
  const free = isUnasked ? await freeCreditsOf(reader, held, freeCreditsSince(now)) : undefined
  const passes = Map.groupBy(
    held.map((pass) => ({ ...pass, freeCredits: free?.get(pass.id) ?? pass.creditsRemaining })),
    ({ userId }) => userId,
  )
  return new Map(
    people.map(({ id, booked, ...person }) => [
      id,
      {
        ...person,
        passes: passes.get(id) ?? [],
        booked: booked.map(({ classId, startsAt, endsAt }) => ({
          classId,
          startsAt: Temporal.Instant.fromEpochMilliseconds(startsAt),
          endsAt: Temporal.Instant.fromEpochMilliseconds(endsAt),
        })),
      },
    ]),
  )
}

type BookedSpan = { classId: number; startsAt: number; endsAt: number }

/** PostgreSQL keeps its plan, as none of the values could give a better one: each is behind a `select`. */
async function readPeople(reader: Reader, ids: readonly string[], asked: Asked['classes'], now: Temporal.Instant) {
  const starts = asked.map(({ startsAt }) => startsAt).sort(Temporal.Instant.compare)
  const ends = asked.map(({ endsAt }) => endsAt).sort(Temporal.Instant.compare)
  const at = (instant: Temporal.Instant | undefined) => sql`(select ${instant?.toString() ?? null}::timestamptz)`
  const isAsked = sql`any((select ${sql.param(asked.map(({ id }) => id))}::int[])::int[])`
  return await reader
    .select({
      id: users.id,
      isBlocked: sql<boolean>`${users.blockedAt} is not null`,
      isByPhone: sql<boolean>`${users.email} is null`,
      ableSince: users.ableSince,
      isHealthComplete: hasCompleteHealth(users.id),
      booked: sql<BookedSpan[]>`coalesce((
        select json_agg(json_build_object('classId', ${classes.id},
          'startsAt', round(extract(epoch from ${classes.startsAt}) * 1000),
          'endsAt', round(extract(epoch from ${classes.endsAt}) * 1000)))
        from ${bookings} join ${classes} on ${classes.id} = ${bookings.classId}
        where ${bookings.userId} = ${users.id} and ${bookings.status} <> 'cancelled'
          and ${classes.startsAt} < ${at(ends.at(-1))} and ${classes.endsAt} > ${at(starts[0])}), '[]')`,
      waiting: sql<{ classId: number; isOffered: boolean }[]>`coalesce((
        select json_agg(json_build_object('classId', ${waitingList.classId},
          'isOffered', coalesce(${waitingList.offeredUntil} > ${at(now)}, false)))
        from ${waitingList} where ${waitingList.userId} = ${users.id} and ${waitingList.classId} = ${isAsked}), '[]')`,
    })
    .from(users)
    .where(sql`${users.id} = any((select ${sql.param([...ids])}::text[])::text[])`)
    .prepare('standings')
    .execute()
}

/** What decides whether one member can get a place. */
export async function findStanding(reader: Reader, userId: string, asked: Asked): Promise<FoundStanding> {
  return defined((await findStandings(reader, [userId], asked)).get(userId))
}

/** A member on a waiting list. `isOffer`: a place would be offered, and booked only if they press. */
type Waiting = { userId: string; email: string | null; regularBookingId: number | null; isOffer?: boolean }

/** How a waiting member would get a place: what a regular booking wrote is booked by its rules. */
export function wayOf({ regularBookingId, email, isOffer = false }: Omit<Waiting, 'userId'>): WayIn {
  if (regularBookingId === null) return WAYS_IN.waiting_list
  // The owner calls members without an email address.
  return isOffer || email === null ? WAYS_IN.regular_set_up : WAYS_IN.waiting_regular
}

/** Why a waiting member cannot have a place, or null. */
export async function whySkipped(
  reader: Reader,
  awaited: ClassRow,
  waiting: Waiting,
  now: Temporal.Instant,
): Promise<SkipReason | null> {
  const way = wayOf(waiting)
  const standing = await findStanding(reader, waiting.userId, {
    now,
    classes: [awaited],
    isUnasked: way.isUnasked ?? false,
  })
  return skipReasonOf(standing, awaited, way, now)
}
