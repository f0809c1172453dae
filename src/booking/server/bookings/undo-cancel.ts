import type { User } from '#accounts/contract.ts'
import { findUser, refuseBlocked } from '#accounts/server/accounts.ts'
import { refuse } from '#foundation/refusal.ts'
import { isPausedOn } from '#passes/rules.ts'
import { passesForUpdate, undoExtension } from '#passes/server/passes.ts'
import { type Database, inOwnTransactions, type Tx } from '#platform/database/database.ts'
import { hasStarted, isFull } from '#timetable/rules.ts'
import { reservePlaces } from '#timetable/server/timetable.ts'
import { bookingRefusals, undoRefusals } from '../../refusals.ts'
import { graceUntil, hasEnded, ownUndoUntil } from '../../rules.ts'
import { bringDatesBack } from '../places/dates-left-out.ts'
import { emailCancelled, payerOf } from '../places/email-places.ts'
import { endHoldsBroughtBy } from '../places/give-up-places.ts'
import { findOwnCancellations, ownUndoCutoff, takeOwnCancellation } from '../places/own-cancellations.ts'
import { lockPassesForFreedPlaces } from '../places/place-locks.ts'
import { bookingWithCompanion, findBooking, hasPlace } from '../places/queries.ts'
import { takePlacesAgain } from '../places/take-places.ts'
import { offerFreedPlaces } from '../waiting/offer-freed-place.ts'
import { removeFromWaitingList } from '../waiting/waiting-queries.ts'
import { lockBooking } from './cancel-booking.ts'

/**
 * Brings back a booking that its member cancelled within the last 12 seconds: the same booking, pass and calendar
 * entry, and nobody is emailed. A late cancellation takes its forfeited credit again. Refused if the class has started
 * or was changed, or if the place or the credit is gone.
 */
export async function undoCancel(tx: Tx, member: User, id: number, now: Temporal.Instant) {
  const found = (await findBooking(tx, id)) ?? refuse(bookingRefusals.booking_not_found)
  const isOwn = found.userId === member.id
  if (!isOwn && found.payerId !== member.id) refuse(bookingRefusals.booking_not_found)
  const { booking, studioClass } = await lockBooking(tx, found)
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
  const held = made.isPlaceReserved ? Math.max(0, studioClass.reservedPlaces - 1) : studioClass.reservedPlaces
  if (isFull({ ...studioClass, reservedPlaces: held })) refuse(bookingRefusals.undo_place_taken)

  const payer = await payerOf(tx, booking)
  const pass = payer && (await passesForUpdate(tx, payer.id)).find((row) => row.id === booking.passId)
  if (!pass) refuse(bookingRefusals.undo_credit_gone)
  const isCreditKept = booking.paymentStatus === 'forfeited'
  // A pass that had ended before keeps its booking; one that has ended since cannot pay again.
  if (hasEnded(pass) && made.outcome !== 'no_pass') refuse(bookingRefusals.undo_credit_gone)
  if (!isCreditKept && pass.creditsRemaining === 0) refuse(bookingRefusals.undo_credit_gone)
  if (isPausedOn(pass, studioClass.date)) refuse(bookingRefusals.undo_credit_gone)

  await reservePlaces(tx, [studioClass.id], held)
  const cause = { causedBy: { by: 'member' as const }, reason: 'The cancellation was undone', now }
  await takePlacesAgain(tx, [booking], new Set(isCreditKept ? [pass.id] : []), cause)
  if (made.passExpiresAt) {
    const before = { id: pass.id, expiresAt: made.passExpiresAt.toString() }
    await undoExtension(tx, [before], graceUntil(made.cancelledAt))
  }
  await removeFromWaitingList(tx, booking.userId, studioClass.id)
  await bringDatesBack(tx, booking.userId, [studioClass.id])
  // A payer sees their own booking, and nothing of the companion's account.
  return await bookingWithCompanion(tx, isOwn ? id : (booking.broughtBy ?? id))
}

/**
 * Makes members' cancellations final that can no longer be undone: each member is emailed and the waiting list is
 * offered the place. Running twice does no harm.
 *
 * @param madeUntil for tests: end those made at or before this
 */
export async function endUndo(database: Database, now: Temporal.Instant, madeUntil = ownUndoCutoff(now)) {
  const ids = await findOwnCancellations(database.db, madeUntil)
  await inOwnTransactions(database, ids, (tx, id) => endUndoOf(tx, id, now))
}

async function endUndoOf(tx: Tx, id: number, now: Temporal.Instant): Promise<void> {
  const found = await findBooking(tx, id)
  // Erased in the meantime.
  if (!found) return
  const { booking: place, studioClass } = await lockBooking(tx, found)
  await lockPassesForFreedPlaces(tx, [studioClass.id])
  const made = await takeOwnCancellation(tx, id)
  if (!made) return
  await emailCancelled(tx, { place, studioClass, ...made }, made)
  // A place that the member still held for a companion ends with the booking.
  await endHoldsBroughtBy(tx, [id], { causedBy: { by: 'system' }, now })
  if (made.isPlaceReserved && studioClass.updatedAt.equals(made.classUpdatedAt))
    await reservePlaces(tx, [studioClass.id], Math.max(0, studioClass.reservedPlaces - 1))
  await offerFreedPlaces(tx, [studioClass.id], now)
}
