import { and, eq, gt, gte, inArray, isNull } from 'drizzle-orm'
import { accountRefusals, type User } from '#accounts/contract.ts'
import { type BlockStatus, findUser, refuseBlocked } from '#accounts/server/accounts.ts'
import { recordAdminChange } from '#audit/server/audit.ts'
import { defined } from '#foundation/collections.ts'
import { refuse } from '#foundation/refusal.ts'
import { isHealthComplete } from '#health/server/health.ts'
import { actingFor, type CausedBy, lockPassesOf } from '#passes/server/passes.ts'
import { onlyRow, type Reader, type Tx, violates } from '#platform/database/database.ts'
import { studio } from '#studio.ts'
import { timetableRefusals } from '#timetable/contract.ts'
import { hasStarted } from '#timetable/rules.ts'
import { classesForUpdate, classForUpdate, findClass } from '#timetable/server/timetable.ts'
import { type ClassRow, classes } from '#timetable/tables.ts'
import type { CompanionForm } from '../../contract.ts'
import { type EndedRegularBooking, regularRefusals } from '../../contract-regular.ts'
import { bookingRefusals, companionRefusals } from '../../refusals.ts'
import { cancellationAt, nameOfCompanion } from '../../rules.ts'
import { payingPass, WAYS_IN } from '../../rules-places.ts'
import { lastRegularDate, weekdayOfDate } from '../../rules-regular.ts'
import { bookings, type InvitationRow, type RegularRow, regularBookings, regularDatesLeftOut } from '../../tables.ts'
import { cancelBooking } from '../bookings/cancel-booking.ts'
import { findCompanion } from '../companions/held-places.ts'
import { emailInvitation, holdPlace, insertInvitation, refuseTooMany } from '../companions/invite-companion.ts'
import { leaveDatesOut } from '../places/dates-left-out.ts'
import { emailOther, invitationOf } from '../places/email-places.ts'
import { giveUpPlaces } from '../places/give-up-places.ts'
import { type EndedPlace, type LockedPlace, lockedPlaces, lockPassesForFreedPlaces } from '../places/place-locks.ts'
import { toBooking, toMailedBooking } from '../places/queries.ts'
import { findStanding } from '../places/standings.ts'
import { offerFreedPlaces } from '../waiting/offer-freed-place.ts'
import { removeFromWaitingList } from '../waiting/waiting-queries.ts'
import { bookRegularDates, type OutcomeOfDate } from './book-regular-dates.ts'
import { datesIn, emailCompanionLeft, emailEnd, queueDatesMail, slotOf } from './regular-mails.ts'
import { findRegularDates, findRegulars, isInSlotOf, regularBookingsOf } from './regular-queries.ts'

/** What to book: with `companion`, they are invited to the first class; otherwise the one of that class comes along. */
type RegularRequest = { classId: number; withCompanion?: boolean | null; companion?: CompanionForm | null }

type Member = Pick<User, 'id' | 'email' | 'firstName' | 'lastName'> & BlockStatus

/**
 * Sets up a regular booking on the weekday and at the time of a class, and books that class and the later ones up to 12
 * weeks ahead. Refused with the first class's reason if a member could have none of the dates.
 */
export async function setRegularBooking(tx: Tx, member: Member, request: RegularRequest, now: Temporal.Instant) {
  if (!(await isHealthComplete(tx, member.id))) refuse(bookingRefusals.health_information_missing)
  const { made, first } = await makeRegularBooking(tx, member, request, { id: member.id }, now)
  const hasAny =
    made.booked.length > 0 || made.notBooked.some(({ code }) => code === 'full' || code === 'already_booked')
  if (!hasAny) {
    const paying = payingPass((await findStanding(tx, member.id, { now, classes: [first] })).passes, first.startsAt)
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
) {
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
) {
  const first = (await findClass(tx, request.classId))?.class ?? refuse(timetableRefusals.class_not_found)
  refuseBlocked(member)
  if (hasStarted(first.startsAt, now)) refuse(bookingRefusals.class_started)
  if (!first.isActive) refuse(bookingRefusals.class_inactive)
  const regular = await insertRegular(tx, member.id, first, now)
  const dates = await findRegularDates(tx, { regularId: regular.id }, now)
  if (!dates.some(({ class: studioClass }) => studioClass.date > first.date)) refuse(regularRefusals.class_not_weekly)
  await forgetLeftOut(tx, regular)
  await takeOver(tx, regular, now)
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
  const later = await bookRegularDates(tx, { regularId: regular.id }, WAYS_IN.regular_set_up, { causedBy, now })
  const outcomes = later.map((date) =>
    early && date.class.id === first.id ? { ...date, booking: early.booking, decision: early.decision } : date,
  )
  await queueDatesMail(tx, regular, { kind: 'set_up', ...datesIn(outcomes) })
  const shown = (await regularBookingsOf(tx, member.id, now)).find(({ id }) => id === regular.id)
  const made = {
    ...defined(shown),
    booked: outcomes.flatMap(({ booking, class: studioClass }) =>
      booking
        ? [
            toBooking({
              booking: { ...booking, userId: member.id, status: 'confirmed' },
              class: studioClass,
              user: member,
            }),
          ]
        : [],
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
  const how = { causedBy: actingFor(member.id, caller), now }
  const which = { regularId: regular.id, classIds: [first.id] }
  const [date] = await bookRegularDates(tx, which, WAYS_IN.regular_set_up, how)
  if (!date?.bookingId) {
    const paying = payingPass((await findStanding(tx, member.id, { now, classes: [first] })).passes, first.startsAt)
    if ('refusal' in paying) refuse(paying.refusal)
    refuse(
      date?.decision && 'code' in date.decision ? bookingRefusals.class_full : companionRefusals.companion_not_found,
    )
  }
  const [studioClass] = await classesForUpdate(tx, [first.id])
  const asked = { inviter: member, studioClass: defined(studioClass), every: slotOf(regular) }
  const booking = { id: date.bookingId }
  const invitation = companion
    ? await holdPlace(
        tx,
        { ...asked, booking, companion, isDesk: false, caller, regular: { id: regular.id, ...asked.every } },
        now,
      )
    : await askForEveryWeek(tx, { ...asked, booking }, now)
  await tx.update(regularBookings).set({ invitationId: invitation.id }).where(eq(regularBookings.id, regular.id))
  return date
}

/**
 * Asks the companion of a booking whether they come along every week. One who has not answered the invitation to that
 * class yet is asked with it.
 */
async function askForEveryWeek(
  tx: Tx,
  asked: {
    inviter: Member
    booking: { id: number }
    studioClass: ClassRow
    every: { day: string; startTime: string }
  },
  now: Temporal.Instant,
): Promise<InvitationRow> {
  const place = (await findCompanion(tx, asked.booking.id)) ?? refuse(companionRefusals.companion_not_found)
  const before = await invitationOf(tx, place)
  if (place.status === 'held' && before) return before
  const person = (place.userId && (await findUser(tx, place.userId))) || refuse(companionRefusals.companion_not_found)
  const named = { ...(before ?? { firstName: nameOfCompanion(null), lastName: '' }), email: person.email ?? '' }
  await refuseTooMany(tx, asked.inviter, named.email, now)
  const openUntil = now.add({ hours: studio.policies.companions.holdHours })
  const invitation = await insertInvitation(tx, asked.inviter, named, { openUntil, now })
  await tx.update(bookings).set({ invitationId: invitation.id }).where(eq(bookings.id, place.id))
  await emailInvitation(tx, invitation, { ...asked, isBooked: true })
  return invitation
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

/** Places that a former regular booking of this slot made belong to this one. */
async function takeOver(tx: Tx, regular: RegularRow, now: Temporal.Instant): Promise<void> {
  const ahead = tx
    .select({ id: classes.id })
    .from(classes)
    .where(and(isInSlotOf(regular), gte(classes.date, regular.from), gt(classes.startsAt, now)))
  const isFormer = and(eq(bookings.origin, 'regular'), isNull(bookings.regularBookingId))
  const isTheirs = and(eq(bookings.payerId, regular.userId), eq(bookings.status, 'confirmed'))
  await tx
    .update(bookings)
    .set({ regularBookingId: regular.id })
    .where(and(isFormer, isTheirs, inArray(bookings.classId, ahead)))
}

/** Setting it up again books dates that were left out of a former one. */
async function forgetLeftOut(tx: Tx, regular: RegularRow): Promise<void> {
  const inSlot = tx.select({ id: classes.id }).from(classes).where(isInSlotOf(regular))
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
) {
  const regular = await findRegular(tx, id, member.id)
  await classForUpdate(tx, classId)
  const [date] = await findRegularDates(tx, { regularId: regular.id, classIds: [classId] }, now)
  const bookingId = regular.userId === member.id ? date?.bookingId : date?.companionBookingId
  if (bookingId === undefined) refuse(regularRefusals.not_in_regular_booking)
  const cancelled = bookingId === null ? null : await cancelBooking(tx, member, bookingId, now)
  await removeFromWaitingList(tx, member.id, classId)
  await leaveDatesOut(tx, [{ userId: member.id, classId }])
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
  const how = { cancelsBookings, causedBy: { by: 'member' as const }, now }
  return await (regular.userId === member.id ? endRegular(tx, regular, how) : leaveRegular(tx, regular, how))
}

/** Ends the regular booking of a member, who is emailed. */
export async function endRegularBookingFor(
  tx: Tx,
  admin: { id: string },
  { id, cancelsBookings }: { id: number; cancelsBookings: boolean },
  now: Temporal.Instant,
): Promise<EndedRegularBooking> {
  const regular = await findRegular(tx, id)
  const ended = await endRegular(tx, regular, { cancelsBookings, causedBy: { by: 'admin', id: admin.id }, now })
  const count = ended.cancelledBookingIds.length
  const changes = {
    class: { before: slotName(slotOf(regular)) },
    ...(count > 0 && { bookingsCancelled: { after: count } }),
  }
  const subject = { kind: 'user' as const, id: regular.userId }
  await recordAdminChange(tx, admin, { action: 'regular_ended', subject, changes }, now)
  return ended
}

type HowToEnd = { cancelsBookings: boolean; causedBy: CausedBy; now: Temporal.Instant }

/**
 * Ends a regular booking with its entries of waiting lists. The bookings that it made or took over stay, or those in
 * time are cancelled with their credits back, the companion's too; both are emailed what was cancelled, and what was
 * booked at night and stays.
 */
async function endRegular(tx: Tx, regular: RegularRow, how: HowToEnd): Promise<EndedRegularBooking> {
  const all = how.cancelsBookings ? await cancelMade(tx, regular, how) : []
  const isByAdmin = how.causedBy.by === 'admin'
  const mailedOf = (isMine: boolean) => mailed(all.filter(({ place }) => (place.userId === regular.userId) === isMine))
  const because = isByAdmin ? 'studio' : 'member'
  await emailEnd(tx, regular, 'member', { because, cancelled: mailedOf(true), isKnown: !isByAdmin, now: how.now })
  await emailEnd(tx, regular, 'companion', { because: 'member', cancelled: mailedOf(false), now: how.now })
  const ended = await tx.delete(regularBookings).where(eq(regularBookings.id, regular.id)).returning()
  if (ended.length === 0) refuse(regularRefusals.regular_booking_not_found)
  // A restored backup must not book again.
  await tx.enqueue('update-journal', {})
  return await offerPlacesOf(tx, all, how.now)
}

/** Ends a companion's part of a regular booking, of which the member is emailed. */
async function leaveRegular(tx: Tx, regular: RegularRow, how: HowToEnd): Promise<EndedRegularBooking> {
  const ended = how.cancelsBookings ? await cancelMade(tx, regular, { ...how, ofUser: regular.companionUserId }) : []
  await emailCompanionLeft(tx, regular, mailed(ended))
  await emailEnd(tx, regular, 'companion', { because: 'member', cancelled: mailed(ended), isKnown: true, now: how.now })
  await tx.update(regularBookings).set({ companionUserId: null }).where(eq(regularBookings.id, regular.id))
  return await offerPlacesOf(tx, ended, how.now)
}

const mailed = (ended: readonly LockedPlace[]) =>
  ended
    .map(({ place, studioClass }) => toMailedBooking(place, studioClass))
    .sort((a, b) => a.startsAt.localeCompare(b.startsAt))

async function offerPlacesOf(
  tx: Tx,
  cancelled: readonly LockedPlace[],
  now: Temporal.Instant,
): Promise<EndedRegularBooking> {
  await offerFreedPlaces(tx, [...new Set(cancelled.map(({ place }) => place.classId))], now)
  return { message: 'Regular booking ended', cancelledBookingIds: cancelled.map(({ place }) => place.id) }
}

/**
 * Cancels what a regular booking made or took over, as far as the credits come back: the dates that its dialog lists,
 * without classes that have left the slot. @param ofUser only theirs
 */
async function cancelMade(
  tx: Tx,
  regular: RegularRow,
  { causedBy, now, ofUser }: HowToEnd & { ofUser?: string | null },
): Promise<EndedPlace[]> {
  const isMade = and(
    eq(bookings.regularBookingId, regular.id),
    eq(bookings.status, 'confirmed'),
    inArray(bookings.classId, tx.select({ id: classes.id }).from(classes).where(isInSlotOf(regular))),
    ofUser ? eq(bookings.userId, ofUser) : undefined,
  )
  const made = await tx.select({ classId: bookings.classId }).from(bookings).where(isMade)
  const classIds = [...new Set(made.map(({ classId }) => classId))]
  await classesForUpdate(tx, classIds)
  await lockPassesForFreedPlaces(tx, classIds, regular.userId)
  const inTime = (await lockedPlaces(tx, isMade)).filter(
    ({ studioClass: { startsAt } }) => cancellationAt(now, { startsAt, isMoved: false }) === 'credit_returned',
  )
  const how = { causedBy, reason: 'The regular booking ended', now }
  const ended = await giveUpPlaces(tx, inTime, 'regular_ended', how)
  const together = new Set(ended.map(({ place }) => place.id))
  for (const { place, studioClass } of ended.filter(({ place }) => place.userId === regular.userId))
    await emailOther(tx, place, studioClass, { together })
  return ended
}

/** Whether the slot of a regular booking has anything left to book in 12 weeks, even if hidden by a closure. */
export async function hasDatesAhead(reader: Reader, regular: RegularRow, now: Temporal.Instant): Promise<boolean> {
  if (regular.from > lastRegularDate(now)) return true
  return (await findRegularDates(reader, { regularId: regular.id }, now)).length > 0
}
