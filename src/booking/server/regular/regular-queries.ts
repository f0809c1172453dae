import { and, asc, eq, exists, gt, gte, inArray, isNotNull, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { users } from '#accounts/tables.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { type ClassRow, classes, closedClasses } from '#timetable/tables.ts'
import type { RegularBooking, RegularCode, RegularHolder } from '../../contract-regular.ts'
import { dayOfWeekday, lastRegularDate, planRegularDates } from '../../regular-rules.ts'
import {
  bookings,
  companions,
  type RegularRow,
  regularBookings,
  regularDatesLeftOut,
  waitingList,
} from '../../tables.ts'
import { findWaiters } from '../waiting-queries.ts'

/** A member's own regular bookings, and those that they come along to. */
export const isOf = (userId: string) =>
  or(eq(regularBookings.userId, userId), eq(regularBookings.companionUserId, userId))

/** Which regular bookings and classes to look at. */
type Which = { regularId?: number; userId?: string; classIds?: readonly number[] }

/** Whether a class is on the weekday and at the time of a regular booking, and not before its first date. */
const isInSlot = and(
  eq(classes.startTime, regularBookings.startTime),
  sql`extract(isodow from ${classes.date}) = ${regularBookings.weekday}`,
  gte(classes.date, regularBookings.from),
)

/** Whether a class is on the timetable, or off it because the studio is closed. */
const isOnOrClosed = (reader: Reader) =>
  or(
    eq(classes.isActive, true),
    exists(reader.select({ one: sql`1` }).from(closedClasses).where(eq(closedClasses.classId, classes.id))),
  )

const companionUsers = alias(users, 'companion_users')
const companionBookings = alias(bookings, 'companion_bookings')
const companionLeftOut = alias(regularDatesLeftOut, 'companion_left_out')

const isAhead = (now: Temporal.Instant) =>
  and(isNull(classes.deletedAt), gt(classes.startsAt, now), lte(classes.date, lastRegularDate(now)))

/** The dates of regular bookings in the next 12 weeks, by start; for one class the oldest regular booking first. */
export async function findRegularDates(reader: Reader, which: Which, now: Temporal.Instant) {
  const rows = await reader
    .select({
      regular: regularBookings,
      class: classes,
      bookingId: bookings.id,
      isLeftOut: sql<boolean>`${regularDatesLeftOut.classId} is not null`,
      isWaiting: sql<boolean>`${waitingList.id} is not null`,
      user: { id: users.id, email: users.email, firstName: users.firstName, lastName: users.lastName },
      companionUser: {
        id: companionUsers.id,
        email: companionUsers.email,
        firstName: companionUsers.firstName,
        lastName: companionUsers.lastName,
      },
      companionBookingId: companionBookings.id,
      isCompanionLeftOut: sql<boolean>`${companionLeftOut.classId} is not null`,
    })
    .from(regularBookings)
    .innerJoin(users, eq(users.id, regularBookings.userId))
    .innerJoin(classes, isInSlot)
    .leftJoin(
      bookings,
      and(
        eq(bookings.classId, classes.id),
        eq(bookings.userId, regularBookings.userId),
        ne(bookings.status, 'cancelled'),
      ),
    )
    .leftJoin(
      regularDatesLeftOut,
      and(eq(regularDatesLeftOut.classId, classes.id), eq(regularDatesLeftOut.userId, regularBookings.userId)),
    )
    .leftJoin(waitingList, and(eq(waitingList.classId, classes.id), eq(waitingList.userId, regularBookings.userId)))
    .leftJoin(companionUsers, eq(companionUsers.id, regularBookings.companionUserId))
    .leftJoin(
      companionBookings,
      and(
        eq(companionBookings.classId, classes.id),
        eq(companionBookings.userId, companionUsers.id),
        ne(companionBookings.status, 'cancelled'),
      ),
    )
    .leftJoin(
      companionLeftOut,
      and(eq(companionLeftOut.classId, classes.id), eq(companionLeftOut.userId, companionUsers.id)),
    )
    .where(
      and(
        isAhead(now),
        or(isNotNull(bookings.id), isOnOrClosed(reader)),
        which.regularId === undefined ? undefined : eq(regularBookings.id, which.regularId),
        which.userId === undefined ? undefined : isOf(which.userId),
        which.classIds && inArray(classes.id, [...which.classIds]),
      ),
    )
    .orderBy(asc(classes.startsAt), asc(classes.id), asc(regularBookings.createdAt), asc(regularBookings.id))
  return rows.map(({ isCompanionLeftOut, ...row }) => ({
    ...row,
    userId: row.user.id,
    isBooked: row.bookingId !== null,
    companion: row.companionUser && {
      userId: row.companionUser.id,
      isBooked: row.companionBookingId !== null,
      isLeftOut: isCompanionLeftOut,
    },
  }))
}
export type FoundDate = Awaited<ReturnType<typeof findRegularDates>>[number]

/** Regular bookings, the oldest first. */
export async function findRegulars(reader: Reader, where?: SQL): Promise<RegularRow[]> {
  return await reader
    .select()
    .from(regularBookings)
    .where(where)
    .orderBy(asc(regularBookings.createdAt), asc(regularBookings.id))
}

/** Everyone whose passes, health and bookings decide about these dates. */
export const peopleIn = (dates: readonly FoundDate[]) =>
  dates.flatMap(({ userId, companion }) => (companion ? [userId, companion.userId] : [userId]))

/**
 * A member's regular bookings with their dates, and for each what would happen to it now. Those that they come along to
 * have the dates of their own places.
 */
export async function regularBookingsOf(
  reader: Reader,
  userId: string,
  now: Temporal.Instant,
): Promise<RegularBooking[]> {
  const rows = await reader
    .select({
      regular: regularBookings,
      payer: users.firstName,
      companion: sql<RegularBooking['companion']>`case when ${companionUsers.id} is not null
        then json_build_object('firstName', ${companionUsers.firstName}, 'state', 'confirmed')
        when ${companions.id} is not null then json_build_object('firstName', ${companions.firstName}, 'state', 'held') end`,
    })
    .from(regularBookings)
    .innerJoin(users, eq(users.id, regularBookings.userId))
    .leftJoin(companionUsers, eq(companionUsers.id, regularBookings.companionUserId))
    .leftJoin(companions, and(eq(companions.id, regularBookings.companionPlaceId), eq(companions.state, 'held')))
    .where(isOf(userId))
    .orderBy(asc(regularBookings.createdAt), asc(regularBookings.id))
  if (rows.length === 0) return []
  const dates = await findRegularDates(reader, { userId }, now)
  const planned = planRegularDates(dates, await findWaiters(reader, peopleIn(dates), now))
  return rows.map(({ regular, payer, companion }) => {
    const isCompanion = regular.userId !== userId
    const own = planned.filter((date) => date.regular.id === regular.id)
    const shown = isCompanion ? own.flatMap(datesOfCompanion) : own.map(dateOfPayer)
    return {
      id: regular.id,
      day: dayOfWeekday(regular.weekday),
      startTime: regular.startTime,
      since: regular.createdAt.toString(),
      companion: isCompanion ? null : companion,
      bookedBy: isCompanion ? { firstName: payer } : null,
      dates: shown.map(({ studioClass, ...date }) => ({
        classId: studioClass.id,
        date: studioClass.date,
        title: studioClass.title,
        startsAt: studioClass.startsAt.toString(),
        ...date,
      })),
      bookedUntil: shown.findLast(({ bookingId }) => bookingId !== null)?.studioClass.date ?? null,
    }
  })
}

type PlannedDate = ReturnType<typeof planRegularDates<FoundDate>>[number]
type ShownDate = Pick<FoundDate, 'bookingId' | 'companionBookingId'> & {
  studioClass: FoundDate['class']
  code: RegularBooking['dates'][number]['code']
}

/** A companion sees the dates of their own places, booked or left out. */
function datesOfCompanion({ class: studioClass, companionBookingId: bookingId, companion }: PlannedDate): ShownDate[] {
  if (bookingId !== null) return [{ studioClass, bookingId, companionBookingId: null, code: null }]
  return companion?.isLeftOut ? [{ studioClass, bookingId, companionBookingId: null, code: 'skipped' }] : []
}

const dateOfPayer = ({ class: studioClass, bookingId, companionBookingId, ...date }: PlannedDate): ShownDate => ({
  studioClass,
  bookingId,
  companionBookingId,
  code: bookingId === null ? whyNotBooked(date) : null,
})

function whyNotBooked({ isWaiting, decision }: Pick<PlannedDate, 'isWaiting' | 'decision'>) {
  if (isWaiting) return 'full'
  return 'code' in decision ? decision.code : null
}

/** Every member with a regular booking, by weekday and start; in a slot the oldest first. */
export async function regularHolders(reader: Reader, now: Temporal.Instant): Promise<RegularHolder[]> {
  const rows = await reader
    .select({
      regular: regularBookings,
      user: {
        id: users.id,
        firstName: users.firstName,
        lastName: users.lastName,
        isByPhone: sql<boolean>`${users.email} is null`,
      },
      companion: { id: companionUsers.id, firstName: companionUsers.firstName, lastName: companionUsers.lastName },
      bookedDates: sql<number>`count(${bookings.id})::int`,
      bookedUntil: sql<string | null>`max(${classes.date}) filter (where ${bookings.id} is not null)::text`,
    })
    .from(regularBookings)
    .innerJoin(users, eq(users.id, regularBookings.userId))
    .leftJoin(companionUsers, eq(companionUsers.id, regularBookings.companionUserId))
    .leftJoin(classes, and(isInSlot, isAhead(now)))
    .leftJoin(
      bookings,
      and(
        eq(bookings.classId, classes.id),
        eq(bookings.userId, regularBookings.userId),
        eq(bookings.status, 'confirmed'),
      ),
    )
    .groupBy(regularBookings.id, users.id, companionUsers.id)
    .orderBy(
      asc(regularBookings.weekday),
      asc(regularBookings.startTime),
      asc(regularBookings.createdAt),
      asc(regularBookings.id),
    )
  return rows.map(({ regular, user, companion, ...booked }) => ({
    id: regular.id,
    day: dayOfWeekday(regular.weekday),
    startTime: regular.startTime,
    user,
    companion,
    since: regular.createdAt.toString(),
    ...booked,
  }))
}

/** Never books these classes again for this member, in their own regular bookings or as a companion. */
export async function leaveDatesOut(tx: Tx, userId: string, classIds: readonly number[]): Promise<void> {
  await tx.execute(sql`
    insert into regular_dates_left_out (user_id, class_id)
    select ${userId}, id from unnest(${sql.param([...classIds])}::int[]) as left_out(id)
    where exists (select from regular_bookings where user_id = ${userId} or companion_user_id = ${userId})
    on conflict do nothing`)
}

/** Lets a regular booking have these dates again. */
export async function bringDatesBack(tx: Tx, userId: string, classIds: readonly number[]): Promise<void> {
  await tx
    .delete(regularDatesLeftOut)
    .where(and(eq(regularDatesLeftOut.userId, userId), inArray(regularDatesLeftOut.classId, [...classIds])))
}

/**
 * Moves regular bookings along when all later classes of their weekday and time were moved together.
 *
 * @param moves classes before and after, already written
 * @param atLeast how many classes must have moved
 */
export async function moveRegularSlots(
  tx: Tx,
  moves: readonly { from: ClassRow; to: ClassRow }[],
  atLeast: number,
  now: Temporal.Instant,
): Promise<void> {
  const slotOf = ({ date, startTime }: ClassRow) => `${Temporal.PlainDate.from(date).dayOfWeek} ${startTime}`
  const groups = Map.groupBy(moves, ({ from, to }) => `${slotOf(from)} ${slotOf(to)}`)
  for (const group of groups.values()) {
    const { from, to } = group[0] ?? {}
    if (!from || !to || group.length < atLeast || slotOf(from) === slotOf(to)) continue
    const first = group.map((move) => move.from.date).sort()[0] ?? from.date
    const weekday = (date: string) => Temporal.PlainDate.from(date).dayOfWeek
    const left = await tx.$count(
      classes,
      and(
        isNull(classes.deletedAt),
        eq(classes.isActive, true),
        gt(classes.startsAt, now),
        gt(classes.date, first),
        eq(classes.startTime, from.startTime),
        sql`extract(isodow from ${classes.date}) = ${weekday(from.date)}`,
      ),
    )
    if (left > 0) continue
    const isOfSlot = and(eq(regularBookings.weekday, weekday(from.date)), eq(regularBookings.startTime, from.startTime))
    const there = tx
      .select({ userId: regularBookings.userId })
      .from(regularBookings)
      .where(and(eq(regularBookings.weekday, weekday(to.date)), eq(regularBookings.startTime, to.startTime)))
    await tx.delete(regularBookings).where(and(isOfSlot, inArray(regularBookings.userId, there)))
    await tx
      .update(regularBookings)
      .set({
        weekday: weekday(to.date),
        startTime: to.startTime,
        // Or the first class, moved to an earlier day, would be before it.
        from: sql`${regularBookings.from} + ${Temporal.PlainDate.from(from.date).until(to.date).days}::int`,
      })
      .where(isOfSlot)
  }
}

export const codesOf = (planned: readonly { decision: { passId: number } | { code: RegularCode } }[]) =>
  planned.flatMap(({ decision }) => ('code' in decision ? [decision.code] : []))
