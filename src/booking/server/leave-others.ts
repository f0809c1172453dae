import { and, eq, gt, inArray, ne, or } from 'drizzle-orm'
import { copyPassesFor } from '#passes/server/passes.ts'
import { passes } from '#passes/tables.ts'
import type { Tx } from '#platform/database/database.ts'
import { type ClassRow, classes } from '#timetable/tables.ts'
import { type BookingRow, bookings, companions } from '../tables.ts'
import { cancelPlace } from './cancel-booking.ts'
import { emailOther } from './other-place.ts'
import { findRegularsForTwo, isInSlotOf, partCompanions } from './regular/regular-mails.ts'

/**
 * Before a member is erased (everything is locked): their companions keep their places, their own places as a companion
 * are cancelled by the 120-minute rule, and the others are emailed.
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
  const regulars = await findRegularsForTwo(tx, userId)
  const ended: { booking: BookingRow; studioClass: ClassRow }[] = []
  for (const { paidBy, ...locked } of ahead) {
    const { studioClass } = locked
    // One email about all dates of a regular booking.
    const isRegular = regulars.some((regular) => regular.userId === paidBy && isInSlotOf(regular, studioClass))
    const isOwn = paidBy === userId
    const booking = isOwn
      ? locked.booking
      : (await cancelPlace(tx, locked, { causedBy: { by: 'system' } }, now)).cancelled
    const isInOneMail = isRegular && (isOwn || booking.paymentStatus === 'refunded')
    if (!isInOneMail) await emailOther(tx, booking, studioClass)
    else if (!isOwn) ended.push({ booking, studioClass })
  }
  await partCompanions(tx, userId, ended)
}

/**
 * Erases passes, but not the places that they paid for companions: those move to passes of the companions, which are
 * void, so that the credit stays spent.
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
