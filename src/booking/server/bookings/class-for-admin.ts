import { asc, eq } from 'drizzle-orm'
import { STEP_UP_AFTER_MINUTES } from '#accounts/rules.ts'
import { users } from '#accounts/tables.ts'
import { commonRefusals, refuse } from '#foundation/refusal.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import type { Vault } from '#platform/vault/vault.ts'
import { timetableRefusals } from '#timetable/contract.ts'
import {
  classesBetween,
  classIdsBetween,
  type Days,
  findClass,
  similarClasses,
  toStudioClass,
} from '#timetable/server/timetable.ts'
import type { ClassRow } from '#timetable/tables.ts'
import type { ClassPeople } from '../../contract-classes.ts'
import { isMovedByStudio, isNotesDay } from '../../rules.ts'
import { takenPlaces } from '../../tables.ts'
import { selectCancelledLate, selectConfirmedAhead } from '../places/affected-places.ts'
import { findWaitingFor } from '../places/place-locks.ts'
import { type ClassIds, findBookingsIn } from '../places/queries.ts'
import { findWaitingMembers, offerEndOf } from '../waiting/waiting-queries.ts'
import { NO_NOTES, notesFor } from './day.ts'

/** One class with its participants, and what a change would affect, counted by the change's own queries. */
export async function classForAdmin(reader: Reader, id: number, now: Temporal.Instant) {
  const found = (await findClass(reader, id)) ?? refuse(timetableRefusals.class_not_found)
  const alike = await similarClasses(reader, id, { recurring: true, now })
  const later = await similarClasses(reader, id, { recurring: 'later', now })
  const [taken, line, one, afterIt, all] = await Promise.all([
    reader
      .select({
        id: takenPlaces.id,
        status: takenPlaces.status,
        user: { id: users.id, firstName: users.firstName, lastName: users.lastName },
      })
      .from(takenPlaces)
      .innerJoin(users, eq(users.id, takenPlaces.userId))
      .where(eq(takenPlaces.classId, id))
      .orderBy(asc(takenPlaces.id)),
    findWaitingMembers(reader, id),
    countAffected(reader, [found.class], now),
    countAffected(reader, later, now),
    countAffected(reader, alike, now),
  ])
  return {
    class: toStudioClass(found),
    bookings: taken.filter(({ status }) => status !== 'cancelled'),
    waiting: line.map(({ position, userId, firstName, lastName, ...waiting }) => ({
      position,
      user: { id: userId, firstName, lastName },
      offeredUntil: offerEndOf(waiting, now),
    })),
    touches: { one, later: afterIt, all },
    seriesStart: found.series?.firstDate ?? null,
  }
}

async function countAffected(reader: Reader, rows: ClassRow[], now: Temporal.Instant) {
  const ids = rows.map(({ id }) => id)
  const [booked, late, waiting] = await Promise.all([
    selectConfirmedAhead(reader, rows, now),
    selectCancelledLate(reader, rows, now),
    findWaitingFor(reader, ids),
  ])
  const members = booked.map(({ booking }) => booking.userId)
  return {
    classes: rows.length,
    bookings: booked.length,
    credits: booked.filter(({ hasPassEnded }) => !hasPassEnded).length + late.length,
    members: new Set([...members, ...late.map(({ booking }) => booking.userId)]).size,
    waiting: waiting.length,
    people: new Set([...members, ...waiting.map(({ userId }) => userId)]).size,
    calls: new Set(
      [...booked.map(({ booking, user }) => ({ userId: booking.userId, user })), ...waiting]
        .filter(({ user }) => user.email === null)
        .map(({ userId }) => userId),
    ).size,
    /** Capacity cannot go below this. */
    mostBooked: Math.max(0, ...rows.map(({ bookedCount }) => bookedCount)),
  }
}

/** Participants and waiting lists, by class. */
export async function findPeopleIn(
  reader: Reader,
  classIds: ClassIds,
  now: Temporal.Instant,
): Promise<ReadonlyMap<number, ClassPeople>> {
  const [places, line] = await Promise.all([findBookingsIn(reader, classIds), findWaitingFor(reader, classIds)])
  const booked = Map.groupBy(places, ({ classId }) => classId)
  const waiting = Map.groupBy(line, ({ classId }) => classId)
  const ids = new Set([...booked.keys(), ...waiting.keys()])
  return new Map(
    Array.from(ids, (classId) => [
      classId,
      {
        classId,
        booked: (booked.get(classId) ?? []).map((place) => {
          return { ...toPerson(place), bookingId: place.id, bookedBy: place.bookedBy }
        }),
        waiting: (waiting.get(classId) ?? []).map(({ userId, user, offeredUntil }) => ({
          ...toPerson({ userId, ...user }),
          offeredUntil: offerEndOf({ offeredUntil }, now),
        })),
      },
    ]),
  )
}

type Person = { userId: string; firstName: string; lastName: string; email: string | null }
export const toPerson = ({ userId, firstName, lastName, email }: Person) => {
  return { id: userId, firstName, lastName, isByPhone: email === null }
}

/** Participants and waiting lists of the classes of some days. */
export async function findPeopleBetween(reader: Reader, days: Days, now: Temporal.Instant): Promise<ClassPeople[]> {
  const people = await findPeopleIn(reader, classIdsBetween(reader, days), now)
  return [...people.values()]
}

/**
 * The classes of some days with participants, inactive ones included, for an admin; reading health notes is recorded.
 *
 * @param query.withNotes refuses, asking for an identity check, if notes would be hidden
 */
export async function sessionsBetween(
  tx: Tx,
  vault: Vault,
  admin: { id: string; mustProve(minutes: number): boolean },
  query: { from: string; to: string; withNotes?: 'true' },
  now: Temporal.Instant,
) {
  const mustProve = admin.mustProve(STEP_UP_AFTER_MINUTES)
  const isHidden = ({ date }: { date: string }) => mustProve && !isNotesDay(date, now)
  const classes = await classesBetween(tx, query, { inactiveToo: true })
  if (query.withNotes && classes.some((row) => isHidden(row.class))) refuse(commonRefusals.step_up_required)
  const places = await findBookingsIn(
    tx,
    classes.map((row) => row.class.id),
    { justCancelledToo: true },
  )
  const line = await findWaitingFor(
    tx,
    classes.filter((row) => row.class.reservedPlaces > 0).map((row) => row.class.id),
  )
  const shown = new Set(classes.filter((row) => !isHidden(row.class)).map((row) => row.class.id))
  const notesOf = await notesFor(
    tx,
    vault,
    admin,
    places.filter(({ classId, status }) => shown.has(classId) && status !== 'cancelled'),
    now,
    { areOpened: Boolean(query.withNotes) },
  )
  return classes.map((row) => ({
    class: toStudioClass(row),
    areNotesHidden: !shown.has(row.class.id),
    bookings: places
      .filter(({ classId }) => classId === row.class.id)
      .map(({ classId, movedAt, bookedWith, email, ...place }) => ({
        ...place,
        isByPhone: email === null,
        isMoved: isMovedByStudio({ movedAt, bookedWith }),
        ...(shown.has(classId) && place.status !== 'cancelled' ? notesOf(place) : NO_NOTES),
      })),
    offers: line.flatMap(({ classId, userId, user: { firstName, lastName }, ...waiting }) => {
      const until = classId === row.class.id ? offerEndOf(waiting, now) : null
      return until === null ? [] : [{ user: { id: userId, firstName, lastName }, until }]
    }),
  }))
}
