import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { CONTACT, users } from '#accounts/tables.ts'
import { pick } from '#foundation/collections.ts'
import { lockPassesOf } from '#passes/server/passes.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { type ClassRow, classes } from '#timetable/tables.ts'
import { bookings, type PlaceRow, waitingList } from '../../tables.ts'
import type { ClassIds } from './queries.ts'

/** A place and its class, both locked. */
export type LockedPlace = { place: PlaceRow; studioClass: ClassRow }

/** `outcome` and `reason` are what the emails say. */
export type EndedPlace = LockedPlace & {
  outcome: 'credit_returned' | 'forfeited' | 'no_pass'
  reason: 'in_time' | 'late' | 'moved' | 'other_teacher' | 'decided'
}

/** Locks places and reads their classes, which the caller has locked; by pass and id, the order of locks. */
export async function lockedPlaces(tx: Tx, where: SQL | undefined): Promise<LockedPlace[]> {
  return await tx
    .select({ place: bookings, studioClass: classes })
    .from(bookings)
    .innerJoin(classes, eq(classes.id, bookings.classId))
    .where(where)
    .orderBy(asc(bookings.passId), asc(bookings.id))
    .for('no key update', { of: bookings })
}

/** The members whose passes pay for other people's places in these classes. */
export async function payersIn(reader: Reader, classIds: readonly number[]): Promise<string[]> {
  if (classIds.length === 0) return []
  const rows = await reader
    .selectDistinct({ payerId: bookings.payerId })
    .from(bookings)
    .where(and(inArray(bookings.classId, [...classIds]), sql`${bookings.payerId} is distinct from ${bookings.userId}`))
  return rows.flatMap(({ payerId }) => payerId ?? [])
}

/** The waiting lists of these classes with addresses, in their order. */
export async function findWaitingFor(reader: Reader, classIds: ClassIds) {
  if (Array.isArray(classIds) && classIds.length === 0) return []
  return await reader
    .select({
      classId: waitingList.classId,
      userId: waitingList.userId,
      offeredUntil: waitingList.offeredUntil,
      user: pick(users, CONTACT),
    })
    .from(waitingList)
    .innerJoin(users, eq(users.id, waitingList.userId))
    .where(inArray(waitingList.classId, classIds))
    .orderBy(asc(waitingList.classId), asc(waitingList.joinedAt), asc(waitingList.id))
}

/**
 * Locks the passes of everyone who may pay or be paid back when places in these (locked) classes become free, before
 * any moves: two members who wait for each other's class then cannot deadlock.
 *
 * @returns the classes' waiting lists
 */
export async function lockPassesForFreedPlaces(tx: Tx, classIds: number[], ...givingUp: string[]) {
  const waiting = await findWaitingFor(tx, classIds)
  const affected = new Set([...waiting.map(({ userId }) => userId), ...(await payersIn(tx, classIds)), ...givingUp])
  if (affected.size > 0) await lockPassesOf(tx, [...affected])
  return waiting
}
