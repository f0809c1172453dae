import { and, asc, eq, inArray, isNull, type SQL } from 'drizzle-orm'
import { users } from '#accounts/tables.ts'
import { findPasses, lockPassesOf, returnAsGoodwill } from '#passes/server/passes.ts'
import { passes } from '#passes/tables.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { hasStarted } from '#timetable/rules.ts'
import { holdPlaces } from '#timetable/server/timetable.ts'
import type { ClassRow } from '#timetable/tables.ts'
import { graceUntil, hasEnded } from '../rules.ts'
import { bookings, type Lost, waitingList } from '../tables.ts'
import { cancelAll } from './cancel-booking.ts'
import { endLines } from './waiting-queries.ts'

/** Bookings that the studio cancelled, by class. */
export type TakenOff = ReadonlyMap<number, readonly unknown[]>

/**
 * The studio cancels: every confirmed booking of the (locked) classes is cancelled, and its credit returned to a pass that
 * stays valid at least 14 days. Credits kept by late cancellations of these classes come back too. Lines end. Classes that
 * are over keep their history. Nobody is emailed yet (`studio-cancellations.ts`).
 *
 * @param options.reason as the ledger says it
 * @returns the bookings of which class, and what was taken away
 */
export async function takeOffClasses(
  tx: Tx,
  admin: { id: string },
  rows: ClassRow[],
  now: Temporal.Instant,
  { reason = 'The studio cancelled the class' }: { reason?: string } = {},
): Promise<{ cancelled: TakenOff; lost: Lost }> {
  const affected = await confirmedAhead(tx, rows, now).for('no key update', { of: bookings })
  const late = await cancelledLate(tx, rows, now).for('no key update', { of: bookings })
  const paid = [...affected, ...late].map(({ booking }) => booking)
  await lockPassesOf(tx, [...new Set(paid.map(({ userId }) => userId))])
  const paying = await findPasses(tx, [...new Set(paid.map(({ passId }) => passId))])
  const canTakeBack = new Set(paying.filter((pass) => !hasEnded(pass)).map(({ id }) => id))
  const validUntil = graceUntil(now)
  const cause = { causedBy: { by: 'admin' as const, id: admin.id }, reason, now, validUntil }
  await cancelAll(
    tx,
    affected.map(({ booking }) => booking),
    cause,
  )
  const forgiven = late.map(({ booking }) => booking).filter(({ passId }) => canTakeBack.has(passId))
  await returnAsGoodwill(tx, forgiven, cause)
  const lateIds = forgiven.map(({ id }) => id)
  if (lateIds.length > 0) {
    await tx.update(bookings).set({ paymentStatus: 'refunded' }).where(inArray(bookings.id, lateIds))
  }
  const ids = rows.map(({ id }) => id)
  // A class that has started has no line any more, only rows that the next minute clears.
  const ahead = rows.filter(({ startsAt }) => !hasStarted(startsAt, now)).map(({ id }) => id)
  const waiting = await tx
    .select()
    .from(waitingList)
    .where(inArray(waitingList.classId, ahead))
    .orderBy(asc(waitingList.classId), asc(waitingList.joinedAt), asc(waitingList.id))
  await endLines(tx, ids)
  await holdPlaces(tx, ids, 0)
  const lost: Lost = {
    bookings: affected.map(({ booking }) => booking.id),
    late: lateIds,
    waiting: waiting.map((row) => ({
      ...row,
      joinedAt: row.joinedAt.toString(),
      unconfirmedSince: row.unconfirmedSince?.toString() ?? null,
    })),
    passes: paying
      .filter(({ id, expiresAt }) => canTakeBack.has(id) && Temporal.Instant.compare(expiresAt, validUntil) < 0)
      .map(({ id, expiresAt }) => ({ id, expiresAt: expiresAt.toString() })),
  }
  return { cancelled: Map.groupBy(affected, ({ booking }) => booking.classId), lost }
}

/** The confirmed bookings of those of the classes that are not over: what a change by the studio is about. */
export function confirmedAhead(reader: Reader, rows: ClassRow[], now: Temporal.Instant) {
  return confirmedIn(reader, notOver(rows, now))
}

/** The bookings of those classes that members cancelled too late, and whose credits can still come back to their passes. */
export function cancelledLate(reader: Reader, rows: ClassRow[], now: Temporal.Instant) {
  const isLate = and(eq(bookings.status, 'cancelled'), eq(bookings.paymentStatus, 'forfeited'))
  const isPassGood = and(isNull(passes.voidedAt), isNull(passes.refundedAt))
  return withHolders(reader, and(isLate, isPassGood), notOver(rows, now))
}

const notOver = (rows: ClassRow[], now: Temporal.Instant) =>
  rows.filter((row) => Temporal.Instant.compare(row.endsAt, now) > 0).map(({ id }) => id)

/** The confirmed bookings of these classes and who holds them, in the order in which their passes are locked. */
export function confirmedIn(reader: Reader, classIds: number[]) {
  return withHolders(reader, eq(bookings.status, 'confirmed'), classIds)
}

function withHolders(reader: Reader, isMeant: SQL | undefined, classIds: number[]) {
  return reader
    .select({ booking: bookings, user: { email: users.email, firstName: users.firstName, lastName: users.lastName } })
    .from(bookings)
    .innerJoin(users, eq(users.id, bookings.userId))
    .innerJoin(passes, eq(passes.id, bookings.passId))
    .where(and(isMeant, inArray(bookings.classId, classIds)))
    .orderBy(asc(bookings.passId), asc(bookings.id))
}
