import { inArray } from 'drizzle-orm'
import type { User } from '../../accounts/contract.ts'
import { findUser, recipient } from '../../accounts/server/accounts.ts'
import { AUDITED } from '../../audit/contract.ts'
import { differences, recordAdminChange } from '../../audit/server/audit.ts'
import { refuse } from '../../foundation/refusal.ts'
import { queueMail } from '../../messages/server/messages.ts'
import { actingFor, type Cause, type CausedBy, forfeitCredit, returnCredits } from '../../passes/server/passes.ts'
import type { Tx } from '../../platform/database/database.ts'
import { onlyRow } from '../../platform/database/only-row.ts'
import { classForUpdateOnRecord } from '../../timetable/server/timetable.ts'
import type { ClassRow } from '../../timetable/tables.ts'
import type { Booking } from '../contract.ts'
import { bookingRefusals } from '../refusals.ts'
import { type Cancellable, cancellationAt, graceUntil } from '../rules.ts'
import { type BookingRow, bookings } from '../tables.ts'
import { lockPassesAround, offerFreedPlaces } from './offer-freed-place.ts'
import { bookingForUpdate, findBooking, ownBooking, toBooking, toMailedBooking } from './queries.ts'

/**
 * Gives a member's own place back. More than 120 minutes before the start, or where the studio has moved the class, the
 * credit returns to the pass that paid; later the place is freed and the credit forfeited; from the start on it is refused.
 * Whoever waits for the class is offered the place.
 */
export async function cancelBooking(tx: Tx, member: User, id: number, now: Temporal.Instant): Promise<Booking> {
  const own = (await ownBooking(tx, member.id, id)) ?? refuse(bookingRefusals.booking_not_found)
  return await giveBack(tx, member, await lockBooking(tx, own), { causedBy: { by: 'member' } }, now)
}

/**
 * Gives a member's place back for them: they rang up. The credit follows the same rules unless the admin decides
 * otherwise, either way; the member is mailed what became of it.
 */
export async function cancelForMember(
  tx: Tx,
  admin: { id: string },
  id: number,
  options: { returnCredit?: boolean | null },
  now: Temporal.Instant,
): Promise<Booking> {
  const found = (await findBooking(tx, id)) ?? refuse(bookingRefusals.booking_not_found)
  const member = (await findUser(tx, found.userId)) ?? refuse(bookingRefusals.booking_not_found)
  const locked = await lockBooking(tx, found)
  const causedBy = actingFor(member.id, admin)
  const cancelled = await giveBack(tx, member, locked, { ...options, causedBy }, now)
  const changes = differences(AUDITED.booking, stateOf(locked.booking), stateOf(cancelled))
  const change = { action: 'booking_cancelled_for', subject: { kind: 'booking', id }, changes } as const
  await recordAdminChange(tx, admin, change, now)
  return cancelled
}

/** What the record says of a booking. */
export const stateOf = ({ status, paymentStatus }: Pick<BookingRow, 'status' | 'paymentStatus'>) => ({
  status,
  paymentStatus,
})

/** Why the credit did not go the way of the rules. */
const OTHERWISE = {
  credit_returned: 'Returned by the studio, although it was late',
  forfeited: 'The studio decided that the credit is not returned',
}

type Holder = Pick<User, 'email' | 'firstName' | 'lastName'>

async function giveBack(
  tx: Tx,
  member: Holder,
  { booking, studioClass }: { booking: BookingRow; studioClass: ClassRow },
  { returnCredit: wanted, causedBy }: { returnCredit?: boolean | null; causedBy: CausedBy },
  now: Temporal.Instant,
): Promise<Booking> {
  if (booking.status !== 'confirmed') refuse(bookingRefusals.booking_not_confirmed)
  const isMoved = booking.movedAt !== null
  const rule = cancellationAt(now, { startsAt: studioClass.startsAt, isMoved })
  if (rule === 'too_late') refuse(bookingRefusals.class_already_started)
  const outcome = wanted == null ? rule : wanted ? 'credit_returned' : 'forfeited'
  await lockPassesAround(tx, [studioClass.id], booking.userId)
  const cancelled = onlyRow(await markCancelled(tx, [booking.id], outcome, now))
  const why = reasonFor(outcome, now, { startsAt: studioClass.startsAt, isMoved })
  const reason = why === 'decided' ? OTHERWISE[outcome] : why === 'moved' ? 'The studio had moved the class' : undefined
  const cause = { causedBy, reason, now }
  if (outcome === 'credit_returned') await returnCreditOf(tx, booking, cause)
  else await forfeitCredit(tx, booking.passId, { ...cause, bookingId: booking.id })
  await queueMail(tx, 'booking-cancelled', {
    to: recipient(member),
    class: toMailedBooking(cancelled, studioClass),
    outcome,
    reason: why,
  })
  await offerFreedPlaces(tx, [studioClass.id], now)
  return toBooking({ booking: cancelled, class: studioClass, user: member })
}

/** Why a cancellation ends as it does, as its mail says it. */
function reasonFor(outcome: 'credit_returned' | 'forfeited', now: Temporal.Instant, studioClass: Cancellable) {
  if (cancellationAt(now, studioClass) !== outcome) return 'decided'
  if (outcome === 'forfeited') return 'late'
  return cancellationAt(now, { ...studioClass, isMoved: false }) === outcome ? 'in_time' : 'moved'
}

/** Gives a booking's credit back. Where the studio has moved the class, its pass may end too soon to be used: it gets 14 days. */
export async function returnCreditOf(tx: Tx, booking: BookingRow, cause: Cause): Promise<void> {
  const grace = booking.movedAt ? { validUntil: graceUntil(cause.now) } : {}
  await returnCredits(tx, [booking], { ...cause, ...grace })
}

/** Writes that bookings are cancelled and what became of their credits; the places are free from then on. */
export async function markCancelled(
  tx: Tx,
  ids: number[],
  outcome: 'credit_returned' | 'forfeited',
  now: Temporal.Instant,
): Promise<BookingRow[]> {
  const paymentStatus = outcome === 'credit_returned' ? 'refunded' : 'forfeited'
  return await tx
    .update(bookings)
    .set({ status: 'cancelled', paymentStatus, cancelledAt: now })
    .where(inArray(bookings.id, ids))
    .returning()
}

/** Locks the class before its booking, in the order in which booking does, so that neither waits for the other in a ring. */
export async function lockBooking(tx: Tx, found: BookingRow): Promise<{ booking: BookingRow; studioClass: ClassRow }> {
  const studioClass = await classForUpdateOnRecord(tx, found.classId)
  const booking = await bookingForUpdate(tx, found.id)
  if (!studioClass || !booking) refuse(bookingRefusals.booking_not_found)
  return { booking, studioClass }
}
