import { and, asc, inArray } from 'drizzle-orm'
import { graceUntil, hasEnded } from '#booking/rules.ts'
import {
  clearWaitingLists,
  giveUpPlaces,
  isLateIn,
  type LockedPlace,
  lockedPlaces,
  markReturned,
  notEnded,
  payersIn,
} from '#booking/server/booking.ts'
import { bookings, waitingList } from '#booking/tables.ts'
import { findPasses, lockPassesOf, returnAsGoodwill } from '#passes/server/passes.ts'
import type { Tx } from '#platform/database/database.ts'
import { hasStarted } from '#timetable/rules.ts'
import { reservePlaces } from '#timetable/server/timetable.ts'
import type { ClassRow } from '#timetable/tables.ts'
import type { Lost } from '../tables.ts'

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
