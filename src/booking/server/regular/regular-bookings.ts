import { and, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm'
import { accountRefusals, type User } from '#accounts/contract.ts'
import { type BlockStatus, findUser, refuseBlocked } from '#accounts/server/accounts.ts'
import { recordAdminChange } from '#audit/server/audit.ts'
import { defined } from '#foundation/collections.ts'
import { refuse } from '#foundation/refusal.ts'
import { isHealthComplete } from '#health/server/health.ts'
import { actingFor, type CausedBy, lockPassesOf } from '#passes/server/passes.ts'
import { passes } from '#passes/tables.ts'
import { onlyRow, type Reader, type Tx, violates } from '#platform/database/database.ts'
import { timetableRefusals } from '#timetable/contract.ts'
import { hasStarted } from '#timetable/rules.ts'
import { classesForUpdate, classForUpdate, findClass } from '#timetable/server/timetable.ts'
import { type ClassRow, classes } from '#timetable/tables.ts'
import type { Booking, CompanionForm } from '../../contract.ts'
import {
  type EndedRegularBooking,
  type MadeRegularBooking,
  type RegularBooking,
  regularRefusals,
} from '../../contract-regular.ts'
import { bookingRefusals, companionRefusals } from '../../refusals.ts'
import { dayOfWeekday, lastRegularDate, weekdayOfDate } from '../../regular-rules.ts'
import { cancellationAt, payingPass } from '../../rules.ts'
import { bookings, type RegularRow, regularBookings, regularDatesLeftOut, waitingList } from '../../tables.ts'
import { cancelBooking, cancelBookings } from '../cancel-booking.ts'
import { findCompanion } from '../companion-queries.ts'
import { holdPlace } from '../invite-companion.ts'
import { lockPassesForFreedPlaces, offerFreedPlaces } from '../offer-freed-place.ts'
import { emailOther } from '../other-place.ts'
import { findBooking, toBooking, toMailedBooking } from '../queries.ts'
import { findWaiter, removeFromWaitingList } from '../waiting-queries.ts'
import { bookRegularDates, type OutcomeOfDate } from './book-regular-dates.ts'
import { emailCompanionLeft, emailEnd, queueDatesMail } from './regular-mails.ts'
import { findRegularDates, findRegulars, leaveDatesOut, regularBookingsOf } from './regular-queries.ts'

/** What to book: with `companion`, they are invited to the first class; otherwise the one of that class comes along. */
type RegularRequest = { classId: number; withCompanion?: boolean | null; companion?: CompanionForm | null }

type Member = Pick<User, 'id' | 'email' | 'firstName' | 'lastName'> & BlockStatus

/**
 * Sets up a regular booking on the weekday and at the time of a class, and books that class and the later ones up to 12
 * weeks ahead. Refused with the first class's reason if a member could have none of the dates.
 */
export async function setRegularBooking(
  tx: Tx,
  member: Member,
  request: RegularRequest,
  now: Temporal.Instant,
): Promise<MadeRegularBooking> {
  if (!(await isHealthComplete(tx, member.id))) refuse(bookingRefusals.health_information_missing)
  const { made, first } = await makeRegularBooking(tx, member, request, { id: member.id }, now)
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
  { userId, ...request }: RegularRequest & { userId: string },
  now: Temporal.Instant,
): Promise<MadeRegularBooking> {
  const member = (await findUser(tx, userId)) ?? refuse(accountRefusals.user_not_found)
  const { made } = await makeRegularBooking(tx, member, request, admin, now)
  const changes = { class: { after: slotName(made) }, bookings: { after: made.booked.length } }
  await recordAdminChange(tx, admin, { action: 'regular_set', subject: { kind: 'user', id: userId }, changes }, now)
  return made
}

const slotName = ({ day, startTime }: { day: string; startTime: string }) => `Every ${day} at ${startTime}`

async function makeRegularBooking(
  tx: Tx,
  member: Member,
  request: RegularRequest,
  caller: { id: string },
  now: Temporal.Instant,
): Promise<{ made: MadeRegularBooking; first: ClassRow }> {
  const first = (await findClass(tx, request.classId))?.class ?? refuse(timetableRefusals.class_not_found)
  refuseBlocked(member)
  if (hasStarted(first.startsAt, now)) refuse(bookingRefusals.class_started)
  if (!first.isActive) refuse(bookingRefusals.class_inactive)
  const regular = await insertRegular(tx, member.id, first, now)
  const dates = await findRegularDates(tx, { regularId: regular.id }, now)
  if (!dates.some(({ class: studioClass }) => studioClass.date > first.date)) refuse(regularRefusals.class_not_weekly)
  await forgetLeftOut(tx, regular)
  const causedBy = actingFor(member.id, caller)
  // The companion's place of the first class comes before the member's later dates, so all are locked before.
  if (request.withCompanion) {
    const classIds = dates.map(({ class: studioClass }) => studioClass.id)
    await classesForUpdate(tx, classIds)
    await lockPassesOf(tx, [member.id])
  }
  const early = request.withCompanion
    ? await bookWithCompanion(tx, { regular, member, first, companion: request.companion, caller }, now)
    : undefined
  const later = await bookRegularDates(tx, { regularId: regular.id }, causedBy, now)
  const outcomes = later.map((date) =>
    early && date.class.id === first.id ? { ...date, booking: early.booking, decision: early.decision } : date,
  )
  await queueDatesMail(tx, regular, { kind: 'set_up', outcomes })
  const shown = (await regularBookingsOf(tx, member.id, now)).find(({ id }) => id === regular.id)
  const made = {
    ...defined(shown),
    booked: outcomes.flatMap(({ booking, class: studioClass }) =>
      booking ? [toBooking({ booking, class: studioClass, user: member })] : [],
    ),
    notBooked: outcomes.flatMap(({ booking, class: studioClass, decision }) =>
      !booking && 'code' in decision
        ? [{ classId: studioClass.id, date: studioClass.date, startTime: studioClass.startTime, code: decision.code }]
        : [],
    ),
  }
  return { made, first }
}

/** Books the first class of a regular booking and finds or invites the companion, or refuses. Everything is locked. */
async function bookWithCompanion(
  tx: Tx,
  {
    regular,
    member,
    first,
    companion,
    caller,
  }: {
    regular: RegularRow
    member: Member
    first: ClassRow
    companion: CompanionForm | null | undefined
    caller: { id: string }
  },
  now: Temporal.Instant,
): Promise<OutcomeOfDate | undefined> {
  const causedBy = actingFor(member.id, caller)
  const [date] = await bookRegularDates(tx, { regularId: regular.id, classIds: [first.id] }, causedBy, now)
  if (!date?.bookingId) {
    const paying = payingPass((await findWaiter(tx, member.id, now)).passes, first.startsAt)
    if ('refusal' in paying) refuse(paying.refusal)
    refuse(
      date?.decision && 'code' in date.decision ? bookingRefusals.class_full : companionRefusals.companion_not_found,
    )
  }
  if (companion) {
    const [studioClass] = await classesForUpdate(tx, [first.id])
    const every = { day: dayOfWeekday(regular.weekday), startTime: regular.startTime }
    const invited = { inviter: member, booking: { id: date.bookingId }, companion, isDesk: false, caller, every }
    await holdPlace(tx, { ...invited, studioClass: defined(studioClass) }, now)
  }
  const place = (await findCompanion(tx, date.bookingId)) ?? refuse(companionRefusals.companion_not_found)
  const booked = place.companionBookingId === null ? undefined : await findBooking(tx, place.companionBookingId)
  await tx
    .update(regularBookings)
    .set(booked ? { companionUserId: booked.userId } : { companionPlaceId: place.id })
    .where(eq(regularBookings.id, regular.id))
  return date
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

/** @param ofMember who booked it, or comes along */
async function findRegular(reader: Reader, id: number, ofMember?: string): Promise<RegularRow> {
  const [row] = await findRegulars(reader, eq(regularBookings.id, id))
  const isTheirs = ofMember === undefined || row?.userId === ofMember || row?.companionUserId === ofMember
  if (!row || !isTheirs) refuse(regularRefusals.regular_booking_not_found)
  return row
}

/** Leaves out a regular booking's date for good: its booking is cancelled, and the member leaves the waiting list. */
export async function skipRegularDate(
  tx: Tx,
  member: User,
  { id, classId }: { id: number; classId: number },
  now: Temporal.Instant,
): Promise<RegularBooking & { cancelled: Booking | null }> {
  const regular = await findRegular(tx, id, member.id)
  await classForUpdate(tx, classId)
  const [date] = await findRegularDates(tx, { regularId: regular.id, classIds: [classId] }, now)
  const bookingId = regular.userId === member.id ? date?.bookingId : date?.companionBookingId
  if (bookingId === undefined) refuse(regularRefusals.not_in_regular_booking)
  const cancelled = bookingId === null ? null : await cancelBooking(tx, member, bookingId, now)
  await removeFromWaitingList(tx, member.id, classId)
  await leaveDatesOut(tx, member.id, [classId])
  const shown = (await regularBookingsOf(tx, member.id, now)).find((each) => each.id === id)
  return { ...defined(shown), cancelled }
}

/** Ends a member's own regular booking; a companion no longer comes along. */
export async function endRegularBooking(
  tx: Tx,
  member: User,
  { id, cancelsBookings }: { id: number; cancelsBookings: boolean },
  now: Temporal.Instant,
): Promise<EndedRegularBooking> {
  const regular = await findRegular(tx, id, member.id)
  const how = { cancelsBookings, causedBy: { by: 'member' as const } }
  return await (regular.userId === member.id ? endRegular(tx, regular, how, now) : leaveRegular(tx, regular, how, now))
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
 * Ends a regular booking. Its bookings stay, or those more than 120 minutes ahead are cancelled with their credits
 * back, the companion's too; both are emailed what was cancelled, and what was booked at night and stays.
 */
async function endRegular(
  tx: Tx,
  regular: RegularRow,
  { cancelsBookings, causedBy }: { cancelsBookings: boolean; causedBy: CausedBy },
  now: Temporal.Instant,
): Promise<EndedRegularBooking> {
  const all = cancelsBookings ? await cancelInSlot(tx, regular, causedBy, now) : []
  const mine = all.filter(({ userId }) => userId === regular.userId)
  const theirs = all.filter(({ userId }) => userId !== regular.userId)
  const isByAdmin = causedBy.by === 'admin'
  await emailEnd(tx, regular, 'member', {
    because: isByAdmin ? 'studio' : 'member',
    cancelled: mine,
    isKnown: !isByAdmin,
  })
  await emailEnd(tx, regular, 'companion', { because: 'member', cancelled: theirs })
  const ended = await tx.delete(regularBookings).where(eq(regularBookings.id, regular.id)).returning()
  if (ended.length === 0) refuse(regularRefusals.regular_booking_not_found)
  return await offerPlacesOf(tx, all, now)
}

/** Ends a companion's part of a regular booking, of which the member is emailed. */
async function leaveRegular(
  tx: Tx,
  regular: RegularRow,
  { cancelsBookings, causedBy }: { cancelsBookings: boolean; causedBy: CausedBy },
  now: Temporal.Instant,
): Promise<EndedRegularBooking> {
  const cancelled = cancelsBookings ? await cancelInSlot(tx, regular, causedBy, now, 'companion') : []
  await emailCompanionLeft(tx, regular, cancelled)
  await emailEnd(tx, regular, 'companion', { because: 'member', cancelled, isKnown: true })
  await tx.update(regularBookings).set({ companionUserId: null }).where(eq(regularBookings.id, regular.id))
  return await offerPlacesOf(tx, cancelled, now)
}

async function offerPlacesOf(
  tx: Tx,
  cancelled: readonly { bookingId: number; classId: number }[],
  now: Temporal.Instant,
): Promise<EndedRegularBooking> {
  await offerFreedPlaces(tx, [...new Set(cancelled.map(({ classId }) => classId))], now)
  return { message: 'Regular booking ended', cancelledBookingIds: cancelled.map(({ bookingId }) => bookingId) }
}

/** @param whose only the companion's places, or everyone's */
async function cancelInSlot(
  tx: Tx,
  regular: RegularRow,
  causedBy: CausedBy,
  now: Temporal.Instant,
  whose?: 'companion',
) {
  const ahead = tx
    .select({ id: classes.id })
    .from(classes)
    .where(and(isInSlot(regular), isNull(classes.deletedAt), gt(classes.startsAt, now)))
  const paidByMember = tx.select({ id: passes.id }).from(passes).where(eq(passes.userId, regular.userId))
  const isTheirs = and(
    eq(bookings.status, 'confirmed'),
    or(
      whose ? undefined : eq(bookings.userId, regular.userId),
      and(eq(bookings.userId, regular.companionUserId ?? ''), inArray(bookings.passId, paidByMember)),
    ),
  )
  const mine = await tx
    .select({ classId: bookings.classId })
    .from(bookings)
    .where(and(isTheirs, inArray(bookings.classId, ahead)))
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
    .where(and(isTheirs, inArray(bookings.classId, ids)))
    .orderBy(bookings.id)
    .for('no key update')
  const ended = await cancelBookings(tx, rows, { causedBy, reason: 'The regular booking ended', now })
  for (const booking of ended.filter(({ userId }) => userId === regular.userId))
    await emailOther(tx, booking, defined(byId.get(booking.classId)))
  if (!whose)
    await tx.delete(waitingList).where(and(eq(waitingList.userId, regular.userId), inArray(waitingList.classId, ahead)))
  return ended
    .map((booking) => ({
      classId: booking.classId,
      userId: booking.userId,
      ...toMailedBooking(booking, defined(byId.get(booking.classId))),
    }))
    .sort((a, b) => a.startsAt.localeCompare(b.startsAt))
}

/** Whether the slot of a regular booking has anything left to book in 12 weeks, even if hidden by a closure. */
export async function hasDatesAhead(reader: Reader, regular: RegularRow, now: Temporal.Instant): Promise<boolean> {
  if (regular.from > lastRegularDate(now)) return true
  return (await findRegularDates(reader, { regularId: regular.id }, now)).length > 0
}
