import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { accountRefusals } from '#accounts/contract.ts'
import { fullName } from '#accounts/rules.ts'
import {
  eraseUser,
  findByEmail,
  findUser,
  formerAddresses,
  pendingEmail,
  recipient,
  refuseLosingLastAdmin,
  userForUpdate,
} from '#accounts/server/accounts.ts'
import { type UserRow, users } from '#accounts/tables.ts'
import { recordAdminChange } from '#audit/server/audit.ts'
import {
  bookedClassIdsOf,
  cancellationsOnErasure,
  endHoldsOnErasure,
  forAddressesOf,
  leaveOthers,
  lockPassesForFreedPlaces,
  offerFreedPlaces,
} from '#booking/server/booking.ts'
import { bookings, invitations, takenPlaces, waitingList } from '#booking/tables.ts'
import { keysOf } from '#foundation/collections.ts'
import { refuse } from '#foundation/refusal.ts'
import { hasHealthInformation } from '#health/server/health.ts'
import {
  deleteSubscriber,
  deleteUndelivered,
  eraseNameFromMails,
  eraseQueuedMails,
  queueMail,
} from '#messages/server/messages.ts'
import { erasePasses, passesOf } from '#passes/server/passes.ts'
import { purchases } from '#payments/tables.ts'
import { type Database, type Reader, RetryTransaction, type Tx } from '#platform/database/database.ts'
import { deleteKeysOf } from '#platform/http/write.ts'
import { classesForUpdate } from '#timetable/server/timetable.ts'
import { classes } from '#timetable/tables.ts'
import { eraseVouchersOf } from '#vouchers/server/vouchers.ts'
import { type DeletionFacts, privacyRefusals } from '../contract.ts'
import { complaints, dataComplaints, erasures } from '../tables.ts'

/** What deleting a user would erase, and what would stay. */
export async function deletionFacts(reader: Reader, id: string, now: Temporal.Instant): Promise<DeletionFacts> {
  const user = (await findUser(reader, id)) ?? refuse(accountRefusals.user_not_found)
  const upcoming = sql<number>`count(*) filter (where ${takenPlaces.status} = 'confirmed' and ${classes.startsAt} > ${now.toString()}::timestamptz)::int`
  const [booked] = await reader
    .select({ upcoming, all: sql<number>`count(*)::int` })
    .from(takenPlaces)
    .innerJoin(classes, eq(classes.id, takenPlaces.classId))
    .where(eq(takenPlaces.userId, id))
  const active = await passesOf(reader, id, { activeAt: now })
  const isOpen = and(eq(dataComplaints.userId, id), isNull(dataComplaints.answeredAt))
  return {
    isEmailed: user.email !== null,
    upcomingBookings: booked?.upcoming ?? 0,
    earlierBookings: (booked?.all ?? 0) - (booked?.upcoming ?? 0),
    waitingLists: await reader.$count(waitingList, eq(waitingList.userId, id)),
    credits: active.reduce((sum, { creditsRemaining }) => sum + creditsRemaining, 0),
    hasHealthInformation: await hasHealthInformation(reader, id),
    openComplaints:
      (await reader.$count(complaints, eq(complaints.userId, id))) + (await reader.$count(dataComplaints, isOpen)),
    receipts: await reader.$count(purchases, eq(purchases.userId, id)),
  }
}

type Seen = Partial<Pick<DeletionFacts, 'credits' | 'upcomingBookings' | 'openComplaints'>>

/**
 * An admin deletes a user; this is recorded in the audit log.
 *
 * @param seen what the admin saw; refuses if that has changed
 */
export async function deleteUser(
  tx: Tx,
  admin: { id: string },
  { id, seen = {} }: { id: string; seen?: Seen },
  now: Temporal.Instant,
): Promise<void> {
  await lockMember(tx, id)
  const facts = await deletionFacts(tx, id, now)
  if (keysOf(seen).some((name) => seen[name] !== undefined && seen[name] !== facts[name])) {
    refuse(privacyRefusals.deletion_changed)
  }
  await eraseMember(tx, id, now)
  await recordAdminChange(tx, admin, { action: 'deleted', subject: { kind: 'user', id } }, now)
}

/**
 * Erases a user with their passes, bookings, waiting-list entries, health data, sessions and newsletter subscription,
 * and emails them, naming the classes that are cancelled. Freed places are offered to the waiting list. Purchases stay
 * without name or email. Refuses to erase the last admin.
 */
export async function eraseMember(tx: Tx, id: string, now: Temporal.Instant): Promise<void> {
  const user = (await lockMember(tx, id)) ?? refuse(accountRefusals.user_not_found)
  await refuseLosingLastAdmin(tx, user)
  const ending = await cancellationsOnErasure(tx, id, now)
  if (ending.length > 0 || user.email !== null)
    await queueMail(tx, 'account-erased', { to: recipient(user), classes: ending })
  await eraseLocked(tx, user, now)
}

/**
 * Locks everything that erasing a user touches: classes, passes, the user, in the same order as booking.
 *
 * @throws RetryTransaction if the user has booked or joined the waiting list of another class in the meantime
 */
export async function lockMember(tx: Tx, id: string): Promise<UserRow | undefined> {
  const classIds = await classIdsOf(tx, id)
  await classesForUpdate(tx, classIds)
  await lockPassesForFreedPlaces(tx, await bookedClassIdsOf(tx, id), id)
  const classIdsNow = await classIdsOf(tx, id)
  if (classIdsNow.some((classId) => !classIds.includes(classId)))
    throw new RetryTransaction('the user has booked or waits for another class')
  return await userForUpdate(tx, id)
}

/** The classes that a user has ever booked or waits for. */
async function classIdsOf(tx: Tx, userId: string): Promise<number[]> {
  const booked = tx.select({ id: bookings.classId }).from(bookings).where(eq(bookings.userId, userId))
  const awaited = tx.select({ id: waitingList.classId }).from(waitingList).where(eq(waitingList.userId, userId))
  // Of companions whose places the user has paid for or holds, and places held for the user.
  const paid = tx.select({ id: bookings.classId }).from(bookings).where(eq(bookings.payerId, userId))
  const heldFor = tx
    .select({ id: bookings.classId })
    .from(bookings)
    .innerJoin(invitations, eq(invitations.id, bookings.invitationId))
    .where(and(forAddressesOf(userId), eq(bookings.status, 'held')))
  return (await booked.union(awaited).union(paid).union(heldFor)).map(({ id }) => id)
}

/** Erases a user locked by {@link lockMember}, and records the id so that no restored backup brings them back. */
export async function eraseLocked(tx: Tx, user: UserRow, now: Temporal.Instant): Promise<void> {
  const { id } = user
  const freed = await bookedClassIdsOf(tx, id)
  await leaveOthers(tx, id, now)
  await endHoldsOnErasure(tx, id, now)
  await erasePasses(tx, [id])
  const asked = await pendingEmail(tx, id, now)
  // Unless it belongs to another member by now.
  if (asked && !(await findByEmail(tx, asked.email))) await eraseMailsTo(tx, asked.email)
  if (user.email !== null) {
    await deleteSubscriber(tx, user.email)
    const former = await formerAddresses(tx, { id, email: user.email }, now)
    for (const address of [user.email, ...former]) await eraseMailsTo(tx, address)
  }
  await eraseNameFromMails(tx, fullName(user))
  await deleteKeysOf(tx, user)
  await eraseVouchersOf(tx, user)
  await eraseUser(tx, id)
  await recordErasures(tx, [id], now)
  await offerFreedPlaces(tx, freed, now)
}

async function eraseMailsTo(tx: Tx, address: string): Promise<void> {
  await deleteUndelivered(tx, address)
  await eraseQueuedMails(tx, address)
}

/**
 * Erases users that a restored backup has brought back, without emailing them again, and offers their places again.
 *
 * @returns how many
 */
export async function eraseRestoredMembers(database: Database, now: Temporal.Instant): Promise<number> {
  const restored = await database.db
    .select({ id: users.id })
    .from(users)
    .innerJoin(erasures, eq(erasures.userId, users.id))
    .orderBy(users.id)
  for (const { id } of restored) {
    await database.transaction(async (tx) => {
      const user = await lockMember(tx, id)
      if (user) await eraseLocked(tx, user, now)
    })
  }
  return restored.length
}

/** Records the ids of erased users, also in the journal next to the backups. Ids recorded before keep their date. */
export async function recordErasures(tx: Tx, ids: readonly string[], now: Temporal.Instant): Promise<void> {
  if (ids.length === 0) return
  await tx
    .insert(erasures)
    .values(ids.map((userId) => ({ userId, erasedAt: now })))
    .onConflictDoNothing()
  await tx.enqueue('update-journal', {})
}

/** The ids of all erased users, oldest first. */
export async function erasedIds(reader: Reader): Promise<string[]> {
  const rows = await reader
    .select({ id: erasures.userId })
    .from(erasures)
    .orderBy(asc(erasures.erasedAt), asc(erasures.userId))
  return rows.map(({ id }) => id)
}
