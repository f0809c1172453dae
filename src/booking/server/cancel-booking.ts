import { eq } from 'drizzle-orm'
import type { User } from '../../accounts/contract.ts'
import { recipient } from '../../accounts/server/accounts.ts'
import { refuse } from '../../foundation/refusal.ts'
import { queueMail } from '../../messages/server/messages.ts'
import { returnCredit } from '../../passes/server/passes.ts'
import type { Tx } from '../../server/database/database.ts'
import { classForUpdateOnRecord } from '../../timetable/server/timetable.ts'
import type { ClassRow } from '../../timetable/tables.ts'
import { type Booking, bookingRefusals } from '../contract.ts'
import { cancellationAt } from '../rules.ts'
import { type BookingRow, bookings } from '../tables.ts'
import { lockPassesAround, offerFreedPlace } from './offer-freed-place.ts'
import { bookingForUpdate, ownBooking, toBooking, toMailedBooking } from './queries.ts'

/**
 * Gives a member's own place back. More than 120 minutes before the start the credit returns to the pass that
 * paid; later the place is freed and the credit forfeited; from the start on it is refused. Whoever waits for the class
 * is offered the place.
 */
export async function cancelBooking(tx: Tx, member: User, id: number, now: Temporal.Instant): Promise<Booking> {
  const { booking, booked } = await lockOwnBooking(tx, member, id)
  if (booking.status !== 'confirmed') refuse(bookingRefusals.booking_not_confirmed)
  const outcome = cancellationAt(now, booked.startsAt)
  if (outcome === 'too_late') refuse(bookingRefusals.class_already_started)
  await lockPassesAround(tx, [booked.id], member.id)
  const cancelled = await markCancelled(tx, booking.id, outcome, now)
  if (outcome === 'credit_returned') await returnCredit(tx, booking.passId, { bookingId: booking.id, now })
  await queueMail(tx, 'booking-cancelled', {
    to: recipient(member),
    class: toMailedBooking(booking.id, booked),
    outcome,
  })
  await offerFreedPlace(tx, booked.id, now)
  return toBooking({ booking: cancelled, class: booked, user: member })
}

/** Writes that a booking is cancelled and what became of its credit; the place is free from then on. */
export async function markCancelled(
  tx: Tx,
  id: number,
  outcome: 'credit_returned' | 'forfeited',
  now: Temporal.Instant,
): Promise<BookingRow> {
  const paymentStatus = outcome === 'credit_returned' ? 'refunded' : 'forfeited'
  const [row] = await tx
    .update(bookings)
    .set({ status: 'cancelled', paymentStatus, cancelledAt: now })
    .where(eq(bookings.id, id))
    .returning()
  return row as BookingRow
}

/** Locks the class before its booking, in the order in which booking does, so that neither waits for the other in a ring. */
async function lockOwnBooking(tx: Tx, member: User, id: number): Promise<{ booking: BookingRow; booked: ClassRow }> {
  const own = (await ownBooking(tx, member.id, id)) ?? refuse(bookingRefusals.booking_not_found)
  const booked = await classForUpdateOnRecord(tx, own.classId)
  const booking = await bookingForUpdate(tx, id)
  if (!booked || !booking) refuse(bookingRefusals.booking_not_found)
  return { booking, booked }
}
