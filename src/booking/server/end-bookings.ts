import { and, asc, eq, gt } from 'drizzle-orm'
import { recipient } from '#accounts/server/accounts.ts'
import { users } from '#accounts/tables.ts'
import { defined } from '#foundation/collections.ts'
import { queueMails } from '#messages/server/messages.ts'
import type { CausedBy } from '#passes/server/passes.ts'
import type { PassRow } from '#passes/tables.ts'
import { BeginAgain, type Reader, type Tx } from '#platform/database/database.ts'
import { classesForUpdate } from '#timetable/server/timetable.ts'
import { classes } from '#timetable/tables.ts'
import { bookings } from '../tables.ts'
import { cancelAll } from './cancel-booking.ts'
import { lockPassesAround } from './offer-freed-place.ts'
import { toMailedBooking } from './queries.ts'

/**
 * Locks the classes in which a pass has paid for a place that is still to come, then the passes of all whom freed places
 * concern: what a cancellation of these bookings needs, in the one lock order.
 *
 * @throws BeginAgain when the pass paid for another class meanwhile, which would now be locked too late
 */
export async function lockBookingsPaidBy(
  tx: Tx,
  pass: Pick<PassRow, 'id' | 'userId'>,
  now: Temporal.Instant,
): Promise<void> {
  const before = await classesPaidBy(tx, pass.id, now)
  await classesForUpdate(tx, before)
  await lockPassesAround(tx, before, pass.userId)
  const paidNow = await classesPaidBy(tx, pass.id, now)
  if (paidNow.some((classId) => !before.includes(classId))) throw new BeginAgain('the pass paid for another class')
}

/**
 * Cancels the bookings to come that a pass has paid, because its money went back: the credits return to it, to be taken
 * with the rest, and the member is told. Everything is locked ({@link lockBookingsPaidBy}).
 *
 * @returns the classes with a free place, for {@link offerFreedPlaces} once the pass is void
 */
export async function cancelBookingsPaidBy(
  tx: Tx,
  passId: number,
  { causedBy, reason, now }: { causedBy: CausedBy; reason: string; now: Temporal.Instant },
): Promise<number[]> {
  const upcoming = await upcomingPaidBy(tx, passId, now).for('no key update', { of: bookings })
  const cancelled = await cancelAll(
    tx,
    upcoming.map(({ booking }) => booking),
    { causedBy, reason, now },
  )
  await queueMails(
    tx,
    'booking-cancelled',
    upcoming.map(({ booking, class: studioClass, user }) => {
      const ended = defined(cancelled.find(({ id }) => id === booking.id))
      return { to: recipient(user), class: toMailedBooking(ended, studioClass), outcome: 'pass_ended' as const }
    }),
  )
  return upcoming.map(({ booking }) => booking.classId)
}

function upcomingPaidBy(reader: Reader, passId: number, now: Temporal.Instant) {
  return reader
    .select({ booking: bookings, class: classes, user: { email: users.email, firstName: users.firstName } })
    .from(bookings)
    .innerJoin(classes, eq(classes.id, bookings.classId))
    .innerJoin(users, eq(users.id, bookings.userId))
    .where(and(eq(bookings.passId, passId), eq(bookings.status, 'confirmed'), gt(classes.startsAt, now)))
    .orderBy(asc(bookings.classId))
}

async function classesPaidBy(reader: Reader, passId: number, now: Temporal.Instant): Promise<number[]> {
  const upcoming = await upcomingPaidBy(reader, passId, now)
  return upcoming.map(({ booking }) => booking.classId)
}
