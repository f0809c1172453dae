import { aliasedTable, and, asc, eq, inArray, isNull, type SQL } from 'drizzle-orm'
import { users } from '#accounts/tables.ts'
import { findPasses, lockPassesOf, returnAsGoodwill } from '#passes/server/passes.ts'
import { passes } from '#passes/tables.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { hasStarted } from '#timetable/rules.ts'
import { holdPlaces } from '#timetable/server/timetable.ts'
import type { ClassRow } from '#timetable/tables.ts'
import { graceUntil, hasEnded } from '../rules.ts'
import { bookings, type Lost, waitingList } from '../tables.ts'
import { cancelBookings } from './cancel-booking.ts'
import { payersIn } from './companion-queries.ts'
import { hasPassEnded } from './queries.ts'
import { clearWaitingLists } from './waiting-queries.ts'

/** Cancelled bookings by class. */
export type TakenOff = ReadonlyMap<number, readonly unknown[]>

/**
 * The studio cancels classes (locked): confirmed bookings are cancelled and their credits returned to passes that stay
 * valid at least 14 days; credits forfeited by late cancellations come back too; waiting lists end. Classes that have
 * ended keep their history. Nobody is emailed yet (`studio-cancellations.ts`).
 *
 * @param options.reason for the ledger
 */
export async function takeOffClasses(
  tx: Tx,
  admin: { id: string },
  rows: ClassRow[],
  now: Temporal.Instant,
  { reason = 'The studio cancelled the class' }: { reason?: string } = {},
): Promise<{ cancelled: TakenOff; lost: Lost }> {
  const affected = await selectConfirmedAhead(tx, rows, now).for('no key update', { of: bookings })
  const late = await selectCancelledLate(tx, rows, now).for('no key update', { of: bookings })
  const paid = [...affected, ...late].map(({ booking }) => booking)
  const payers = await payersIn(
    tx,
    rows.map(({ id }) => id),
  )
  await lockPassesOf(tx, [...new Set([...paid.map(({ userId }) => userId), ...payers])])
  const paying = await findPasses(tx, [...new Set(paid.map(({ passId }) => passId))])
  const canTakeBack = new Set(paying.filter((pass) => !hasEnded(pass)).map(({ id }) => id))
  const validUntil = graceUntil(now)
  const cause = { causedBy: { by: 'admin' as const, id: admin.id }, reason, now, validUntil }
  const confirmed = affected.map(({ booking }) => booking)
  await cancelBookings(tx, confirmed, cause)
  const forgiven = late.map(({ booking }) => booking).filter(({ passId }) => canTakeBack.has(passId))
  await returnAsGoodwill(tx, forgiven, cause)
  const lateIds = forgiven.map(({ id }) => id)
  if (lateIds.length > 0) {
    await tx.update(bookings).set({ paymentStatus: 'refunded' }).where(inArray(bookings.id, lateIds))
  }
  const ids = rows.map(({ id }) => id)
  // A started class has no waiting list any more, only rows that the next run deletes.
  const ahead = rows.filter(({ startsAt }) => !hasStarted(startsAt, now)).map(({ id }) => id)
  const waiting = await tx
    .select()
    .from(waitingList)
    .where(inArray(waitingList.classId, ahead))
    .orderBy(asc(waitingList.classId), asc(waitingList.joinedAt), asc(waitingList.id))
  await clearWaitingLists(tx, ids)
  await holdPlaces(tx, ids, 0)
  const lost: Lost = {
    bookings: confirmed.map(({ id }) => id),
    late: lateIds,
    waiting: waiting.map((row) => ({
      ...row,
      joinedAt: row.joinedAt.toString(),
      unconfirmedSince: row.unconfirmedSince?.toString() ?? null,
      offeredUntil: row.offeredUntil?.toString() ?? null,
    })),
    passes: paying
      .filter(({ id, expiresAt }) => canTakeBack.has(id) && Temporal.Instant.compare(expiresAt, validUntil) < 0)
      .map(({ id, expiresAt }) => ({ id, expiresAt: expiresAt.toString() })),
  }
  return { cancelled: Map.groupBy(affected, ({ booking }) => booking.classId), lost }
}

/** The confirmed bookings of classes that have not ended. */
export function selectConfirmedAhead(reader: Reader, rows: ClassRow[], now: Temporal.Instant) {
  return selectConfirmedIn(reader, notEnded(rows, now))
}

/** Late cancellations of classes that have not ended, whose credits can still go back to their passes. */
export function selectCancelledLate(reader: Reader, rows: ClassRow[], now: Temporal.Instant) {
  const isLate = and(eq(bookings.status, 'cancelled'), eq(bookings.paymentStatus, 'forfeited'))
  const isPassGood = and(isNull(passes.voidedAt), isNull(passes.refundedAt))
  return selectWithMembers(reader, and(isLate, isPassGood), notEnded(rows, now))
}

const notEnded = (rows: ClassRow[], now: Temporal.Instant) =>
  rows.filter((row) => Temporal.Instant.compare(row.endsAt, now) > 0).map(({ id }) => id)

/** The confirmed bookings of these classes, their members and who paid, in the order in which passes are locked. */
export function selectConfirmedIn(reader: Reader, classIds: number[]) {
  return selectWithMembers(reader, eq(bookings.status, 'confirmed'), classIds)
}

function selectWithMembers(reader: Reader, condition: SQL | undefined, classIds: number[]) {
  const payers = aliasedTable(users, 'payers')
  return reader
    .select({
      booking: bookings,
      user: { id: users.id, email: users.email, firstName: users.firstName, lastName: users.lastName },
      payer: { id: payers.id, firstName: payers.firstName },
      hasPassEnded,
    })
    .from(bookings)
    .innerJoin(users, eq(users.id, bookings.userId))
    .innerJoin(passes, eq(passes.id, bookings.passId))
    .innerJoin(payers, eq(payers.id, passes.userId))
    .where(and(condition, inArray(bookings.classId, classIds)))
    .orderBy(asc(bookings.passId), asc(bookings.id))
}
