import type { User } from '../../accounts/contract.ts'
import { recipient } from '../../accounts/server/accounts.ts'
import { refuse } from '../../foundation/refusal.ts'
import { queueMail } from '../../messages/server/messages.ts'
import type { Tx } from '../../platform/database/database.ts'
import { onlyRow } from '../../platform/database/only-row.ts'
import { timetableRefusals } from '../../timetable/contract.ts'
import { classesForUpdate } from '../../timetable/server/timetable.ts'
import type { Booking } from '../contract.ts'
import { bookingRefusals } from '../refusals.ts'
import { cancellationAt } from '../rules.ts'
import { takePlace } from './book-class.ts'
import { markCancelled, returnCreditOf } from './cancel-booking.ts'
import { lockPassesAround, offerFreedPlaces } from './offer-freed-place.ts'
import { bookingForUpdate, ownBooking, toClassFacts, wordsOf } from './queries.ts'

/**
 * Moves a member's own place to another class: the old place is given back and the new one taken in one
 * transaction, so a refusal leaves the old booking as it was. Possible as long as cancelling returns the credit.
 *
 * @returns the new booking
 */
export async function rescheduleBooking(
  tx: Tx,
  member: User,
  id: number,
  classId: number,
  now: Temporal.Instant,
): Promise<Booking> {
  const own = (await ownBooking(tx, member.id, id)) ?? refuse(bookingRefusals.booking_not_found)
  const locked = await classesForUpdate(tx, [own.classId, classId])
  const from = locked.find((row) => row.id === own.classId)
  const to = locked.find((row) => row.id === classId && !row.deletedAt) ?? refuse(timetableRefusals.class_not_found)
  const booking = await bookingForUpdate(tx, id)
  if (!from || !booking) refuse(bookingRefusals.booking_not_found)
  if (booking.status !== 'confirmed') refuse(bookingRefusals.booking_not_confirmed)
  const outcome = cancellationAt(now, { startsAt: from.startsAt, isMoved: booking.movedAt !== null })
  if (outcome === 'too_late') refuse(bookingRefusals.class_already_started)
  if (outcome === 'forfeited') refuse(bookingRefusals.too_late_to_move)
  if (to.id === from.id) refuse(bookingRefusals.already_booked)

  // Before the first credit moves: the pass that paid is not always the first by id.
  await lockPassesAround(tx, [from.id], member.id)
  const givenBack = onlyRow(await markCancelled(tx, [booking.id], 'credit_returned', now))
  const cause = { causedBy: { by: 'member' }, reason: `Moved to ${wordsOf(to)}` } as const
  await returnCreditOf(tx, booking, { ...cause, now })
  const before = toClassFacts(from)
  const moved = await takePlace(
    tx,
    member,
    to,
    {
      usePass: true,
      causedBy: { by: 'member' },
      reason: `Moved from ${wordsOf(from)}`,
      insteadOf: givenBack,
      notify: (mailed) => queueMail(tx, 'booking-rescheduled', { to: recipient(member), class: mailed, from: before }),
    },
    now,
  )
  await offerFreedPlaces(tx, [from.id], now)
  return moved
}
