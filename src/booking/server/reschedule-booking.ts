import type { User } from '#accounts/contract.ts'
import { type BlockStatus, findUser, recipient, refuseBlocked } from '#accounts/server/accounts.ts'
import { recordAdminChange } from '#audit/server/audit.ts'
import { refuse } from '#foundation/refusal.ts'
import { queueMail } from '#messages/server/messages.ts'
import { actingFor, type CausedBy } from '#passes/server/passes.ts'
import { onlyRow, type Tx } from '#platform/database/database.ts'
import { timetableRefusals } from '#timetable/contract.ts'
import { hasStarted } from '#timetable/rules.ts'
import { classesForUpdate } from '#timetable/server/timetable.ts'
import type { ClassRow } from '#timetable/tables.ts'
import type { Booking } from '../contract.ts'
import { bookingRefusals } from '../refusals.ts'
import { cancellationAt } from '../rules.ts'
import type { BookingRow } from '../tables.ts'
import { type BookingRequirements, bookPlace, SELF_SERVICE } from './book-class.ts'
import { findEndedPassIds, markCancelled, returnCreditOfBooking } from './cancel-booking.ts'
import { lockPassesForFreedPlaces, offerFreedPlaces } from './offer-freed-place.ts'
import { emailOther } from './other-place.ts'
import { bookingForUpdate, describeClass, findBooking, toClassFacts } from './queries.ts'
import { leaveDatesOut } from './regular/regular-queries.ts'

/** Moves a member's own booking to another class, as long as cancelling returns the credit. Returns the new booking. */
export async function rescheduleBooking(
  tx: Tx,
  member: User & BlockStatus,
  id: number,
  classId: number,
  now: Temporal.Instant,
): Promise<Booking> {
  const own = (await findBooking(tx, id, member.id)) ?? refuse(bookingRefusals.booking_not_found)
  const locked = await lockClassesAndBooking(tx, own, classId)
  refuseBlocked(member)
  const { booking, from } = locked
  const outcome = cancellationAt(now, { startsAt: from.startsAt, isMoved: booking.movedAt !== null })
  if (outcome === 'too_late') refuse(bookingRefusals.too_late_to_cancel)
  if (outcome === 'forfeited') refuse(bookingRefusals.too_late_to_move)
  return await moveBooking(tx, member, locked, { causedBy: { by: 'member' }, requirements: SELF_SERVICE }, now)
}

/** Moves a booking for a member until its class starts, regardless of the 120 minutes and health information. */
export async function moveForMember(
  tx: Tx,
  admin: { id: string },
  id: number,
  classId: number,
  now: Temporal.Instant,
): Promise<Booking> {
  const found = (await findBooking(tx, id)) ?? refuse(bookingRefusals.booking_not_found)
  const member = (await findUser(tx, found.userId)) ?? refuse(bookingRefusals.booking_not_found)
  const locked = await lockClassesAndBooking(tx, found, classId)
  refuseBlocked(member)
  const { from, to } = locked
  if (hasStarted(from.startsAt, now)) refuse(bookingRefusals.too_late_to_cancel)
  const cause = { causedBy: actingFor(member.id, admin), requirements: { until: 'start', health: false } as const }
  const moved = await moveBooking(tx, member, locked, cause, now)
  const changes = { class: { before: describeClass(from), after: describeClass(to) } }
  const subject = { kind: 'booking' as const, id: moved.id }
  await recordAdminChange(tx, admin, { action: 'moved_for', subject, changes }, now)
  return moved
}

type Locked = { booking: BookingRow; from: ClassRow; to: ClassRow }

async function lockClassesAndBooking(tx: Tx, found: BookingRow, classId: number): Promise<Locked> {
  const locked = await classesForUpdate(tx, [found.classId, classId])
  const from = locked.find((row) => row.id === found.classId)
  const to = locked.find((row) => row.id === classId && !row.deletedAt) ?? refuse(timetableRefusals.class_not_found)
  const booking = await bookingForUpdate(tx, found.id)
  if (!from || !booking) refuse(bookingRefusals.booking_not_found)
  if (booking.status !== 'confirmed') refuse(bookingRefusals.booking_not_confirmed)
  return { booking, from, to }
}

async function moveBooking(
  tx: Tx,
  member: Pick<User, 'id' | 'email' | 'firstName' | 'lastName'>,
  { booking, from, to }: Locked,
  { causedBy, requirements }: { causedBy: CausedBy; requirements: BookingRequirements },
  now: Temporal.Instant,
): Promise<Booking> {
  if (to.id === from.id) refuse(bookingRefusals.already_booked)
  // Locked before any credit moves: the pass that paid is not always the first by id.
  await lockPassesForFreedPlaces(tx, [from.id], member.id)
  if ((await findEndedPassIds(tx, [booking])).size > 0) refuse(bookingRefusals.pass_ended)
  const cancelled = onlyRow(await markCancelled(tx, [booking.id], 'credit_returned', now))
  await returnCreditOfBooking(tx, booking, { causedBy, reason: `Moved to ${describeClass(to)}`, now })
  await leaveDatesOut(tx, member.id, [from.id])
  await emailOther(tx, cancelled, from)
  await tx.enqueue('end-holds', {})
  const before = toClassFacts(from)
  const ifCancelled = cancellationAt(now, { startsAt: to.startsAt, isMoved: false })
  const moved = await bookPlace(
    tx,
    member,
    to,
    {
      usePass: true,
      requirements,
      causedBy,
      reason: `Moved from ${describeClass(from)}`,
      insteadOf: cancelled,
      notify: (mailed) =>
        queueMail(tx, 'booking-rescheduled', { to: recipient(member), class: mailed, from: before, ifCancelled }),
    },
    now,
  )
  await offerFreedPlaces(tx, [from.id], now)
  return moved
}
