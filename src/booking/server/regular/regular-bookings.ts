import { and, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import { accountRefusals, type User } from '#accounts/contract.ts'
import { type BlockStatus, findUser, recipient, refuseBlocked } from '#accounts/server/accounts.ts'
import { recordAdminChange } from '#audit/server/audit.ts'
import { defined } from '#foundation/collections.ts'
import { refuse } from '#foundation/refusal.ts'
import { isHealthComplete } from '#health/server/health.ts'
import { queueMail } from '#messages/server/messages.ts'
import { actingFor, type CausedBy } from '#passes/server/passes.ts'
import { onlyRow, type Reader, type Tx, violates } from '#platform/database/database.ts'
import { timetableRefusals } from '#timetable/contract.ts'
import { hasStarted } from '#timetable/rules.ts'
import { classesForUpdate, classForUpdate, findClass } from '#timetable/server/timetable.ts'
import { type ClassRow, classes } from '#timetable/tables.ts'
import type { Booking } from '../../contract.ts'
import {
  type EndedRegularBooking,
  type MadeRegularBooking,
  type RegularBooking,
  regularRefusals,
} from '../../contract-regular.ts'
import { bookingRefusals } from '../../refusals.ts'
import { dayOfWeekday, lastRegularDate, weekdayOfDate } from '../../regular-rules.ts'
import { cancellationAt, payingPass } from '../../rules.ts'
import { bookings, type RegularRow, regularBookings, regularDatesLeftOut, waitingList } from '../../tables.ts'
import { cancelBooking, cancelBookings } from '../cancel-booking.ts'
import { lockPassesForFreedPlaces, offerFreedPlaces } from '../offer-freed-place.ts'
import { emailOther } from '../other-place.ts'
import { toBooking, toMailedBooking } from '../queries.ts'
import { findWaiter, removeFromWaitingList } from '../waiting-queries.ts'
import { bookRegularDates } from './book-regular-dates.ts'
import { queueDatesMail } from './regular-mails.ts'
import { findRegularDates, findRegulars, leaveDatesOut, regularBookingsOf } from './regular-queries.ts'

type Member = Pick<User, 'id' | 'email' | 'firstName' | 'lastName'> & BlockStatus

/**
 * Sets up a regular booking on the weekday and at the time of a class, and books that class and the later ones up to 12 weeks
 * ahead. Refused with the first class's reason if a member could have none of the dates.
 */
export async function setRegularBooking(
  tx: Tx,
  member: Member,
  classId: number,
  now: Temporal.Instant,
): Promise<MadeRegularBooking> {
  if (!(await isHealthComplete(tx, member.id))) refuse(bookingRefusals.health_information_missing)
  const { made, first } = await makeRegularBooking(tx, member, classId, { by: 'member' }, now)
  const hasAny =
    made.booked.length > 0 || made.notBooked.some(({ code }) => code === 'full' || code === 'already_booked')
  if (!hasAny) {
    const paying = payingPass((await findWaiter(tx, member.id, now)).passes, first.startsAt)
    if ('refusal' in paying) refuse(paying.refusal)
  }
  return made
}

/** Sets up a regular booking for a member. Dates that they cannot have yet are booked once they can. */
export async function setRegularBookingFor(
  tx: Tx,
  admin: { id: string },
  { userId, classId }: { userId: string; classId: number },
  now: Temporal.Instant,
): Promise<MadeRegularBooking> {
  const member = (await findUser(tx, userId)) ?? refuse(accountRefusals.user_not_found)
  const { made } = await makeRegularBooking(tx, member, classId, actingFor(userId, admin), now)
  const changes = { class: { after: slotName(made) }, bookings: { after: made.booked.length } }
  await recordAdminChange(tx, admin, { action: 'regular_set', subject: { kind: 'user', id: userId }, changes }, now)
  return made
}

const slotName = ({ day, startTime }: { day: string; startTime: string }) => `Every ${day} at ${startTime}`

async function makeRegularBooking(
  tx: Tx,
  member: Member,
  classId: number,
  causedBy: CausedBy,
  now: Temporal.Instant,
): Promise<{ made: MadeRegularBooking; first: ClassRow }> {
  const first = (await findClass(tx, classId))?.class ?? refuse(timetableRefusals.class_not_found)
  refuseBlocked(member)
  if (hasStarted(first.startsAt, now)) refuse(bookingRefusals.class_started)
  if (!first.isActive) refuse(bookingRefusals.class_inactive)
  const regular = await insertRegular(tx, member.id, first, now)
  const isLater = (await findRegularDates(tx, { regularId: regular.id }, now)).some(
    ({ class: of }) => of.date > first.date,
  )
  if (!isLater) refuse(regularRefusals.class_not_weekly)
  await forgetLeftOut(tx, regular)
  const outcomes = await bookRegularDates(tx, { regularId: regular.id }, causedBy, now)
  await queueDatesMail(tx, regular, { kind: 'set_up', outcomes })
  const shown = (await regularBookingsOf(tx, member.id, now)).find(({ id }) => id === regular.id)
  const made = {
    ...defined(shown),
    booked: outcomes.flatMap(({ booking, class: of }) =>
      booking ? [toBooking({ booking, class: of, user: member })] : [],
    ),
    notBooked: outcomes.flatMap(({ booking, class: of, decision }) =>
      !booking && 'code' in decision
        ? [{ classId: of.id, date: of.date, startTime: of.startTime, code: decision.code }]
        : [],
    ),
  }
  return { made, first }
}

async function insertRegular(tx: Tx, userId: string, first: ClassRow, now: Temporal.Instant): Promise<RegularRow> {
  const slot = { weekday: weekdayOfDate(first.date), startTime: first.startTime, from: first.date }
  try {
    return await tx
      .insert(regularBookings)
      .values({ userId, ...slot, createdAt: now, mailedAt: now })
      .returning()
      .then(onlyRow)
  } catch (error) {
    if (violates(error, 'one_regular_booking_per_member_and_slot')) refuse(regularRefusals.regular_booking_exists)
    throw error
  }
}

const isInSlot = ({ weekday, startTime }: RegularRow) =>
  and(eq(classes.startTime, startTime), sql`extract(isodow from ${classes.date}) = ${weekday}`)

/** Setting it up again books dates that were left out of a former one. */
async function forgetLeftOut(tx: Tx, regular: RegularRow): Promise<void> {
  const inSlot = tx.select({ id: classes.id }).from(classes).where(isInSlot(regular))
  await tx
    .delete(regularDatesLeftOut)
    .where(and(eq(regularDatesLeftOut.userId, regular.userId), inArray(regularDatesLeftOut.classId, inSlot)))
}

async function findRegular(reader: Reader, id: number, ofMember?: string): Promise<RegularRow> {
  const [row] = await findRegulars(reader, eq(regularBookings.id, id))
  if (!row || (ofMember !== undefined && row.userId !== ofMember)) refuse(regularRefusals.regular_booking_not_found)
  return row
}

/**
 * Leaves out one date of a member's regular booking for good: a booking is cancelled like any other, and the member leaves
 * the waiting list.
 */
export async function skipRegularDate(
  tx: Tx,
  member: User,
  { id, classId }: { id: number; classId: number },
  now: Temporal.Instant,
): Promise<RegularBooking & { cancelled: Booking | null }> {
  const regular = await findRegular(tx, id, member.id)
  await classForUpdate(tx, classId)
  const [date] = await findRegularDates(tx, { regularId: regular.id, classIds: [classId] }, now)
  if (!date) refuse(regularRefusals.not_in_regular_booking)
  const cancelled = date.bookingId === null ? null : await cancelBooking(tx, member, date.bookingId, now)
  await removeFromWaitingList(tx, member.id, classId)
  await leaveDatesOut(tx, member.id, [classId])
  const shown = (await regularBookingsOf(tx, member.id, now)).find((each) => each.id === id)
  return { ...defined(shown), cancelled }
}

/** Ends a member's own regular booking. */
export async function endRegularBooking(
  tx: Tx,
  member: User,
  { id, cancelsBookings }: { id: number; cancelsBookings: boolean },
  now: Temporal.Instant,
): Promise<EndedRegularBooking> {
  const regular = await findRegular(tx, id, member.id)
  return await endRegular(tx, regular, { cancelsBookings, causedBy: { by: 'member' } }, now)
}

/** Ends the regular booking of a member, who is emailed. */
export async function endRegularBookingFor(
  tx: Tx,
  admin: { id: string },
  { id, cancelsBookings }: { id: number; cancelsBookings: boolean },
  now: Temporal.Instant,
): Promise<EndedRegularBooking> {
  const regular = await findRegular(tx, id)
  const ended = await endRegular(tx, regular, { cancelsBookings, causedBy: { by: 'admin', id: admin.id } }, now)
  const name = slotName({ day: dayOfWeekday(regular.weekday), startTime: regular.startTime })
  const count = ended.cancelledBookingIds.length
  const changes = { class: { before: name }, ...(count > 0 && { bookingsCancelled: { after: count } }) }
  const subject = { kind: 'user' as const, id: regular.userId }
  await recordAdminChange(tx, admin, { action: 'regular_ended', subject, changes }, now)
  return ended
}

/**
 * Ends a regular booking. Its bookings stay, or those more than 120 minutes ahead are cancelled with their credits back; the
 * member is emailed what was cancelled.
 */
async function endRegular(
  tx: Tx,
  regular: RegularRow,
  { cancelsBookings, causedBy }: { cancelsBookings: boolean; causedBy: CausedBy },
  now: Temporal.Instant,
): Promise<EndedRegularBooking> {
  const member = (await findUser(tx, regular.userId)) ?? refuse(regularRefusals.regular_booking_not_found)
  const cancelled = cancelsBookings ? await cancelInSlot(tx, regular, causedBy, now) : []
  const [ended] = await tx.delete(regularBookings).where(eq(regularBookings.id, regular.id)).returning()
  if (!ended) refuse(regularRefusals.regular_booking_not_found)
  if (cancelled.length > 0 || causedBy.by === 'admin') {
    await queueMail(tx, 'regular-ended', {
      to: recipient(member),
      day: dayOfWeekday(regular.weekday),
      startTime: regular.startTime,
      because: causedBy.by === 'admin' ? 'studio' : 'member',
      cancelled,
    })
  }
  await offerFreedPlaces(
    tx,
    cancelled.map(({ classId }) => classId),
    now,
  )
  return { message: 'Regular booking ended', cancelledBookingIds: cancelled.map(({ bookingId }) => bookingId) }
}

async function cancelInSlot(tx: Tx, regular: RegularRow, causedBy: CausedBy, now: Temporal.Instant) {
  const ahead = tx
    .select({ id: classes.id })
    .from(classes)
    .where(and(isInSlot(regular), isNull(classes.deletedAt), gt(classes.startsAt, now)))
  const mine = await tx
    .select({ classId: bookings.classId })
    .from(bookings)
    .where(and(eq(bookings.userId, regular.userId), eq(bookings.status, 'confirmed'), inArray(bookings.classId, ahead)))
  const locked = await classesForUpdate(
    tx,
    mine.map(({ classId }) => classId),
  )
  const inTime = locked.filter(
    ({ startsAt }) => cancellationAt(now, { startsAt, isMoved: false }) === 'credit_returned',
  )
  const byId = new Map(inTime.map((row) => [row.id, row]))
  const ids = [...byId.keys()]
  await lockPassesForFreedPlaces(tx, ids, regular.userId)
  const rows = await tx
    .select()
    .from(bookings)
    .where(and(eq(bookings.userId, regular.userId), eq(bookings.status, 'confirmed'), inArray(bookings.classId, ids)))
    .orderBy(bookings.id)
    .for('no key update')
  const ended = await cancelBookings(tx, rows, { causedBy, reason: 'The regular booking ended', now })
  for (const booking of ended) await emailOther(tx, booking, defined(byId.get(booking.classId)))
  await tx.delete(waitingList).where(and(eq(waitingList.userId, regular.userId), inArray(waitingList.classId, ahead)))
  return ended
    .map((booking) => ({ classId: booking.classId, ...toMailedBooking(booking, defined(byId.get(booking.classId))) }))
    .sort((a, b) => a.startsAt.localeCompare(b.startsAt))
}

/** Whether anything is left to book in the slot of a regular booking: a class in the next 12 weeks, or one hidden by a closure. */
export async function hasDatesAhead(reader: Reader, regular: RegularRow, now: Temporal.Instant): Promise<boolean> {
  if (regular.from > lastRegularDate(now)) return true
  return (await findRegularDates(reader, { regularId: regular.id }, now)).length > 0
}
