import { and, eq, gt, inArray, isNotNull, isNull, lt, lte, sql } from 'drizzle-orm'
import { recipient } from '#accounts/server/accounts.ts'
import { users } from '#accounts/tables.ts'
import { queueMail } from '#messages/server/messages.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { studio } from '#studio.ts'
import { classes } from '#timetable/tables.ts'
import { bookings } from '../tables.ts'
import { toMailedBooking } from './queries.ts'

const { reminderHours } = studio.policies
/** When the member was last told of the time: by the confirmation, or because the studio moved the class. */
const lastTold = sql`greatest(${bookings.bookedAt}, ${bookings.movedAt})`

/**
 * Reminds members of the classes that start within the next 24 hours, of each booking once: that it was done is written
 * with the mail in one transaction. Whoever booked, or was told of another time, within those hours has just been told.
 * Returns how many mails.
 */
export async function remindMembers(tx: Tx, now: Temporal.Instant): Promise<number> {
  const due = await tx
    .select({ booking: bookings, class: classes, user: { email: users.email, firstName: users.firstName } })
    .from(bookings)
    .innerJoin(classes, eq(classes.id, bookings.classId))
    .innerJoin(users, eq(users.id, bookings.userId))
    .where(
      and(
        eq(bookings.status, 'confirmed'),
        isNull(bookings.remindedAt),
        gt(classes.startsAt, now),
        lte(classes.startsAt, now.add({ hours: reminderHours })),
        lt(lastTold, sql`${classes.startsAt} - make_interval(hours => ${reminderHours})`),
      ),
    )
    // One that is just being cancelled is left for the next turn: it may be gone by then.
    .for('no key update', { of: bookings, skipLocked: true })
  if (due.length === 0) return 0
  await tx
    .update(bookings)
    .set({ remindedAt: now })
    .where(
      inArray(
        bookings.id,
        due.map(({ booking }) => booking.id),
      ),
    )
  for (const { booking, class: awaited, user } of due) {
    const isMoved = booking.movedAt !== null
    await queueMail(tx, 'class-reminder', { to: recipient(user), class: toMailedBooking(booking, awaited), isMoved })
  }
  return due.length
}

/** A booking, by the identity that it keeps, and when it was reminded of. */
export type Reminded = { calendarUid: string; remindedAt: Temporal.Instant }

/** Bookings of classes to come that were reminded of. */
export async function remindedOf(reader: Reader, now: Temporal.Instant): Promise<Reminded[]> {
  const rows = await reader
    .select({ calendarUid: bookings.calendarUid, remindedAt: sql<string>`${bookings.remindedAt}::text` })
    .from(bookings)
    .innerJoin(classes, eq(classes.id, bookings.classId))
    .where(and(eq(bookings.status, 'confirmed'), isNotNull(bookings.remindedAt), gt(classes.endsAt, now)))
  return rows.map(({ calendarUid, remindedAt }) => ({ calendarUid, remindedAt: Temporal.Instant.from(remindedAt) }))
}

/** Counts bookings as reminded of: they were, after the moment to which the database was restored. */
export async function keepReminders(tx: Tx, reminded: readonly Reminded[]): Promise<void> {
  for (const { calendarUid, remindedAt } of reminded) {
    await tx
      .update(bookings)
      .set({ remindedAt })
      .where(and(eq(bookings.calendarUid, calendarUid), eq(bookings.status, 'confirmed'), isNull(bookings.remindedAt)))
  }
}
