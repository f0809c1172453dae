import { and, eq, gt, inArray, ne, or } from 'drizzle-orm'
import { copyPassesFor } from '#passes/server/passes.ts'
import { passes } from '#passes/tables.ts'
import type { Tx } from '#platform/database/database.ts'
import { classes } from '#timetable/tables.ts'
import { bookings, companions } from '../tables.ts'
import { cancelPlace } from './cancel-booking.ts'
import { emailOther } from './other-place.ts'

/**
 * Before a member is erased (everything is locked): their companions keep their places, their own places as a companion are
 * cancelled by the 120-minute rule, and the others are emailed.
 */
export async function leaveOthers(tx: Tx, userId: string, now: Temporal.Instant): Promise<void> {
  const invited = tx.select({ id: companions.bookingId }).from(companions).where(eq(companions.state, 'accepted'))
  const isForTwo = or(ne(passes.userId, userId), inArray(bookings.id, invited))
  const ahead = await tx
    .select({ booking: bookings, studioClass: classes, paidBy: passes.userId })
    .from(bookings)
    .innerJoin(classes, eq(classes.id, bookings.classId))
    .innerJoin(passes, eq(passes.id, bookings.passId))
    .where(and(eq(bookings.userId, userId), eq(bookings.status, 'confirmed'), gt(classes.startsAt, now), isForTwo))
    .orderBy(bookings.id)
  for (const { paidBy, ...locked } of ahead) {
    if (paidBy === userId) await emailOther(tx, locked.booking, locked.studioClass)
    else {
      const { cancelled } = await cancelPlace(tx, locked, { causedBy: { by: 'system' } }, now)
      await emailOther(tx, cancelled, locked.studioClass)
    }
  }
}

/**
 * Erases passes, but not the places that they paid for companions: those move to passes of the companions, which are void, so
 * that the credit stays spent.
 */
export async function keepCompanionsPlaces(
  tx: Tx,
  userId: string,
  erasePasses: () => Promise<void>,
  now: Temporal.Instant,
): Promise<void> {
  const kept = await tx
    .select({ booking: bookings, pass: passes })
    .from(bookings)
    .innerJoin(passes, eq(passes.id, bookings.passId))
    .where(and(eq(passes.userId, userId), ne(bookings.userId, userId), ne(bookings.status, 'cancelled')))
    .orderBy(bookings.id)
  const writeLines = await copyPassesFor(
    tx,
    kept.map(({ booking, pass }) => ({ pass, bookingId: booking.id, userId: booking.userId })),
    async (bookingId, passId) => {
      await tx.update(bookings).set({ passId }).where(eq(bookings.id, bookingId))
    },
    now,
  )
  await erasePasses()
  await writeLines()
}
