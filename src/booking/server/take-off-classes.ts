import { and, asc, type Column, eq, getColumns, inArray, isNotNull, isNull, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { users } from '#accounts/tables.ts'
import { findPasses, lockPassesOf, returnAsGoodwill } from '#passes/server/passes.ts'
import { passes } from '#passes/tables.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { hasStarted } from '#timetable/rules.ts'
import { reservePlaces } from '#timetable/server/timetable.ts'
import type { ClassRow } from '#timetable/tables.ts'
import { graceUntil, hasEnded } from '../rules.ts'
import { bookings, type Lost, takenPlaces, waitingList } from '../tables.ts'
import { giveUpPlaces, markReturned } from './give-up-places.ts'
import { type LockedPlace, lockedPlaces, payersIn } from './place-locks.ts'
import { hasPassEnded } from './queries.ts'
import { clearWaitingLists } from './waiting-queries.ts'

/** Cancelled places by class, held ones included. */
export type TakenOff = ReadonlyMap<number, readonly LockedPlace[]>

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
  const open = notEnded(rows, now)
  const isLive = inArray(bookings.status, ['held', 'confirmed'])
  const live = await lockedPlaces(tx, and(isLive, inArray(bookings.classId, open)))
  const late = await lockedPlaces(tx, and(isLateIn(bookings), inArray(bookings.classId, open)))
  const places = [...live, ...late].map(({ place }) => place)
  const payers = await payersIn(
    tx,
    rows.map(({ id }) => id),
  )
  await lockPassesOf(tx, [...new Set([...places.flatMap(({ payerId }) => payerId ?? []), ...payers])])
  const paying = await findPasses(tx, [...new Set(places.flatMap(({ passId }) => passId ?? []))])
  const canTakeBack = new Set(paying.filter((pass) => !hasEnded(pass)).map(({ id }) => id))
  const validUntil = graceUntil(now)
  const cause = { causedBy: { by: 'admin' as const, id: admin.id }, reason, now }
  await giveUpPlaces(tx, live, 'class_cancelled', cause)
  const forgiven = late.map(({ place }) => place).filter(({ passId }) => passId !== null && canTakeBack.has(passId))
  await returnAsGoodwill(tx, forgiven, { ...cause, validUntil })
  const lateIds = forgiven.map(({ id }) => id)
  await markReturned(tx, lateIds)
  const ids = rows.map(({ id }) => id)
  // A started class has no waiting list any more, only rows that the next run deletes.
  const ahead = rows.filter(({ startsAt }) => !hasStarted(startsAt, now)).map(({ id }) => id)
  const waiting = await tx
    .select()
    .from(waitingList)
    .where(inArray(waitingList.classId, ahead))
    .orderBy(asc(waitingList.classId), asc(waitingList.joinedAt), asc(waitingList.id))
  await clearWaitingLists(tx, ids)
  await reservePlaces(tx, ids, 0)
  const lost: Lost = {
    bookings: live.map(({ place }) => place.id),
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
  return { cancelled: Map.groupBy(live, ({ place }) => place.classId), lost }
}

/** The confirmed bookings of classes that have not ended. */
export function selectConfirmedAhead(reader: Reader, rows: ClassRow[], now: Temporal.Instant) {
  return selectConfirmedIn(reader, notEnded(rows, now))
}

/** Late cancellations of classes that have not ended, whose credits can still go back to their passes. */
export function selectCancelledLate(reader: Reader, rows: ClassRow[], now: Temporal.Instant) {
  const isPassGood = and(isNotNull(passes.id), isNull(passes.voidedAt), isNull(passes.refundedAt))
  return selectWithMembers(reader, and(isLateIn(takenPlaces), isPassGood), notEnded(rows, now))
}

const isLateIn = ({ status, paymentStatus }: Record<'status' | 'paymentStatus', Column>) =>
  and(eq(status, 'cancelled'), eq(paymentStatus, 'forfeited'))

const notEnded = (rows: ClassRow[], now: Temporal.Instant) =>
  rows.filter((row) => Temporal.Instant.compare(row.endsAt, now) > 0).map(({ id }) => id)

/** The confirmed bookings of these classes, their members and who paid, in the order in which passes are locked. */
export function selectConfirmedIn(reader: Reader, classIds: number[]) {
  return selectWithMembers(reader, eq(takenPlaces.status, 'confirmed'), classIds)
}

function selectWithMembers(reader: Reader, condition: SQL | undefined, classIds: number[]) {
  const payers = alias(users, 'payers')
  return reader
    .select({
      booking: getColumns(takenPlaces),
      user: { id: users.id, email: users.email, firstName: users.firstName, lastName: users.lastName },
      payer: { id: payers.id, firstName: payers.firstName },
      hasPassEnded,
    })
    .from(takenPlaces)
    .innerJoin(users, eq(users.id, takenPlaces.userId))
    .leftJoin(passes, eq(passes.id, takenPlaces.passId))
    .leftJoin(payers, eq(payers.id, takenPlaces.payerId))
    .where(and(condition, inArray(takenPlaces.classId, classIds)))
    .orderBy(asc(takenPlaces.passId), asc(takenPlaces.id))
}
