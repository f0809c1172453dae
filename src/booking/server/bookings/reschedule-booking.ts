import type { User } from '#accounts/contract.ts'
import { findUser, recipient } from '#accounts/server/accounts.ts'
import { recordAdminChange } from '#audit/server/audit.ts'
import { refuse } from '#foundation/refusal.ts'
import { queueMail } from '#messages/server/messages.ts'
import { actingFor, type CausedBy } from '#passes/server/passes.ts'
import type { Tx } from '#platform/database/database.ts'
import { timetableRefusals } from '#timetable/contract.ts'
import { hasStarted } from '#timetable/rules.ts'
import { classesForUpdate } from '#timetable/server/timetable.ts'
import type { ClassRow } from '#timetable/tables.ts'
import { bookingRefusals } from '../../refusals.ts'
import { cancellationAt, isMovedByStudio } from '../../rules.ts'
import { WAYS_IN, type WayIn } from '../../rules-places.ts'
import type { BookingRow } from '../../tables.ts'
import { emailOther } from '../places/email-places.ts'
import { giveUpPlaces } from '../places/give-up-places.ts'
import { lockPassesForFreedPlaces } from '../places/place-locks.ts'
import {
  bookingForUpdate,
  describeClass,
  findBooking,
  toBooking,
  toClassFacts,
  toMailedBooking,
} from '../places/queries.ts'
import { takePlace } from '../places/take-places.ts'
import { offerFreedPlaces } from '../waiting/offer-freed-place.ts'

/** Moves a member's own booking to another class, as long as cancelling returns the credit. Returns the new booking. */
export async function rescheduleBooking(tx: Tx, member: User, id: number, classId: number, now: Temporal.Instant) {
  const own = (await findBooking(tx, id, member.id)) ?? refuse(bookingRefusals.booking_not_found)
  const locked = await lockClassesAndBooking(tx, own, classId)
  const { booking, from } = locked
  const outcome = cancellationAt(now, { startsAt: from.startsAt, isMoved: isMovedByStudio(booking) })
  if (outcome === 'too_late') refuse(bookingRefusals.too_late_to_cancel)
  if (outcome === 'forfeited') refuse(bookingRefusals.too_late_to_move)
  return await moveBooking(tx, member, locked, { causedBy: { by: 'member' }, way: WAYS_IN.member }, now)
}

/** Moves a booking for a member until its class starts, regardless of the 120 minutes and health information. */
export async function moveForMember(tx: Tx, admin: { id: string }, id: number, classId: number, now: Temporal.Instant) {
  const found = (await findBooking(tx, id)) ?? refuse(bookingRefusals.booking_not_found)
  const member = (await findUser(tx, found.userId)) ?? refuse(bookingRefusals.booking_not_found)
  const locked = await lockClassesAndBooking(tx, found, classId)
  const { from, to } = locked
  if (hasStarted(from.startsAt, now)) refuse(bookingRefusals.too_late_to_cancel)
  const cause = { causedBy: actingFor(member.id, admin), way: WAYS_IN.moved_at_desk }
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
  { causedBy, way }: { causedBy: CausedBy; way: WayIn },
  now: Temporal.Instant,
) {
  if (to.id === from.id) refuse(bookingRefusals.already_booked)
  // Locked before any credit moves: the pass that paid is not always the first by id.
  await lockPassesForFreedPlaces(tx, [from.id], member.id)
  const how = { causedBy, reason: `Moved to ${describeClass(to)}`, now }
  const [ended] = await giveUpPlaces(tx, [{ place: booking, studioClass: from }], 'moved', how)
  if (!ended || ended.outcome === 'no_pass') refuse(bookingRefusals.pass_ended)
  await emailOther(tx, ended.place, from)
  const wish = { studioClass: to, holder: member, insteadOf: ended.place }
  const moved = await takePlace(tx, wish, way, { causedBy, reason: `Moved from ${describeClass(from)}`, now })
  const ifCancelled = cancellationAt(now, { startsAt: to.startsAt, isMoved: false })
  const mailed = { class: toMailedBooking(moved, to), from: toClassFacts(from), ifCancelled }
  await queueMail(tx, 'booking-rescheduled', { to: recipient(member), ...mailed })
  await offerFreedPlaces(tx, [from.id], now)
  return toBooking({ booking: moved, class: to, user: member })
}
