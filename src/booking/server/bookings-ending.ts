import type { MailedBooking } from '#messages/mail.ts'
import type { Tx } from '#platform/database/database.ts'
import { toMailedBooking, upcomingBookingsOf } from './queries.ts'

/**
 * What a mail says of somebody's bookings to come that are about to be erased together with them: nothing is left to be
 * marked as cancelled, so the last version of their calendar entries is counted here.
 */
export async function bookingsEnding(tx: Tx, userId: string, now: Temporal.Instant): Promise<MailedBooking[]> {
  const rows = await upcomingBookingsOf(tx, userId, now)
  return rows.map(({ booking, class: studioClass }) =>
    toMailedBooking({ ...booking, cancelledAt: now, calendarSequence: booking.calendarSequence + 1 }, studioClass),
  )
}
