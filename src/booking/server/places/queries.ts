import {
  and,
  asc,
  type Column,
  desc,
  eq,
  getColumns,
  gt,
  inArray,
  ne,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm'
import { users } from '#accounts/tables.ts'
import { formatDate } from '#foundation/dates.ts'
import type { CalendarEntry, MailedBooking } from '#messages/mail.ts'
import { passes } from '#passes/tables.ts'
import { onlyRow, type Reader, type Tx } from '#platform/database/database.ts'
import { isFull } from '#timetable/rules.ts'
import { type ClassRow, classes } from '#timetable/tables.ts'
import type { Booking } from '../../contract.ts'
import {
  type BookingRow,
  bookings,
  invitations,
  type PlaceRow,
  takenPlaces,
  undoableCancellations,
} from '../../tables.ts'

/** An instant, or its text. */
type Written = Temporal.Instant | string

export type ClassFacts = Pick<ClassRow, 'title' | 'date' | 'startTime' | 'endTime' | 'instructorName'> &
  Record<'startsAt' | 'endsAt', Written>

type ShownBooking = Pick<
  BookingRow,
  | 'id'
  | 'userId'
  | 'classId'
  | 'paymentStatus'
  | 'participantCount'
  | 'totalAmountPence'
  | 'movedFromDate'
  | 'movedFromStartTime'
  | 'movedFromEndTime'
  | 'bookedWith'
> & { status: Booking['status']; bookedAt: Written; cancelledAt: Written | null }

type ShownParts = {
  booking: ShownBooking
  class: ClassFacts & Pick<ClassRow, 'maxParticipants' | 'bookedCount' | 'reservedPlaces'>
  user: { firstName: string; lastName: string }
  /** Left out where it does not matter, as for a new booking. */
  hasPassEnded?: boolean
  /** Left out for a new booking, which has neither. `heldUntil` is in milliseconds. */
  companion?: { firstName: string; state: 'held' | 'confirmed'; heldUntil: number | null } | null
  bookedBy?: string | null
  isWeekly?: boolean
}
type BookingParts = ShownParts & { booking: BookingRow }

/** In SQL: whether the pass that paid was voided, refunded or erased, so that it takes no credit back. */
export const hasPassEnded = sql<boolean>`(${passes.id} is null or coalesce(${passes.voidedAt}, ${passes.refundedAt}) is not null)`

/** In SQL: who booked a place for its holder. */
export const bookerOf = <Person>(person: SQL, place: Record<'userId' | 'payerId', Column>) =>
  sql<Person | null>`(select ${person} from ${users} as payer
    where payer.id = ${place.payerId} and payer.id <> ${place.userId})`

/** In SQL: what the other place of a booking, and the timetable, say about it. */
export const surroundingsOf = (
  booking: Record<'id' | 'status' | 'userId' | 'payerId', Column>,
  studioClass: Record<'date' | 'startTime', Column>,
) => ({
  companion: sql<ShownParts['companion']>`(select json_build_object(
      'firstName', coalesce(${invitations.firstName}, ''),
      'state', case when second.status = 'held' then 'held' else 'confirmed' end,
      'heldUntil', case when second.status = 'held' then round(extract(epoch from ${invitations.openUntil}) * 1000) end)
    from ${bookings} as second left join ${invitations} on ${invitations.id} = second.invitation_id
    where second.brought_by = ${booking.id} and second.status <> 'cancelled')`,
  bookedBy: bookerOf<string>(sql`payer.first_name`, booking),
  isWeekly: sql<boolean>`${booking.status} = 'confirmed' and exists (select from classes as later
    where later.date in (${studioClass.date} + 7, ${studioClass.date} + 14, ${studioClass.date} + 21)
      and later.start_time = ${studioClass.startTime} and later.is_active and later.deleted_at is null)`,
})

const columns = {
  booking: getColumns(takenPlaces),
  class: classes,
  user: { firstName: users.firstName, lastName: users.lastName },
  hasPassEnded,
  ...surroundingsOf(takenPlaces, classes),
}

export function toBooking(parts: ShownParts) {
  const { booking, class: studioClass, user, hasPassEnded = false, companion = null, bookedBy = null } = parts
  const { isWeekly = false } = parts
  return {
    ...booking,
    user,
    class: studioClass,
    maxParticipants: studioClass.maxParticipants,
    participants: booking.participantCount,
    totalAmount: booking.totalAmountPence,
    movedFrom: movedFrom(booking),
    hasPassEnded,
    companion: companion && {
      ...companion,
      heldUntil: companion.heldUntil === null ? null : Temporal.Instant.fromEpochMilliseconds(companion.heldUntil),
    },
    bookedBy: bookedBy === null ? null : { firstName: bookedBy },
    hasFreePlace: !isFull(studioClass),
    isWeekly,
  }
}

function movedFrom({ movedFromDate: date, movedFromStartTime: startTime, movedFromEndTime: endTime }: ShownBooking) {
  return date && startTime && endTime ? { date, startTime, endTime } : null
}

/** The class as shown with a booking, a place on a waiting list or in a mail. */
export function toClassFacts({ title, date, startTime, endTime, startsAt, endsAt, instructorName }: ClassFacts) {
  return { title, date, startTime, endTime, startsAt: startsAt.toString(), endsAt: endsAt.toString(), instructorName }
}

/** A class in the audit log. */
export function describeClass(studioClass: { title: string; date: string; startTime: string }): string {
  return `${studioClass.title}, ${formatDate(studioClass.date)} ${studioClass.startTime}`
}

/** A booked class in a mail. Pass both rows as they are after the change. */
export function toMailedBooking(booking: PlaceRow, studioClass: ClassRow): MailedBooking {
  return { bookingId: booking.id, ...toClassFacts(studioClass), calendar: calendarEntryOf(booking, studioClass) }
}

function calendarEntryOf(booking: PlaceRow, studioClass: ClassRow): CalendarEntry {
  const changes = [studioClass.updatedAt, booking.bookedAt, booking.cancelledAt ?? booking.bookedAt]
  const changedAt = changes.reduce((a, b) => (Temporal.Instant.compare(a, b) < 0 ? b : a))
  return { uid: booking.calendarUid, sequence: booking.calendarSequence, changedAt: changedAt.toString() }
}

const selectBookings = (reader: Reader) =>
  reader
    .select(columns)
    .from(takenPlaces)
    .innerJoin(classes, eq(classes.id, takenPlaces.classId))
    .innerJoin(users, eq(users.id, takenPlaces.userId))
    .leftJoin(passes, eq(passes.id, takenPlaces.passId))

/** A booking as its member sees it, with the companion or the member who paid. */
export async function bookingWithCompanion(reader: Reader, id: number) {
  return toBooking(onlyRow(await selectBookings(reader).where(eq(takenPlaces.id, id))))
}

/** A member's bookings, latest class first. */
export async function bookingsOf(reader: Reader, userId: string): Promise<BookingParts[]> {
  return await selectBookings(reader)
    .where(eq(takenPlaces.userId, userId))
    .orderBy(desc(classes.startsAt), desc(takenPlaces.id))
}

/** A member's confirmed bookings of classes that have not started, next first. */
export async function upcomingBookingsOf(
  reader: Reader,
  userId: string,
  now: Temporal.Instant,
): Promise<(BookingParts & { class: ClassRow })[]> {
  return await selectBookings(reader)
    .where(and(eq(takenPlaces.userId, userId), eq(takenPlaces.status, 'confirmed'), gt(classes.startsAt, now)))
    .orderBy(asc(classes.startsAt), asc(takenPlaces.id))
}

/** Ids, or a subquery that finds them. */
export type ClassIds = number[] | SQLWrapper

/**
 * Bookings of these classes that are not cancelled, in the order they were made.
 *
 * @param options.justCancelledToo also those that their members can still bring back
 */
export async function findBookingsIn(reader: Reader, classIds: ClassIds, options: { justCancelledToo?: boolean } = {}) {
  if (Array.isArray(classIds) && classIds.length === 0) return []
  return await reader
    .select({
      id: takenPlaces.id,
      classId: takenPlaces.classId,
      userId: takenPlaces.userId,
      status: takenPlaces.status,
      movedAt: takenPlaces.movedAt,
      bookedWith: takenPlaces.bookedWith,
      firstName: users.firstName,
      lastName: users.lastName,
      email: users.email,
      phone: users.phone,
      hasPassEnded,
      bookedBy: bookerOf<{ firstName: string; lastName: string }>(
        sql`json_build_object('firstName', payer.first_name, 'lastName', payer.last_name)`,
        takenPlaces,
      ),
    })
    .from(takenPlaces)
    .innerJoin(users, eq(users.id, takenPlaces.userId))
    .leftJoin(passes, eq(passes.id, takenPlaces.passId))
    .where(
      and(
        inArray(takenPlaces.classId, classIds),
        or(
          ne(takenPlaces.status, 'cancelled'),
          options.justCancelledToo ? inArray(takenPlaces.id, undoableIds(reader)) : undefined,
        ),
      ),
    )
    .orderBy(asc(takenPlaces.bookedAt), asc(takenPlaces.id))
}

/** The bookings that their members have just cancelled and can still bring back. */
const undoableIds = (reader: Reader) =>
  reader.select({ id: undoableCancellations.bookingId }).from(undoableCancellations)

/** Whether a member has a booking in a class that is not cancelled. */
export async function hasPlace(reader: Reader, userId: string, classId: number): Promise<boolean> {
  const [row] = await reader
    .select({ id: takenPlaces.id })
    .from(takenPlaces)
    .where(and(eq(takenPlaces.userId, userId), eq(takenPlaces.classId, classId), ne(takenPlaces.status, 'cancelled')))
    .prepare('has_place')
    .execute()
  return row !== undefined
}

/** A booking, not locked; with `ofMember` only if it is theirs. */
export async function findBooking(reader: Reader, id: number, ofMember?: string): Promise<BookingRow | undefined> {
  const [row] = await reader.select().from(takenPlaces).where(eq(takenPlaces.id, id))
  return ofMember === undefined || row?.userId === ofMember ? row : undefined
}

/** Locks a booking. */
export async function bookingForUpdate(tx: Tx, id: number): Promise<BookingRow | undefined> {
  const [row] = await tx.select().from(takenPlaces).where(eq(takenPlaces.id, id)).for('no key update')
  return row
}

/** The classes in which a member has a confirmed booking, or one whose cancellation is not yet final. */
export async function bookedClassIdsOf(reader: Reader, userId: string): Promise<number[]> {
  const rows = await reader
    .select({ classId: takenPlaces.classId })
    .from(takenPlaces)
    .where(
      and(
        eq(takenPlaces.userId, userId),
        or(eq(takenPlaces.status, 'confirmed'), inArray(takenPlaces.id, undoableIds(reader))),
      ),
    )
    .orderBy(asc(takenPlaces.classId))
  return rows.map(({ classId }) => classId)
}

/** A member's own booking with its class; undefined for another member's. */
export async function findOwnBookingWithClass(
  reader: Reader,
  userId: string,
  id: number,
): Promise<{ booking: BookingRow; class: ClassRow } | undefined> {
  const [row] = await reader
    .select({ booking: getColumns(takenPlaces), class: classes })
    .from(takenPlaces)
    .innerJoin(classes, eq(classes.id, takenPlaces.classId))
    .where(and(eq(takenPlaces.id, id), eq(takenPlaces.userId, userId)))
  return row
}

/**
 * A member's upcoming bookings before they are erased, as mails cancel them: no row will be left to count up the
 * calendar sequence, so it is done here. Those that the member has just cancelled are included, as nobody was emailed
 * yet.
 */
export async function cancellationsOnErasure(tx: Tx, userId: string, now: Temporal.Instant): Promise<MailedBooking[]> {
  const rows = await upcomingBookingsOf(tx, userId, now)
  const justCancelled = await selectBookings(tx)
    .where(and(eq(takenPlaces.userId, userId), inArray(takenPlaces.id, undoableIds(tx)), gt(classes.startsAt, now)))
    .orderBy(asc(classes.startsAt), asc(takenPlaces.id))
  return [
    ...rows.map(({ booking, class: studioClass }) =>
      toMailedBooking({ ...booking, cancelledAt: now, calendarSequence: booking.calendarSequence + 1 }, studioClass),
    ),
    ...justCancelled.map(({ booking, class: studioClass }) => toMailedBooking(booking, studioClass)),
  ]
}
