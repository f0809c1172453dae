import { asc, eq } from 'drizzle-orm'
import { accountRefusals } from '#accounts/contract.ts'
import { eraseUser, recipient, refuseLosingLastAdmin, userForUpdate } from '#accounts/server/accounts.ts'
import { type UserRow, users } from '#accounts/tables.ts'
import { recordAdminChange } from '#audit/server/audit.ts'
import { bookingsEnding, classesHeldBy, lockPassesAround, offerFreedPlaces } from '#booking/server/booking.ts'
import { bookings, waitingList } from '#booking/tables.ts'
import { refuse } from '#foundation/refusal.ts'
import { forgetQueued, forgetSubscriber, forgetUndelivered, queueMail } from '#messages/server/messages.ts'
import { erasePasses } from '#passes/server/passes.ts'
import { forgetSaleNotes } from '#payments/server/payments.ts'
import { BeginAgain, type Database, type Reader, type Tx } from '#platform/database/database.ts'
import { deleteKeysOf } from '#platform/http/idempotency.ts'
import { classesForUpdate } from '#timetable/server/timetable.ts'
import { erasures } from '../tables.ts'

/** An admin deletes a user; that it was done is on record. */
export async function deleteUser(tx: Tx, admin: { id: string }, id: string, now: Temporal.Instant): Promise<void> {
  await eraseMember(tx, id, now)
  await recordAdminChange(tx, admin, { action: 'deleted', subject: { kind: 'user', id } }, now)
}

/**
 * Erases a user: account, passes, the bookings they paid, places in line, health data, sessions and the newsletter to
 * the account's address. Their places in classes are free again and offered to those who wait, and the user is mailed that
 * they have ended. Purchases stay without name or email. The last admin cannot go.
 */
export async function eraseMember(tx: Tx, id: string, now: Temporal.Instant): Promise<void> {
  const user = (await lockMember(tx, id)) ?? refuse(accountRefusals.user_not_found)
  await refuseLosingLastAdmin(tx, user)
  const ending = await bookingsEnding(tx, id, now)
  if (ending.length > 0) await queueMail(tx, 'account-erased', { to: recipient(user), classes: ending })
  await eraseLocked(tx, user, now)
}

/**
 * Locks all that erasing a user touches, in booking's order: classes, passes, the user. Undefined where there is none.
 *
 * @throws BeginAgain when the user has booked or waits for another class meanwhile, which would now be locked too late
 */
export async function lockMember(tx: Tx, id: string): Promise<UserRow | undefined> {
  await lockWhatBookingLocks(tx, id)
  return await userForUpdate(tx, id)
}

/** Erases a user whom {@link lockMember} has locked, and writes the id down, so that no restored backup brings them back. */
export async function eraseLocked(tx: Tx, user: UserRow, now: Temporal.Instant): Promise<void> {
  const { id } = user
  const freed = await classesHeldBy(tx, id)
  await erasePasses(tx, [id])
  await forgetSubscriber(tx, user.email)
  await forgetUndelivered(tx, user.email)
  await forgetQueued(tx, user.email)
  await deleteKeysOf(tx, user)
  await forgetSaleNotes(tx, id)
  await eraseUser(tx, id)
  await recordErasures(tx, [id], now)
  await offerFreedPlaces(tx, freed, now)
}

/** Classes before passes before the user, as booking does: a member who is just booking is waited for, not deadlocked with. */
async function lockWhatBookingLocks(tx: Tx, userId: string): Promise<void> {
  const theirs = await classesConcerning(tx, userId)
  await classesForUpdate(tx, theirs)
  await lockPassesAround(tx, await classesHeldBy(tx, userId), userId)
  const theirsNow = await classesConcerning(tx, userId)
  if (theirsNow.some((id) => !theirs.includes(id)))
    throw new BeginAgain('the user has booked or waits for another class')
}

/** The classes that a user has ever booked or waits for. */
async function classesConcerning(tx: Tx, userId: string): Promise<number[]> {
  const booked = tx.select({ id: bookings.classId }).from(bookings).where(eq(bookings.userId, userId))
  const awaited = tx.select({ id: waitingList.classId }).from(waitingList).where(eq(waitingList.userId, userId))
  return (await booked.union(awaited)).map(({ id }) => id)
}

/**
 * Erases again whoever was erased and is back, because a backup was restored that still held them. They are told nothing:
 * they were told when it was done. Their places are offered anew.
 *
 * @returns how many were back
 */
export async function eraseAgain(database: Database, now: Temporal.Instant): Promise<number> {
  const back = await database.db
    .select({ id: users.id })
    .from(users)
    .innerJoin(erasures, eq(erasures.userId, users.id))
    .orderBy(users.id)
  for (const { id } of back) {
    await database.transaction(async (tx) => {
      const user = await lockMember(tx, id)
      if (user) await eraseLocked(tx, user, now)
    })
  }
  return back.length
}

/**
 * Writes down, by their ids and nothing else, who was erased; what keeps the journal beside the backups hears of it. Ids
 * that stand there already keep their date.
 */
export async function recordErasures(tx: Tx, ids: readonly string[], now: Temporal.Instant): Promise<void> {
  if (ids.length === 0) return
  await tx
    .insert(erasures)
    .values(ids.map((userId) => ({ userId, erasedAt: now })))
    .onConflictDoNothing()
  await tx.enqueue('write-erasures', {})
}

/** The ids of everybody who was erased, in the order of erasing. */
export async function erasedIds(reader: Reader): Promise<string[]> {
  const rows = await reader
    .select({ id: erasures.userId })
    .from(erasures)
    .orderBy(asc(erasures.erasedAt), asc(erasures.userId))
  return rows.map(({ id }) => id)
}
