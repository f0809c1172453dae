import { and, eq, inArray, lte } from 'drizzle-orm'
import { findUser } from '#accounts/server/accounts.ts'
import { AUDITED } from '#audit/contract.ts'
import { differences, recordAdminChange } from '#audit/server/audit.ts'
import { refuse } from '#foundation/refusal.ts'
import { actingFor, recordAttendance } from '#passes/server/passes.ts'
import type { Tx } from '#platform/database/database.ts'
import { hasStarted } from '#timetable/rules.ts'
import { classes } from '#timetable/tables.ts'
import { bookingRefusals } from '../../refusals.ts'
import { paymentAfter } from '../../rules.ts'
import { bookings } from '../../tables.ts'
import { findBooking, toBooking } from '../places/queries.ts'
import { auditedState, lockBooking } from './cancel-booking.ts'

const ATTENDANCE = { completed: 'attended', no_show: 'no_show' } as const

/**
 * Marks whether the member came, once the class has started; can be corrected. No credit moves, as booking spent it,
 * but the ledger notes a no-show and its correction. A credit given back in the meantime stays with the member.
 */
export async function markAttendance(
  tx: Tx,
  admin: { id: string },
  id: number,
  status: 'completed' | 'no_show',
  now: Temporal.Instant,
) {
  const found = (await findBooking(tx, id)) ?? refuse(bookingRefusals.booking_not_found)
  const { booking, studioClass } = await lockBooking(tx, found)
  if (booking.status === 'cancelled') refuse(bookingRefusals.booking_cancelled)
  if (!hasStarted(studioClass.startsAt, now)) refuse(bookingRefusals.class_not_started)
  const user = (await findUser(tx, booking.userId)) ?? refuse(bookingRefusals.booking_not_found)
  const marked = { ...booking, status, paymentStatus: paymentAfter(status, booking.paymentStatus) }
  await tx.update(bookings).set({ status, paymentStatus: marked.paymentStatus }).where(eq(bookings.id, id))
  if (booking.status !== status) {
    const movement = { bookingId: id, causedBy: actingFor(booking.userId, admin), now }
    if (booking.passId !== null && status === 'no_show') await recordAttendance(tx, booking.passId, 'no_show', movement)
    if (booking.passId !== null && booking.status === 'no_show') {
      await recordAttendance(tx, booking.passId, 'correction', { ...movement, reason: 'Attended after all' })
    }
    const changes = differences(AUDITED.booking, auditedState(booking), auditedState(marked))
    await recordAdminChange(tx, admin, { action: ATTENDANCE[status], subject: { kind: 'booking', id }, changes }, now)
  }
  return toBooking({ booking: marked, class: studioClass, user })
}

/** Completes confirmed bookings of classes that have ended. Returns how many. */
export async function completeEndedClasses(tx: Tx, now: Temporal.Instant): Promise<number> {
  const due = tx
    .select({ id: bookings.id })
    .from(bookings)
    .innerJoin(classes, eq(classes.id, bookings.classId))
    .where(and(eq(bookings.status, 'confirmed'), lte(classes.endsAt, now)))
    // Classes are not locked: a booking locked by another transaction is left to the next minute.
    .for('no key update', { of: bookings, skipLocked: true })
  const completed = await tx
    .update(bookings)
    .set({ status: 'completed' })
    .where(and(eq(bookings.status, 'confirmed'), inArray(bookings.id, due)))
    .returning({ id: bookings.id })
  return completed.length
}
