import { sql } from 'drizzle-orm'
import type { CausedBy } from '#passes/server/passes.ts'
import { lockPassesOf, spendCredits } from '#passes/server/passes.ts'
import type { Tx } from '#platform/database/database.ts'
import { classesForUpdate } from '#timetable/server/timetable.ts'
import { planRegularDates } from '../../regular-rules.ts'
import { type BookingRow, bookings, waitingList } from '../../tables.ts'
import { findWaiters } from '../waiting-queries.ts'
import { type FoundDate, findRegularDates } from './regular-queries.ts'

/** A date with its outcome. */
export type OutcomeOfDate = FoundDate & {
  booking: BookingRow | null
  decision: ReturnType<typeof planRegularDates>[number]['decision']
}

/** In the ledger. */
const REASON = 'Regular booking'

/**
 * Books the dates of regular bookings that are missing and can be booked, in order of date; in one class the oldest regular
 * booking comes first. Locks the classes, then the members' passes, and writes as many statements for one date as for many.
 * Members are put on the waiting list of a full class. Running twice does no harm. Emails are left to the caller.
 */
export async function bookRegularDates(
  tx: Tx,
  which: { regularId?: number; userId?: string; classIds?: readonly number[] },
  causedBy: CausedBy,
  now: Temporal.Instant,
): Promise<OutcomeOfDate[]> {
  const missing = (await findRegularDates(tx, which, now)).filter(({ isBooked, isLeftOut }) => !isBooked && !isLeftOut)
  if (missing.length === 0) return await plan(tx, which, now)
  const classIds = [...new Set(missing.map((date) => date.class.id))]
  await classesForUpdate(tx, classIds)
  await lockPassesOf(tx, [...new Set(missing.map(({ userId }) => userId))])
  // Read again, as a place or a credit may have been taken before it was locked.
  const isLocked = new Set(classIds)
  const outcomes = await plan(tx, which, now)
  const planned = outcomes.flatMap((date) =>
    'passId' in date.decision && isLocked.has(date.class.id) ? [{ ...date, passId: date.decision.passId }] : [],
  )
  const made = planned.length === 0 ? [] : await insertBookings(tx, planned, causedBy, now)
  const full = outcomes.filter(
    ({ decision, class: of }) => 'code' in decision && decision.code === 'full' && isLocked.has(of.id),
  )
  if (full.length > 0) {
    await tx
      .insert(waitingList)
      .values(full.map(({ userId, class: of }) => ({ userId, classId: of.id, joinedAt: now })))
      .onConflictDoNothing()
  }
  return outcomes.map((date) => {
    const booking = made.find(({ userId, classId }) => userId === date.userId && classId === date.class.id)
    return booking ? { ...date, booking, bookingId: booking.id, isBooked: true } : date
  })
}

/** What {@link bookRegularDates} would do. */
export async function plan(
  tx: Tx,
  which: Parameters<typeof findRegularDates>[1],
  now: Temporal.Instant,
): Promise<OutcomeOfDate[]> {
  const dates = await findRegularDates(tx, which, now)
  const waiters = await findWaiters(
    tx,
    dates.map(({ userId }) => userId),
    now,
  )
  return planRegularDates(dates, waiters).map((date) => ({ ...date, booking: null }))
}

async function insertBookings(
  tx: Tx,
  planned: readonly (FoundDate & { passId: number })[],
  causedBy: CausedBy,
  now: Temporal.Instant,
): Promise<BookingRow[]> {
  const made = await tx
    .insert(bookings)
    .values(
      planned.map(({ userId, class: of, passId }) => ({
        userId,
        classId: of.id,
        passId,
        status: 'confirmed' as const,
        paymentStatus: 'paid' as const,
        totalAmountPence: of.passPricePence,
        bookedAt: now,
      })),
    )
    .returning()
  await spendCredits(tx, made, { causedBy, reason: REASON, now })
  const column = (values: readonly (string | number)[]) => sql.param([...values])
  await tx.delete(waitingList).where(
    sql`(${waitingList.userId}, ${waitingList.classId}) in (
      select * from unnest(${column(made.map(({ userId }) => userId))}::text[], ${column(made.map(({ classId }) => classId))}::int[]))`,
  )
  return made
}
