import { eq } from 'drizzle-orm'
import { findUser, recipient } from '#accounts/server/accounts.ts'
import { AUDITED } from '#audit/contract.ts'
import { differences, recordAdminChange } from '#audit/server/audit.ts'
import { endOfDay, studioDate } from '#foundation/instants.ts'
import { refuse } from '#foundation/refusal.ts'
import { queueMail } from '#messages/server/messages.ts'
import { passesForUpdate, returnAsGoodwill } from '#passes/server/passes.ts'
import type { Tx } from '#platform/database/database.ts'
import { onlyRow } from '#platform/database/only-row.ts'
import { studio } from '#studio.ts'
import type { Booking } from '../contract.ts'
import { bookingRefusals } from '../refusals.ts'
import { type BookingRow, bookings } from '../tables.ts'
import { lockBooking, stateOf } from './cancel-booking.ts'
import { findBooking, toBooking, toClassFacts } from './queries.ts'

/**
 * An admin gives back a credit that the rules had kept: of a booking cancelled too late, or not come to. Once, whatever
 * becomes of the attendance afterwards. The pass is then valid for at least 14 days; a void or refunded one gets nothing.
 */
export async function returnForfeitedCredit(
  tx: Tx,
  admin: { id: string },
  id: number,
  reason: string,
  now: Temporal.Instant,
): Promise<Booking> {
  const found = (await findBooking(tx, id)) ?? refuse(bookingRefusals.booking_not_found)
  const { booking, studioClass } = await lockBooking(tx, found)
  const member = (await findUser(tx, booking.userId)) ?? refuse(bookingRefusals.booking_not_found)
  if (booking.paymentStatus === 'refunded') refuse(bookingRefusals.credit_already_returned)
  if (booking.paymentStatus !== 'forfeited') refuse(bookingRefusals.credit_not_forfeited)
  const pass = (await passesForUpdate(tx, booking.userId)).find(({ id: passId }) => passId === booking.passId)
  if (!pass || pass.voidedAt) refuse(bookingRefusals.pass_voided)
  if (pass.refundedAt) refuse(bookingRefusals.pass_refunded)

  const causedBy = { by: 'admin' as const, id: admin.id }
  const validUntil = endOfDay(studioDate(now).add({ days: studio.policies.goodwillDays }))
  await returnAsGoodwill(tx, [booking], { causedBy, reason: reason.trim(), validUntil, now })
  const returned = await markReturned(tx, id)
  const latest = Temporal.Instant.compare(pass.expiresAt, validUntil) > 0 ? pass.expiresAt : validUntil
  await queueMail(tx, 'credit-returned', {
    to: recipient(member),
    class: toClassFacts(studioClass),
    reason: reason.trim(),
    expiresAt: latest.toString(),
  })
  const changes = differences(AUDITED.booking, stateOf(booking), stateOf(returned))
  await recordAdminChange(tx, admin, { action: 'credit_returned', subject: { kind: 'booking', id }, changes }, now)
  return toBooking({ booking: returned, class: studioClass, user: member })
}

async function markReturned(tx: Tx, id: number): Promise<BookingRow> {
  const returned = tx.update(bookings).set({ paymentStatus: 'refunded' }).where(eq(bookings.id, id)).returning()
  return await returned.then(onlyRow)
}
