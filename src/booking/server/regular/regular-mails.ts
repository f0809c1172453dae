import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { recipient } from '#accounts/server/accounts.ts'
import { users } from '#accounts/tables.ts'
import { defined } from '#foundation/collections.ts'
import type { Mails } from '#messages/mail.ts'
import { queueMail } from '#messages/server/messages.ts'
import type { Tx } from '#platform/database/database.ts'
import { classes } from '#timetable/tables.ts'
import { dayOfWeekday } from '../../regular-rules.ts'
import { bookings, type RegularRow, regularBookings, regularBookingsUnmailed } from '../../tables.ts'
import { toMailedBooking } from '../queries.ts'
import type { OutcomeOfDate } from './book-regular-dates.ts'

/** Emails a member which dates were booked just now, and which were not. */
export async function queueDatesMail(
  tx: Tx,
  regular: RegularRow,
  { kind, outcomes }: { kind: Mails['regular-dates']['kind']; outcomes: readonly OutcomeOfDate[] },
): Promise<void> {
  const [user] = await tx.select().from(users).where(eq(users.id, regular.userId))
  const booked = outcomes.flatMap(({ booking, class: of }) => (booking ? [toMailedBooking(booking, of)] : []))
  await queueMail(tx, 'regular-dates', {
    to: recipient(defined(user)),
    kind,
    day: dayOfWeekday(regular.weekday),
    startTime: regular.startTime,
    booked,
    notBooked: outcomes.flatMap(({ class: of, decision, isBooked }) =>
      'code' in decision && !isBooked && decision.code !== 'skipped' ? [{ date: of.date, code: decision.code }] : [],
    ),
    bookedUntil: outcomes.findLast(({ isBooked }) => isBooked)?.class.date ?? null,
  })
}

/** The bookings of a regular booking that the member was not emailed about, as the next email shows them. */
export async function takeUnmailed(tx: Tx, regular: RegularRow) {
  const rows = await tx
    .delete(regularBookingsUnmailed)
    .where(eq(regularBookingsUnmailed.regularBookingId, regular.id))
    .returning({ id: regularBookingsUnmailed.bookingId })
  return await tx
    .select({ booking: bookings, class: classes })
    .from(bookings)
    .innerJoin(classes, eq(classes.id, bookings.classId))
    .where(
      and(
        inArray(
          bookings.id,
          rows.map(({ id }) => id),
        ),
        eq(bookings.status, 'confirmed'),
      ),
    )
    .orderBy(asc(classes.startsAt))
}

/** Records that a member was emailed about a regular booking. */
export async function noteMailed(tx: Tx, ids: readonly number[], now: Temporal.Instant): Promise<void> {
  await tx
    .update(regularBookings)
    .set({ mailedAt: now })
    .where(sql`${regularBookings.id} = any(${sql.param([...ids])}::int[])`)
}
