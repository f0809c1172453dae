import { eq } from 'drizzle-orm'
import { setBlock } from '#accounts/server/accounts.ts'
import { recordAdminChange } from '#audit/server/audit.ts'
import type { Tx } from '#platform/database/database.ts'
import { waitingList } from '../tables.ts'
import { endHoldsOf } from './companions/held-places.ts'
import { partCompanions } from './regular/regular-mails.ts'

/** Blocks a member, who leaves every waiting list but keeps bookings and passes. Repeating it can change the reason. */
export async function blockMember(
  tx: Tx,
  admin: { id: string },
  { userId, reason }: { userId: string; reason: string },
  now: Temporal.Instant,
): Promise<void> {
  // Before the member is locked, as classes and passes come first in the lock order.
  await endHoldsOf(tx, userId, { by: 'admin', id: admin.id }, now)
  await partCompanions(tx, userId, now)
  const before = await setBlock(tx, userId, reason, now)
  if (before.blockedReason === reason) return
  const left = await tx.delete(waitingList).where(eq(waitingList.userId, userId)).returning({ id: waitingList.id })
  const changes = {
    reason: { ...(before.blockedReason !== null && { before: before.blockedReason }), after: reason },
    ...(left.length > 0 && { waitingListsLeft: { after: left.length } }),
  }
  await recordAdminChange(tx, admin, { action: 'blocked', subject: { kind: 'user', id: userId }, changes }, now)
}

/** Lets a blocked member book and buy again. Their former places on waiting lists do not come back. */
export async function unblockMember(tx: Tx, admin: { id: string }, userId: string, now: Temporal.Instant) {
  const { blockedReason } = await setBlock(tx, userId, null, now)
  if (blockedReason === null) return
  const changes = { reason: { before: blockedReason } }
  await recordAdminChange(tx, admin, { action: 'unblocked', subject: { kind: 'user', id: userId }, changes }, now)
}
