import { and, eq, lte } from 'drizzle-orm'
import type { PassRow } from '#passes/tables.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { studio } from '#studio.ts'
import { reservePlaces } from '#timetable/server/timetable.ts'
import type { ClassRow } from '#timetable/tables.ts'
import { bookings, undoableCancellations } from '../../tables.ts'
import { type EndedPlace, findWaitingFor } from './place-locks.ts'

// Cancellations that members can still undo. `bookings/undo-cancel.ts` undoes and ends them.

export type OwnCancellation = typeof undoableCancellations.$inferSelect

/**
 * Saves a member's cancellation until it is final, when a job queues its email. If the (locked) class has a waiting
 * list, the place is held until then; otherwise anyone can book it.
 */
export async function saveForOwnUndo(
  tx: Tx,
  { place, studioClass, outcome, reason }: EndedPlace,
  { passBefore, isByPayer }: { passBefore: PassRow | undefined; isByPayer: boolean },
): Promise<void> {
  const isPlaceReserved = (await findWaitingFor(tx, [studioClass.id])).length > 0
  if (isPlaceReserved) await reservePlaces(tx, [studioClass.id], studioClass.reservedPlaces + 1)
  await tx.insert(undoableCancellations).values({
    bookingId: place.id,
    cancelledAt: place.cancelledAt ?? place.bookedAt,
    outcome,
    reason,
    isPlaceReserved,
    classUpdatedAt: studioClass.updatedAt,
    passExpiresAt: passBefore?.expiresAt ?? null,
    isByPayer,
  })
  await tx.enqueue('end-undo', {})
}

/** How many places of a (locked) class are held because their members can still undo cancelling. */
export async function countPlacesForUndo(reader: Reader, { id, updatedAt }: ClassRow): Promise<number> {
  const rows = await reader
    .select({ id: bookings.id })
    .from(undoableCancellations)
    .innerJoin(bookings, eq(bookings.id, undoableCancellations.bookingId))
    .where(
      and(
        eq(bookings.classId, id),
        eq(undoableCancellations.isPlaceReserved, true),
        eq(undoableCancellations.classUpdatedAt, updatedAt),
      ),
    )
  return rows.length
}

/** Cancellations made at or before this are final. */
export const ownUndoCutoff = (now: Temporal.Instant) =>
  now.subtract({ seconds: studio.policies.cancellationUndo.allowedSeconds })

/** The bookings whose cancellation was made at or before `madeUntil`, in the order in which they are ended. */
export async function findOwnCancellations(reader: Reader, madeUntil: Temporal.Instant): Promise<number[]> {
  const rows = await reader
    .select({ id: undoableCancellations.bookingId })
    .from(undoableCancellations)
    .where(lte(undoableCancellations.cancelledAt, madeUntil))
    .orderBy(undoableCancellations.bookingId)
  return rows.map(({ id }) => id)
}

/** Takes the saved cancellation of a (locked) booking; undefined if it was undone or ended before. */
export async function takeOwnCancellation(tx: Tx, bookingId: number): Promise<OwnCancellation | undefined> {
  const [taken] = await tx
    .delete(undoableCancellations)
    .where(eq(undoableCancellations.bookingId, bookingId))
    .returning()
  return taken
}

/** After a restore: Undo has long run out, and the emails must not be sent again. */
export async function forgetOwnCancellations(tx: Tx): Promise<void> {
  await tx.delete(undoableCancellations)
}
