import { and, asc, eq, gt, inArray, isNull, lte, sql } from 'drizzle-orm'
import { users } from '#accounts/tables.ts'
import { isHealthComplete } from '#health/server/health.ts'
import { passes } from '#passes/tables.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { classes } from '#timetable/tables.ts'
import type { SkipReason, WaitingEntry } from '../contract-waiting.ts'
import { type Waiter, whySkipped } from '../rules.ts'
import { bookings, type WaitingRow, waitingList } from '../tables.ts'
import { type ClassFacts, toClassFacts } from './queries.ts'

/** Somebody in the line of a class. */
export type Waiting = {
  position: number
  userId: string
  firstName: string
  lastName: string
  email: string
  joinedAt: Temporal.Instant
  /** Since when the class stands elsewhere than when they joined, and they have not said that they still want a place. */
  unconfirmedSince: Temporal.Instant | null
  /** They were blocked while they joined; whoever is blocked later leaves every line. */
  isBlocked: boolean
}

/** Who waits for a class, the first in line leading, without blocked members. */
export async function waitingFor(reader: Reader, classId: number): Promise<Waiting[]> {
  return (await lineOf(reader, classId))
    .filter(({ isBlocked }) => !isBlocked)
    .map((row, i) => ({ ...row, position: i + 1 }))
}

/** Everyone in the line of a class, the first leading. */
export async function lineOf(reader: Reader, classId: number): Promise<Waiting[]> {
  const rows = await reader
    .select({
      userId: users.id,
      firstName: users.firstName,
      lastName: users.lastName,
      email: users.email,
      joinedAt: waitingList.joinedAt,
      unconfirmedSince: waitingList.unconfirmedSince,
      isBlocked: sql<boolean>`${users.blockedAt} is not null`,
    })
    .from(waitingList)
    .innerJoin(users, eq(users.id, waitingList.userId))
    .where(eq(waitingList.classId, classId))
    .orderBy(asc(waitingList.joinedAt), asc(waitingList.id))
  return rows.map((row, i) => ({ position: i + 1, ...row }))
}

/** Who waits for any of these classes, with the address to tell them, in the order of the lines. */
export async function inLinesOf(reader: Reader, classIds: number[]) {
  if (classIds.length === 0) return []
  return await reader
    .select({
      classId: waitingList.classId,
      userId: waitingList.userId,
      user: { email: users.email, firstName: users.firstName, lastName: users.lastName },
    })
    .from(waitingList)
    .innerJoin(users, eq(users.id, waitingList.userId))
    .where(inArray(waitingList.classId, classIds))
    .orderBy(asc(waitingList.classId), asc(waitingList.joinedAt), asc(waitingList.id))
}

type EntryParts = Pick<WaitingRow, 'classId' | 'joinedAt' | 'unconfirmedSince'> & {
  position: number
  wouldBeSkipped: SkipReason | null
  class: ClassFacts
}

/** What somebody waits for, the next class first; classes that have begun or are off the timetable are left out. */
export async function waitsOf(reader: Reader, userId: string, now: Temporal.Instant): Promise<EntryParts[]> {
  const rows = await reader
    .select({
      classId: waitingList.classId,
      joinedAt: waitingList.joinedAt,
      unconfirmedSince: waitingList.unconfirmedSince,
      position: sql<number>`(
        select count(*)::int from ${waitingList} before where before.class_id = ${waitingList.classId}
          and (before.joined_at, before.id) <= (${waitingList.joinedAt}, ${waitingList.id}))`,
      class: classes,
    })
    .from(waitingList)
    .innerJoin(classes, eq(classes.id, waitingList.classId))
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
  const waiter = await waiterOf(reader, userId, now)
  return rows.map((row) => ({ ...row, wouldBeSkipped: whySkipped(waiter, row.class) }))
}

/** What decides whether a member can be given a place; their passes are locked where that matters. */
export async function waiterOf(reader: Reader, userId: string, now: Temporal.Instant): Promise<Waiter> {
  const [held, isHealthy, booked, [user]] = await Promise.all([
    reader.select().from(passes).where(eq(passes.userId, userId)).orderBy(asc(passes.expiresAt), asc(passes.id)),
    isHealthComplete(reader, userId),
    reader
      .select({ startsAt: classes.startsAt, endsAt: classes.endsAt })
      .from(bookings)
      .innerJoin(classes, eq(classes.id, bookings.classId))
      .where(and(eq(bookings.userId, userId), eq(bookings.status, 'confirmed'), gt(classes.endsAt, now))),
    reader.select({ blockedAt: users.blockedAt }).from(users).where(eq(users.id, userId)),
  ])
  return { passes: held, isHealthComplete: isHealthy, booked, isBlocked: Boolean(user?.blockedAt) }
}

/** A place in line as the wire knows one. */
export function toWaitingEntry({ class: awaited, ...entry }: EntryParts): WaitingEntry {
  const { classId, position, joinedAt, unconfirmedSince, wouldBeSkipped } = entry
  const needsConfirming = unconfirmedSince !== null
  const facts = { classId, class: toClassFacts(awaited), position, joinedAt: joinedAt.toString() }
  return { ...facts, needsConfirming, wouldBeSkipped }
}

/** Writes that somebody in the line of a (locked) class that was moved still wants a place. */
export async function confirmPlaceInLine(tx: Tx, userId: string, classId: number): Promise<void> {
  await tx
    .update(waitingList)
    .set({ unconfirmedSince: null })
    .where(and(eq(waitingList.userId, userId), eq(waitingList.classId, classId)))
}

/** Everybody who waits for any of these classes. */
export async function membersInLine(reader: Reader, classIds: number[]): Promise<string[]> {
  if (classIds.length === 0) return []
  const rows = await reader
    .selectDistinct({ userId: waitingList.userId })
    .from(waitingList)
    .where(inArray(waitingList.classId, classIds))
  return rows.map(({ userId }) => userId)
}

/** Takes somebody out of the line of a (locked) class. Answers whether they stood in it. */
export async function takeOutOfLine(tx: Tx, userId: string, classId: number): Promise<boolean> {
  const gone = await tx
    .delete(waitingList)
    .where(and(eq(waitingList.userId, userId), eq(waitingList.classId, classId)))
    .returning({ id: waitingList.id })
    .prepare('take_out_of_line')
    .execute()
  return gone.length > 0
}

/** Ends the lines of (locked) classes: nobody waits for them any more. */
export async function endLines(tx: Tx, classIds: number[]): Promise<void> {
  if (classIds.length > 0) await tx.delete(waitingList).where(inArray(waitingList.classId, classIds))
}

/** Ends the lines of classes that have begun. Returns how many waited in vain. */
export async function endLinesOfStartedClasses(tx: Tx, now: Temporal.Instant): Promise<number> {
  const over = tx
    .select({ id: waitingList.id })
    .from(waitingList)
    .innerJoin(classes, eq(classes.id, waitingList.classId))
    .where(lte(classes.startsAt, now))
    // Their classes are not locked: what somebody else holds is left to the next minute.
    .for('update', { of: waitingList, skipLocked: true })
  const gone = await tx.delete(waitingList).where(inArray(waitingList.id, over)).returning({ id: waitingList.id })
  return gone.length
}
