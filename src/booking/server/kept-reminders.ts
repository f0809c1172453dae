import { and, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Reader, Tx } from '#platform/database/database.ts'
import { classes } from '#timetable/tables.ts'
import { bookings } from '../tables.ts'

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
