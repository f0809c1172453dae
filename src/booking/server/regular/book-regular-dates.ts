import { sql } from 'drizzle-orm'
import type { CausedBy } from '#passes/server/passes.ts'
import { lockPassesOf, spendCredits } from '#passes/server/passes.ts'
import type { Tx } from '#platform/database/database.ts'
import { classesForUpdate } from '#timetable/server/timetable.ts'
import { planRegularDates } from '../../regular-rules.ts'
import { type BookingRow, bookings, companions, waitingList } from '../../tables.ts'
import { findWaiters } from '../waiting-queries.ts'
import { type FoundDate, findRegularDates, peopleIn } from './regular-queries.ts'

/** A date with its outcome. */
export type OutcomeOfDate = FoundDate & {
  booking: BookingRow | null
  companionBooking: BookingRow | null
} & Pick<ReturnType<typeof planRegularDates>[number], 'decision' | 'companionDecision'>

/** The reason in the ledger. */
const REASON = 'Regular booking'

/**
 * Books the dates of regular bookings that are missing and can be booked, in order of date; in one class the oldest
 * regular booking comes first. Locks the classes, then the members' passes, and writes as many statements for one date
 * as for many. Members are put on the waiting list of a full class. Running twice does no harm. Emails are left to the
 * caller.
 */
export async function bookRegularDates(
  tx: Tx,
  which: { regularId?: number; userId?: string; classIds?: readonly number[] },
  causedBy: CausedBy,
  now: Temporal.Instant,
): Promise<OutcomeOfDate[]> {
  const isMissing = ({ isBooked, isLeftOut }: { isBooked: boolean; isLeftOut: boolean }) => !isBooked && !isLeftOut
  const missing = (await findRegularDates(tx, which, now)).filter(
    (date) => isMissing(date) || (date.companion && isMissing(date.companion)),
  )
  if (missing.length === 0) return await plan(tx, which, now)
  const classIds = [...new Set(missing.map((date) => date.class.id))]
  await classesForUpdate(tx, classIds)
  await lockPassesOf(tx, [...new Set(missing.map(({ userId }) => userId))])
  // Read again, as a place or a credit may have been taken before it was locked.
  const isLocked = new Set(classIds)
  const outcomes = await plan(tx, which, now)
  const planned = outcomes.flatMap(({ userId, companion, class: studioClass, decision, companionDecision }) => {
    if (!isLocked.has(studioClass.id)) return []
    const places = [
      { userId, studioClass, decision },
      { userId: companion?.userId ?? '', studioClass, decision: companionDecision },
    ]
    return places.flatMap(({ decision, ...place }) =>
      decision && 'passId' in decision ? [{ ...place, passId: decision.passId }] : [],
    )
  })
  const made = planned.length === 0 ? [] : await insertBookings(tx, planned, causedBy, now)
  const full = outcomes.filter(
    ({ decision, class: studioClass }) =>
      'code' in decision && decision.code === 'full' && isLocked.has(studioClass.id),
  )
  if (full.length > 0) {
    await tx
      .insert(waitingList)
      .values(full.map(({ userId, class: studioClass }) => ({ userId, classId: studioClass.id, joinedAt: now })))
      .onConflictDoNothing()
  }
  const madeFor = (userId: string | undefined, { id }: { id: number }, decision: OutcomeOfDate['companionDecision']) =>
    decision && 'passId' in decision
      ? (made.find((booking) => booking.userId === userId && booking.classId === id) ?? null)
      : null
  const done = outcomes.map((date) => {
    const booking = madeFor(date.userId, date.class, date.decision)
    const companionBooking = madeFor(date.companion?.userId, date.class, date.companionDecision)
    const bookingId = booking?.id ?? date.bookingId
    return { ...date, booking, companionBooking, bookingId, isBooked: bookingId !== null }
  })
  await insertCompanions(tx, done, now)
  return done
}

/** What {@link bookRegularDates} would do. */
export async function plan(
  tx: Tx,
  which: Parameters<typeof findRegularDates>[1],
  now: Temporal.Instant,
): Promise<OutcomeOfDate[]> {
  const dates = await findRegularDates(tx, which, now)
  const waiters = await findWaiters(tx, peopleIn(dates), now)
  return planRegularDates(dates, waiters).map((date) => ({ ...date, booking: null, companionBooking: null }))
}

async function insertBookings(
  tx: Tx,
  planned: readonly { userId: string; studioClass: FoundDate['class']; passId: number }[],
  causedBy: CausedBy,
  now: Temporal.Instant,
): Promise<BookingRow[]> {
  const made = await tx
    .insert(bookings)
    .values(
      planned.map(({ userId, studioClass, passId }) => ({
        userId,
        classId: studioClass.id,
        passId,
        status: 'confirmed' as const,
        paymentStatus: 'paid' as const,
        totalAmountPence: studioClass.passPricePence,
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

/** Names the companions of the places that were booked for them. */
async function insertCompanions(tx: Tx, outcomes: readonly OutcomeOfDate[], now: Temporal.Instant): Promise<void> {
  const rows = outcomes.flatMap(({ bookingId, class: studioClass, companionBooking, companionUser }) =>
    bookingId !== null && companionBooking && companionUser
      ? [
          {
            bookingId,
            classId: studioClass.id,
            passId: companionBooking.passId,
            firstName: companionUser.firstName,
            lastName: companionUser.lastName,
            email: companionUser.email,
            state: 'accepted' as const,
            invitedAt: now,
            heldUntil: studioClass.startsAt,
            endedAt: now,
            companionBookingId: companionBooking.id,
            isRegular: true,
          },
        ]
      : [],
  )
  if (rows.length > 0) await tx.insert(companions).values(rows)
}
