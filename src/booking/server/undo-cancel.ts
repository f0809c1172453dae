import { eq, sql } from 'drizzle-orm'
import type { User } from '#accounts/contract.ts'
import { findUser, recipient, refuseBlocked } from '#accounts/server/accounts.ts'
import { refuse } from '#foundation/refusal.ts'
import { queueMail } from '#messages/server/messages.ts'
import { isPausedOn } from '#passes/rules.ts'
import { passesForUpdate, spendCreditsAgain, undoExtension } from '#passes/server/passes.ts'
import { type Database, onlyRow, type Tx } from '#platform/database/database.ts'
import { hasStarted, isFull } from '#timetable/rules.ts'
import { holdPlaces } from '#timetable/server/timetable.ts'
import type { Booking } from '../contract.ts'
import { bookingRefusals, undoRefusals } from '../refusals.ts'
import { graceUntil, hasEnded, ownUndoUntil } from '../rules.ts'
import { bookings } from '../tables.ts'
import { lockBooking } from './cancel-booking.ts'
import { lockPassesForFreedPlaces, offerFreedPlaces } from './offer-freed-place.ts'
import { emailOther, payerOf } from './other-place.ts'
import { findOwnCancellations, ownUndoCutoff, takeOwnCancellation } from './own-cancellations.ts'
import { bookingWithCompanion, findBooking, hasPlace, toMailedBooking } from './queries.ts'
import { bringDatesBack } from './regular/regular-queries.ts'
import { removeFromWaitingList } from './waiting-queries.ts'

/**
 * Brings back a booking that its member cancelled within the last 12 seconds: the same booking, pass and calendar
 * entry, and nobody is emailed. A late cancellation takes its forfeited credit again. Refused if the class has started
 * or was changed, or if the place or the credit is gone.
 */
export async function undoCancel(tx: Tx, member: User, id: number, now: Temporal.Instant): Promise<Booking> {
  const own = (await findBooking(tx, id)) ?? refuse(bookingRefusals.booking_not_found)
  const payer = await payerOf(tx, own)
  const isOwn = own.userId === member.id
  if (!isOwn && payer?.id !== member.id) refuse(bookingRefusals.booking_not_found)
  const { booking, studioClass } = await lockBooking(tx, own)
  if (booking.status !== 'cancelled') refuse(bookingRefusals.booking_not_cancelled)
  const made = (await takeOwnCancellation(tx, id)) ?? refuse(undoRefusals.undo_expired)
  if (Temporal.Instant.compare(now, ownUndoUntil(made.cancelledAt)) >= 0) refuse(undoRefusals.undo_expired)
  // Of two people, only the one who cancelled can undo it.
  if (made.isByPayer === isOwn) refuse(bookingRefusals.booking_not_found)
  // The session's member may have been blocked since.
  refuseBlocked((await findUser(tx, member.id)) ?? refuse(bookingRefusals.booking_not_found))
  if (!studioClass.updatedAt.equals(made.classUpdatedAt)) refuse(bookingRefusals.undo_class_changed)
  if (hasStarted(studioClass.startsAt, now)) refuse(bookingRefusals.class_started)
  if (await hasPlace(tx, booking.userId, studioClass.id)) refuse(bookingRefusals.already_booked)
  const held = made.isPlaceHeld ? Math.max(0, studioClass.heldPlaces - 1) : studioClass.heldPlaces
  if (isFull({ ...studioClass, heldPlaces: held })) refuse(bookingRefusals.undo_place_taken)

  const pass = (await passesForUpdate(tx, payer?.id ?? member.id)).find((row) => row.id === booking.passId)
  if (!pass) refuse(bookingRefusals.undo_credit_gone)
  const isCreditKept = booking.paymentStatus === 'forfeited'
  // A pass that had ended before keeps its booking; one that has ended since cannot pay again.
  if (hasEnded(pass) && made.outcome !== 'no_pass') refuse(bookingRefusals.undo_credit_gone)
  if (!isCreditKept && pass.creditsRemaining === 0) refuse(bookingRefusals.undo_credit_gone)
  if (isPausedOn(pass, studioClass.date)) refuse(bookingRefusals.undo_credit_gone)

  await holdPlaces(tx, [studioClass.id], held)
  const restored = await tx
    .update(bookings)
    .set({
      status: 'confirmed',
      paymentStatus: 'paid',
      cancelledAt: null,
      reinstatements: sql`${bookings.reinstatements} + 1`,
    })
    .where(eq(bookings.id, id))
    .returning()
    .then(onlyRow)
  const cause = { causedBy: { by: 'member' as const }, reason: 'The cancellation was undone', now }
  await spendCreditsAgain(tx, [restored], new Set(isCreditKept ? [pass.id] : []), cause)
  const before = { id: pass.id, expiresAt: made.passExpiresAt.toString() }
  await undoExtension(tx, [before], graceUntil(made.cancelledAt))
  await removeFromWaitingList(tx, booking.userId, studioClass.id)
  await bringDatesBack(tx, booking.userId, [studioClass.id])
  return await bookingWithCompanion(tx, id)
}

/**
 * Makes members' cancellations final that can no longer be undone: each member is emailed and the waiting list is
 * offered the place. Running twice does no harm.
 *
 * @param madeUntil for tests: end those made at or before this
 */
export async function endUndo(
  database: Database,
  now: Temporal.Instant,
  madeUntil = ownUndoCutoff(now),
): Promise<void> {
  for (const id of await findOwnCancellations(database.db, madeUntil)) {
    await database.transaction((tx) => endUndoOf(tx, id, now))
  }
}

async function endUndoOf(tx: Tx, id: number, now: Temporal.Instant): Promise<void> {
  const found = await findBooking(tx, id)
  // Erased in the meantime.
  if (!found) return
  const { booking, studioClass } = await lockBooking(tx, found)
  await lockPassesForFreedPlaces(tx, [studioClass.id])
  const made = await takeOwnCancellation(tx, id)
  const member = await findUser(tx, booking.userId)
  if (!made || !member) return
  const mailed = toMailedBooking(booking, studioClass)
  const { outcome, reason } = made
  const payer = await payerOf(tx, booking)
  const paidBy = payer && { paidBy: payer.firstName, isByPayer: made.isByPayer }
  await queueMail(tx, 'booking-cancelled', { to: recipient(member), class: mailed, outcome, reason, ...paidBy })
  await emailOther(tx, booking, studioClass)
  // A place that the member still held for a companion ends with the booking.
  await tx.enqueue('end-holds', {})
  if (made.isPlaceHeld && studioClass.updatedAt.equals(made.classUpdatedAt))
    await holdPlaces(tx, [studioClass.id], Math.max(0, studioClass.heldPlaces - 1))
  await offerFreedPlaces(tx, [studioClass.id], now)
}
