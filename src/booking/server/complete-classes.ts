import { and, eq, inArray, lte } from 'drizzle-orm'
import type { Tx } from '#platform/database/database.ts'
import { classes } from '#timetable/tables.ts'
import { bookings } from '../tables.ts'

/** Turns confirmed bookings of classes that have ended into completed ones. Returns how many. */
export async function completeEndedClasses(tx: Tx, now: Temporal.Instant): Promise<number> {
  const due = tx
    .select({ id: bookings.id })
    .from(bookings)
    .innerJoin(classes, eq(classes.id, bookings.classId))
    .where(and(eq(bookings.status, 'confirmed'), lte(classes.endsAt, now)))
    // Their classes are not locked: what somebody else holds is left to the next minute.
    .for('no key update', { of: bookings, skipLocked: true })
  const completed = await tx
    .update(bookings)
    .set({ status: 'completed' })
    .where(and(eq(bookings.status, 'confirmed'), inArray(bookings.id, due)))
    .returning({ id: bookings.id })
  return completed.length
}
