import { and, asc, eq, gt, inArray, isNull, lte, sql } from 'drizzle-orm'
import { users } from '#accounts/tables.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { classes } from '#timetable/tables.ts'
import type { SkipReason } from '../../contract-waiting.ts'
import { hasOffer } from '../../rules.ts'
import { skipReasonOf } from '../../rules-places.ts'
import type { FormerEntry } from '../../tables.ts'
import { type WaitingRow, waitingList } from '../../tables.ts'
import type { ClassFacts } from '../places/queries.ts'
import { findStanding, wayOf } from '../places/standings.ts'

/** A member on the waiting list of a class. */
export type WaitingMember = {
  position: number
  userId: string
  firstName: string
  lastName: string
  email: string | null
  joinedAt: Temporal.Instant
  /** The regular booking that put them there; null if they joined. */
  regularBookingId: number | null
  /** Since when the studio has moved the class and the member has not confirmed. */
  unconfirmedSince: Temporal.Instant | null
  turn: WaitingRow['turn']
  offeredUntil: Temporal.Instant | null
  /** Blocked while joining; blocking removes members from every list. */
  isBlocked: boolean
}

/** The waiting list of a class in its order, without blocked members. */
export async function findWaitingMembers(reader: Reader, classId: number): Promise<WaitingMember[]> {
  return (await findEntries(reader, classId))
    .filter(({ isBlocked }) => !isBlocked)
    .map((row, i) => ({ ...row, position: i + 1 }))
}

/** The waiting list of a class in its order, blocked members included. */
export async function findEntries(reader: Reader, classId: number): Promise<WaitingMember[]> {
  const rows = await reader
    .select({
      userId: users.id,
      firstName: users.firstName,
      lastName: users.lastName,
      email: users.email,
      joinedAt: waitingList.joinedAt,
      regularBookingId: waitingList.regularBookingId,
      unconfirmedSince: waitingList.unconfirmedSince,
      turn: waitingList.turn,
      offeredUntil: waitingList.offeredUntil,
      isBlocked: sql<boolean>`${users.blockedAt} is not null`,
    })
    .from(waitingList)
    .innerJoin(users, eq(users.id, waitingList.userId))
    .where(eq(waitingList.classId, classId))
    .orderBy(asc(waitingList.joinedAt), asc(waitingList.id))
  return rows.map((row, i) => ({ position: i + 1, ...row }))
}

/** Until when a place is offered to a waiting member (ISO 8601), or null. */
export const offerEndOf = (waiting: Pick<WaitingRow, 'offeredUntil'>, now: Temporal.Instant) =>
  hasOffer(waiting, now) ? String(waiting.offeredUntil) : null

type WaitingEntryParts = Pick<WaitingRow, 'classId' | 'joinedAt' | 'unconfirmedSince' | 'offeredUntil'> & {
  position: number
  wouldBeSkipped: SkipReason | null
  class: ClassFacts
}

/** The waiting lists of active classes that have not started, which a member is on; next class first. */
export async function waitingListsOf(
  reader: Reader,
  userId: string,
  now: Temporal.Instant,
): Promise<WaitingEntryParts[]> {
  const rows = await reader
    .select({
      classId: waitingList.classId,
      email: users.email,
      joinedAt: waitingList.joinedAt,
      regularBookingId: waitingList.regularBookingId,
      unconfirmedSince: waitingList.unconfirmedSince,
      offeredUntil: waitingList.offeredUntil,
      position: sql<number>`(
        select count(*)::int from ${waitingList} before where before.class_id = ${waitingList.classId}
          and (before.joined_at, before.id) <= (${waitingList.joinedAt}, ${waitingList.id}))`,
      class: classes,
    })
    .from(waitingList)
    .innerJoin(classes, eq(classes.id, waitingList.classId))
    .innerJoin(users, eq(users.id, waitingList.userId))
    .where(
      and(
        eq(waitingList.userId, userId),
        gt(classes.startsAt, now),
        eq(classes.isActive, true),
        isNull(classes.deletedAt),
      ),
    )
    .orderBy(asc(classes.startsAt), asc(classes.id))
  if (rows.length === 0) return []
  const ways = rows.map(wayOf)
  const awaited = rows.map((row) => row.class)
  const standing = await findStanding(reader, userId, {
    now,
    classes: awaited,
    isUnasked: ways.some(({ isUnasked }) => isUnasked),
  })
  return rows.map((row) => ({
    ...row,
    offeredUntil: hasOffer(row, now) ? row.offeredUntil : null,
    wouldBeSkipped: skipReasonOf(standing, row.class, wayOf(row), now),
  }))
}

export const toWaitingEntry = (entry: WaitingEntryParts) => {
  return { ...entry, needsConfirming: entry.unconfirmedSince !== null }
}

/** Records that a member on the waiting list of a (locked) moved class still wants a place, whatever put them there. */
export async function confirmWaiting(tx: Tx, userId: string, classId: number): Promise<void> {
  await tx
    .update(waitingList)
    .set({ unconfirmedSince: null, regularBookingId: null })
    .where(and(eq(waitingList.userId, userId), eq(waitingList.classId, classId)))
}

/** Takes a member off the waiting list of a (locked) class. Returns whether they were on it. */
export async function removeFromWaitingList(tx: Tx, userId: string, classId: number): Promise<boolean> {
  const removed = await tx
    .delete(waitingList)
    .where(and(eq(waitingList.userId, userId), eq(waitingList.classId, classId)))
    .returning({ id: waitingList.id })
    .prepare('leave_waiting_list')
    .execute()
  return removed.length > 0
}

/** Sets the turns of members on the waiting list of a (locked) class. */
export async function setTurns(
  tx: Tx,
  classId: number,
  userIds: readonly string[],
  to: Pick<WaitingRow, 'turn'> & { offeredUntil?: Temporal.Instant },
): Promise<void> {
  if (userIds.length === 0) return
  await tx
    .update(waitingList)
    .set({ offeredUntil: null, ...to })
    .where(and(eq(waitingList.classId, classId), inArray(waitingList.userId, [...userIds])))
}

/** Begins the turns of (locked) classes again, as another place is free; running offers stay. */
export async function restartTurns(tx: Tx, classIds: readonly number[]): Promise<void> {
  const isBehind = and(inArray(waitingList.classId, [...classIds]), inArray(waitingList.turn, ['skipped', 'over']))
  if (classIds.length > 0) await tx.update(waitingList).set({ turn: null }).where(isBehind)
}

/**
 * Ends the offer of a place in a (locked) class to a member who takes or declines it. The place stays held.
 *
 * @returns whether there was one
 */
export async function endOffer(tx: Tx, userId: string, classId: number, now: Temporal.Instant): Promise<boolean> {
  const ended = await tx
    .update(waitingList)
    .set({ turn: 'over', offeredUntil: null })
    .where(and(eq(waitingList.userId, userId), eq(waitingList.classId, classId), gt(waitingList.offeredUntil, now)))
    .returning({ id: waitingList.id })
  return ended.length > 0
}

/** Ends offers that ran out, without an email; the job offers their places to the next on the list. */
export async function endOffersPast(tx: Tx, now: Temporal.Instant): Promise<void> {
  await tx.update(waitingList).set({ turn: 'over', offeredUntil: null }).where(lte(waitingList.offeredUntil, now))
}

/** Ends the waiting lists of (locked) classes. */
export async function clearWaitingLists(tx: Tx, classIds: number[]): Promise<void> {
  if (classIds.length > 0) await tx.delete(waitingList).where(inArray(waitingList.classId, classIds))
}

/** Ends the waiting lists of classes that have started. Returns how many entries were deleted. */
export async function clearWaitingListsOfStartedClasses(tx: Tx, now: Temporal.Instant): Promise<number> {
  const over = tx
    .select({ id: waitingList.id })
    .from(waitingList)
    .innerJoin(classes, eq(classes.id, waitingList.classId))
    .where(lte(classes.startsAt, now))
    // Classes are not locked: rows locked by another transaction are left to the next minute.
    .for('update', { of: waitingList, skipLocked: true })
  const gone = await tx.delete(waitingList).where(inArray(waitingList.id, over)).returning({ id: waitingList.id })
  return gone.length
}

/** Puts members back at their former places on the lists. */
export async function restoreEntries(tx: Tx, rows: readonly FormerEntry[]): Promise<void> {
  await tx
    .insert(waitingList)
    .overridingSystemValue()
    .values(
      rows.map(({ joinedAt, unconfirmedSince, offeredUntil, ...row }) => ({
        ...row,
        joinedAt: Temporal.Instant.from(joinedAt),
        unconfirmedSince: unconfirmedSince === null ? null : Temporal.Instant.from(unconfirmedSince),
        offeredUntil: offeredUntil === null ? null : Temporal.Instant.from(offeredUntil),
      })),
    )
    .onConflictDoNothing()
}
