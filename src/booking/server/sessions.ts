import { ASKED_AGAIN_AFTER_MINUTES } from '#accounts/rules.ts'
import { commonRefusals, refuse } from '#foundation/refusal.ts'
import { type HealthVault, instructorNotesOf } from '#health/server/health.ts'
import type { Tx } from '#platform/database/database.ts'
import { classesBetween, toStudioClass } from '#timetable/server/timetable.ts'
import type { Session } from '../contract-classes.ts'
import { isNotesDay } from '../rules.ts'
import { placesIn } from './queries.ts'

/**
 * The classes of a few days with who comes, for an admin; whose health notes were shown is recorded. An inactive class
 * is among them: the owner sees that it was taken off.
 *
 * @param query.withNotes refuses, where notes would be hidden, with the request to confirm first
 */
export async function sessionsBetween(
  tx: Tx,
  vault: HealthVault,
  admin: { id: string; mustProve(minutes: number): boolean },
  query: { from: string; to: string; withNotes?: 'true' },
  now: Temporal.Instant,
): Promise<Session[]> {
  const mustProve = admin.mustProve(ASKED_AGAIN_AFTER_MINUTES)
  const isHidden = ({ date }: { date: string }) => mustProve && !isNotesDay(date, now)
  const classes = await classesBetween(tx, query, { inactiveToo: true })
  if (query.withNotes && classes.some((row) => isHidden(row.class))) refuse(commonRefusals.step_up_required)
  const places = await placesIn(
    tx,
    classes.map((row) => row.class.id),
  )
  const shown = new Set(classes.filter((row) => !isHidden(row.class)).map((row) => row.class.id))
  const notes = await instructorNotesOf(
    tx,
    vault,
    admin,
    places.filter(({ classId }) => shown.has(classId)).map(({ userId }) => userId),
    now,
  )
  return classes.map((row) => ({
    class: toStudioClass(row),
    areNotesHidden: !shown.has(row.class.id),
    bookings: places
      .filter(({ classId }) => classId === row.class.id)
      .map(({ classId, movedAt, ...place }) => ({
        ...place,
        isMoved: movedAt !== null,
        notes: shown.has(classId) ? (notes.get(place.userId) ?? null) : null,
      })),
  }))
}
