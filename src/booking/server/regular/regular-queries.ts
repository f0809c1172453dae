import { and, asc, eq, exists, gt, gte, inArray, isNotNull, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { CONTACT, users } from '#accounts/tables.ts'
import { pick } from '#foundation/collections.ts'
import type { Reader } from '#platform/database/database.ts'
import { classes, closedClasses } from '#timetable/tables.ts'
import type { RegularBooking, RegularCode } from '../../contract-regular.ts'
import { WAYS_IN } from '../../rules-places.ts'
import { dayOfWeekday, lastRegularDate, planRegularDates } from '../../rules-regular.ts'
import {
  invitations,
  type RegularRow,
  regularBookings,
  regularDatesLeftOut,
  takenPlaces,
  waitingList,
} from '../../tables.ts'
import { findStandings } from '../places/standings.ts'

/** A member's own regular bookings, and those in which they are the companion. */
export const isOf = (userId: string) =>
  or(eq(regularBookings.userId, userId), eq(regularBookings.companionUserId, userId))

/** Which regular bookings and classes to look at: `userId` also finds those in which the member is the companion. */
export type Which = { regularId?: number; payerId?: string; userId?: string; classIds?: readonly number[] }

/** In SQL: whether a class is on this weekday and at this time. */
export const isInSlotOf = ({ weekday, startTime }: Pick<RegularRow, 'weekday' | 'startTime'>) =>
  and(eq(classes.startTime, startTime), sql`extract(isodow from ${classes.date}) = ${weekday}`)

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
const companionBookings = alias(takenPlaces, 'companion_bookings')
const companionLeftOut = alias(regularDatesLeftOut, 'companion_left_out')

const isAhead = (now: Temporal.Instant) =>
  and(isNull(classes.deletedAt), gt(classes.startsAt, now), lte(classes.date, lastRegularDate(now)))

/** The dates of regular bookings in the next 12 weeks, by start; for one class the oldest regular booking first. */
export async function findRegularDates(reader: Reader, which: Which, now: Temporal.Instant) {
  const rows = await reader
    .select({
      regular: regularBookings,
      class: classes,
      bookingId: takenPlaces.id,
      isMade: sql<boolean>`${takenPlaces.regularBookingId} is not distinct from ${regularBookings.id}`,
      isLeftOut: sql<boolean>`${regularDatesLeftOut.classId} is not null`,
      isWaiting: sql<boolean>`${waitingList.id} is not null`,
      user: pick(users, CONTACT),
      companionUser: pick(companionUsers, CONTACT),
      companionBookingId: companionBookings.id,
      isCompanionMade: sql<boolean>`${companionBookings.regularBookingId} is not distinct from ${regularBookings.id}`,
      isCompanionLeftOut: sql<boolean>`${companionLeftOut.classId} is not null`,
    })
    .from(regularBookings)
    .innerJoin(users, eq(users.id, regularBookings.userId))
    .innerJoin(classes, isInSlot)
    .leftJoin(
      takenPlaces,
      and(
        eq(takenPlaces.classId, classes.id),
        eq(takenPlaces.userId, regularBookings.userId),
        ne(takenPlaces.status, 'cancelled'),
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
        or(isNotNull(takenPlaces.id), isOnOrClosed(reader)),
        which.regularId === undefined ? undefined : eq(regularBookings.id, which.regularId),
        which.payerId === undefined ? undefined : eq(regularBookings.userId, which.payerId),
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

/** What decides about these dates. */
export async function standingsFor(
  reader: Reader,
  dates: readonly FoundDate[],
  asked: Omit<Parameters<typeof findStandings>[2], 'classes'>,
) {
  const people = dates.flatMap(({ userId, companion }) => (companion ? [userId, companion.userId] : [userId]))
  return await findStandings(reader, people, { ...asked, classes: dates.map((date) => date.class) })
}

/** Whether a member has a regular booking that their own credits pay for. */
export async function hasRegularBooking(reader: Reader, userId: string): Promise<boolean> {
  return (await reader.$count(regularBookings, eq(regularBookings.userId, userId))) > 0
}

/**
 * A member's regular bookings with their dates, and for each what would happen to it now. Those that they come along to
 * have the dates of their own places.
 */
export async function regularBookingsOf(reader: Reader, userId: string, now: Temporal.Instant) {
  const rows = await reader
    .select({
      regular: regularBookings,
      payer: users.firstName,
      companion: sql<RegularBooking['companion']>`case when ${regularBookings.companionUserId} is not null
        then json_build_object('firstName', coalesce(${invitations.firstName}, ''), 'state', 'confirmed')
        when ${invitations.id} is not null then json_build_object('firstName', ${invitations.firstName}, 'state', 'held') end`,
    })
    .from(regularBookings)
    .innerJoin(users, eq(users.id, regularBookings.userId))
    .leftJoin(
      invitations,
      and(
        eq(invitations.id, regularBookings.invitationId),
        or(isNotNull(regularBookings.companionUserId), and(isNull(invitations.answer), gt(invitations.openUntil, now))),
      ),
    )
    .where(isOf(userId))
    .orderBy(asc(regularBookings.createdAt), asc(regularBookings.id))
  if (rows.length === 0) return []
  const dates = await findRegularDates(reader, { userId }, now)
  const standings = await standingsFor(reader, dates, { now })
  const planned = planRegularDates(dates, standings, WAYS_IN.regular_night, now)
  return rows.map(({ regular, payer, companion }) => {
    const isCompanion = regular.userId !== userId
    const own = planned.filter((date) => date.regular.id === regular.id)
    const shown = isCompanion ? own.flatMap(datesOfCompanion) : own.map(dateOfPayer)
    return {
      ...regular,
      day: dayOfWeekday(regular.weekday),
      since: regular.createdAt,
      companion: isCompanion ? null : companion,
      bookedBy: isCompanion ? { firstName: payer } : null,
      dates: shown.map(({ studioClass, ...date }) => ({
        ...studioClass,
        classId: studioClass.id,
        ...date,
      })),
      bookedUntil: shown.findLast(({ bookingId }) => bookingId !== null)?.studioClass.date ?? null,
    }
  })
}

type PlannedDate = ReturnType<typeof planRegularDates<FoundDate>>[number]
type ShownDate = Pick<FoundDate, 'bookingId' | 'companionBookingId' | 'isMade'> & {
  studioClass: FoundDate['class']
  code: RegularBooking['dates'][number]['code']
}

/** A companion sees the dates of their own places, booked or left out. */
function datesOfCompanion({ class: studioClass, ...date }: PlannedDate): ShownDate[] {
  const { companionBookingId: bookingId, isCompanionMade: isMade } = date
  const shown = { studioClass, bookingId, companionBookingId: null, isMade }
  if (bookingId !== null) return [{ ...shown, code: null }]
  return date.companion?.isLeftOut ? [{ ...shown, code: 'skipped' }] : []
}

const dateOfPayer = ({
  class: studioClass,
  bookingId,
  companionBookingId,
  isMade,
  ...date
}: PlannedDate): ShownDate => ({
  studioClass,
  bookingId,
  companionBookingId,
  isMade,
  code: bookingId === null ? whyNotBooked(date) : null,
})

function whyNotBooked({ isWaiting, decision }: Pick<PlannedDate, 'isWaiting' | 'decision'>) {
  if (isWaiting) return 'full'
  return 'code' in decision ? decision.code : 'tonight'
}

/** Every member with a regular booking, by weekday and start; in a slot the oldest first. */
export async function regularHolders(reader: Reader, now: Temporal.Instant) {
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
      bookedDates: sql<number>`count(${takenPlaces.id})::int`,
      bookedUntil: sql<string | null>`max(${classes.date}) filter (where ${takenPlaces.id} is not null)::text`,
    })
    .from(regularBookings)
    .innerJoin(users, eq(users.id, regularBookings.userId))
    .leftJoin(companionUsers, eq(companionUsers.id, regularBookings.companionUserId))
    .leftJoin(classes, and(isInSlot, isAhead(now)))
    .leftJoin(
      takenPlaces,
      and(
        eq(takenPlaces.classId, classes.id),
        eq(takenPlaces.userId, regularBookings.userId),
        eq(takenPlaces.status, 'confirmed'),
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
    ...regular,
    day: dayOfWeekday(regular.weekday),
    user,
    companion,
    since: regular.createdAt,
    ...booked,
  }))
}

export const codesOf = (planned: readonly { decision: { passId: number } | { code: RegularCode } }[]) =>
  planned.flatMap(({ decision }) => ('code' in decision ? [decision.code] : []))
