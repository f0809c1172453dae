import { and, eq, gt, inArray, isNotNull, isNull, lt, lte, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { notify, recipient } from '#accounts/server/accounts.ts'
import { users } from '#accounts/tables.ts'
import { passes } from '#passes/tables.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { studio } from '#studio.ts'
import { classes } from '#timetable/tables.ts'
import { isMovedByStudio } from '../../rules.ts'
import { bookings } from '../../tables.ts'
import { hasPassEnded, toMailedBooking } from '../places/queries.ts'

const { reminderHours } = studio.policies

/** Emails reminders of classes within 24 hours, once a booking, unless its time was just emailed. Returns how many. */
export async function remindMembers(tx: Tx, now: Temporal.Instant): Promise<number> {
  const payers = alias(users, 'payers')
  const due = await tx
    .select({
      booking: bookings,
      class: classes,
      user: { id: users.id, email: users.email, firstName: users.firstName },
      payer: { id: payers.id, firstName: payers.firstName },
      hasPassEnded,
    })
    .from(bookings)
    .innerJoin(classes, eq(classes.id, bookings.classId))
    .innerJoin(users, eq(users.id, bookings.userId))
    .leftJoin(passes, eq(passes.id, bookings.passId))
    .leftJoin(payers, eq(payers.id, bookings.payerId))
    .where(
      and(
        eq(bookings.status, 'confirmed'),
        isNull(bookings.remindedAt),
        gt(classes.startsAt, now),
        lte(classes.startsAt, now.add({ hours: reminderHours })),
        // Not announced yet: the email about the booking is still to come.
        lt(bookings.announcedAt, sql`${classes.startsAt} - make_interval(hours => ${reminderHours})`),
      ),
    )
    // A booking locked by another transaction may be about to be cancelled; it is left to the next run.
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
  const notices = due.map(({ booking, class: studioClass, user, payer, hasPassEnded }) => {
    const isMoved = isMovedByStudio(booking)
    const paidBy = payer?.id === user.id ? undefined : payer?.firstName
    const facts = { class: toMailedBooking(booking, studioClass), isMoved, paidBy, hasPassEnded }
    const alert = { kind: 'class_reminder' as const, userId: user.id, class: facts.class }
    return { mail: { to: recipient(user), ...facts }, alert }
  })
  await notify(tx, 'class-reminder', notices, now)
  return due.length
}

/** When a booking was reminded of, by its calendar id, which survives a restore. */
export type SentReminder = { calendarUid: string; remindedAt: Temporal.Instant }

/** Reminders sent for upcoming bookings. */
export async function sentReminders(reader: Reader, now: Temporal.Instant): Promise<SentReminder[]> {
  const rows = await reader
    .select({ calendarUid: bookings.calendarUid, remindedAt: sql<string>`${bookings.remindedAt}::text` })
    .from(bookings)
    .innerJoin(classes, eq(classes.id, bookings.classId))
    .where(and(eq(bookings.status, 'confirmed'), isNotNull(bookings.remindedAt), gt(classes.endsAt, now)))
  return rows.map(({ calendarUid, remindedAt }) => ({ calendarUid, remindedAt: Temporal.Instant.from(remindedAt) }))
}

/** Marks bookings as reminded of: it happened after the moment to which the database was restored. */
export async function restoreReminders(tx: Tx, reminded: readonly SentReminder[]): Promise<void> {
  for (const { calendarUid, remindedAt } of reminded) {
    await tx
      .update(bookings)
      .set({ remindedAt })
      .where(and(eq(bookings.calendarUid, calendarUid), eq(bookings.status, 'confirmed'), isNull(bookings.remindedAt)))
  }
}
