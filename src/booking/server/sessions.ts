import { type HealthVault, instructorNotesOf } from '../../health/server/health.ts'
import type { Tx } from '../../platform/database/database.ts'
import { classesBetween, toStudioClass } from '../../timetable/server/timetable.ts'
import type { Session } from '../contract-classes.ts'
import { placesIn } from './queries.ts'

/**
 * The classes of a few days with who comes, for an admin; whose health notes were shown is recorded. An inactive class
 * is among them: the owner sees that it was taken off.
 */
export async function sessionsBetween(
  tx: Tx,
  vault: HealthVault,
  admin: { id: string },
  days: { from: string; to: string },
  now: Temporal.Instant,
): Promise<Session[]> {
  const classes = await classesBetween(tx, days, { inactiveToo: true })
  const places = await placesIn(
    tx,
    classes.map((row) => row.class.id),
  )
  const notes = await instructorNotesOf(
    tx,
    vault,
    admin,
    places.map(({ userId }) => userId),
    now,
  )
  return classes.map((row) => ({
    class: toStudioClass(row),
    bookings: places
      .filter(({ classId }) => classId === row.class.id)
      .map(({ classId, movedAt, ...place }) => ({
        ...place,
        isMoved: movedAt !== null,
        notes: notes.get(place.userId) ?? null,
      })),
  }))
}
