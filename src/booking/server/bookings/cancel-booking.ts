import type { User } from '#accounts/contract.ts'
import { findUser, recipient } from '#accounts/server/accounts.ts'
import { AUDITED } from '#audit/contract.ts'
import { differences, recordAdminChange } from '#audit/server/audit.ts'
import { endOfDay, studioDate } from '#foundation/instants.ts'
import { refuse } from '#foundation/refusal.ts'
import { queueMail } from '#messages/server/messages.ts'
import { actingFor, findPasses, passesForUpdate, returnAsGoodwill } from '#passes/server/passes.ts'
import { onlyRow, type Tx } from '#platform/database/database.ts'
import { studio } from '#studio.ts'
import { classForUpdateEvenDeleted } from '#timetable/server/timetable.ts'
import type { ClassRow } from '#timetable/tables.ts'
import { bookingRefusals, goodwillRefusal } from '../../refusals.ts'
import { hasEnded } from '../../rules.ts'
import type { BookingRow } from '../../tables.ts'
import { emailCancelled, payerOf } from '../places/email-places.ts'
import { giveUpPlaces, markReturned } from '../places/give-up-places.ts'
import { saveForOwnUndo } from '../places/own-cancellations.ts'
import { lockPassesForFreedPlaces } from '../places/place-locks.ts'
import { bookingForUpdate, bookingWithCompanion, findBooking, toBooking, toClassFacts } from '../places/queries.ts'
import { offerFreedPlaces } from '../waiting/offer-freed-place.ts'

/**
 * Cancels a member's own booking. More than 120 minutes before the start, or if the studio has moved the class, the
 * credit goes back to the pass that paid; later, or if that pass has ended, it is forfeited; after the start it is
 * refused. The member can undo it for some seconds: the email and the waiting list wait for {@link endUndo}.
 */
export async function cancelBooking(tx: Tx, member: User, id: number, now: Temporal.Instant) {
  const found = (await findBooking(tx, id, member.id)) ?? refuse(bookingRefusals.booking_not_found)
  await cancelForUndo(tx, member, await lockBooking(tx, found), now)
  return await bookingWithCompanion(tx, id)
}

/** Cancels a (locked) booking for its holder, or for its payer, who can undo it for some seconds. */
export async function cancelForUndo(
  tx: Tx,
  member: { id: string },
  { booking, studioClass }: LockedBooking,
  now: Temporal.Instant,
): Promise<void> {
  await lockPassesForFreedPlaces(tx, [studioClass.id], booking.userId, ...(booking.payerId ? [booking.payerId] : []))
  const [pass] = booking.passId === null ? [] : await findPasses(tx, [booking.passId])
  const how = { causedBy: { by: 'member' as const }, isUndoable: true, now }
  const ended = onlyRow(await giveUpPlaces(tx, [{ place: booking, studioClass }], 'cancelled', how))
  await saveForOwnUndo(tx, ended, { passBefore: pass, isByPayer: booking.userId !== member.id })
}

/** Cancels a booking for a member who rang up. The credit follows the same rules unless the admin decides otherwise. */
export async function cancelForMember(
  tx: Tx,
  admin: { id: string },
  id: number,
  options: { returnCredit?: boolean | null },
  now: Temporal.Instant,
) {
  const found = (await findBooking(tx, id)) ?? refuse(bookingRefusals.booking_not_found)
  const member = (await findUser(tx, found.userId)) ?? refuse(bookingRefusals.booking_not_found)
  const { booking, studioClass } = await lockBooking(tx, found)
  const how = { ...options, causedBy: actingFor(member.id, admin), now }
  const ended = onlyRow(await giveUpPlaces(tx, [{ place: booking, studioClass }], 'cancelled', how))
  await emailCancelled(tx, ended)
  await offerFreedPlaces(tx, [studioClass.id], now)
  const changes = differences(AUDITED.booking, auditedState(booking), auditedState(ended.place))
  const change = { action: 'booking_cancelled_for', subject: { kind: 'booking', id }, changes } as const
  await recordAdminChange(tx, admin, change, now)
  return toBooking({
    booking: { ...booking, ...ended.place, status: 'cancelled', userId: member.id },
    class: studioClass,
    user: member,
  })
}

export const auditedState = ({ status, paymentStatus }: { status: string; paymentStatus: string }) => ({
  status,
  paymentStatus,
})

export type LockedBooking = { booking: BookingRow; studioClass: ClassRow }

/** Locks the class, then its booking, in booking's order. */
export async function lockBooking(tx: Tx, found: { id: number; classId: number }): Promise<LockedBooking> {
  const studioClass = await classForUpdateEvenDeleted(tx, found.classId)
  const booking = await bookingForUpdate(tx, found.id)
  if (!studioClass || !booking) refuse(bookingRefusals.booking_not_found)
  return { booking, studioClass }
}

/**
 * An admin returns the forfeited credit of a late cancellation or no-show, once, whatever happens to the attendance
 * later. The pass is then valid for at least 14 days; a voided or refunded pass gets nothing.
 */
export async function returnForfeitedCredit(
  tx: Tx,
  admin: { id: string },
  id: number,
  reason: string,
  now: Temporal.Instant,
) {
  const found = (await findBooking(tx, id)) ?? refuse(bookingRefusals.booking_not_found)
  const { booking, studioClass } = await lockBooking(tx, found)
  const member = (await findUser(tx, booking.userId)) ?? refuse(bookingRefusals.booking_not_found)
  const payer = await payerOf(tx, booking)
  const pass = payer && (await passesForUpdate(tx, payer.id)).find(({ id: passId }) => passId === booking.passId)
  const refusal = goodwillRefusal({ paymentStatus: booking.paymentStatus, hasPassEnded: !pass || hasEnded(pass) })
  if (refusal) refuse(refusal)
  if (!pass) refuse(bookingRefusals.pass_voided)

  const causedBy = { by: 'admin' as const, id: admin.id }
  const validUntil = endOfDay(studioDate(now).add({ days: studio.policies.goodwillDays }))
  await returnAsGoodwill(tx, [booking], { causedBy, reason: reason.trim(), validUntil, now })
  const { paymentStatus } = onlyRow(await markReturned(tx, [id]))
  const latest = Temporal.Instant.compare(pass.expiresAt, validUntil) > 0 ? pass.expiresAt : validUntil
  await queueMail(tx, 'credit-returned', {
    to: recipient(payer),
    class: toClassFacts(studioClass),
    reason: reason.trim(),
    expiresAt: latest.toString(),
  })
  const returned = { ...booking, paymentStatus }
  const changes = differences(AUDITED.booking, auditedState(booking), auditedState(returned))
  await recordAdminChange(tx, admin, { action: 'credit_returned', subject: { kind: 'booking', id }, changes }, now)
  return toBooking({ booking: returned, class: studioClass, user: member })
}
