import { eq } from 'drizzle-orm'
import { writeBlock } from '#accounts/server/accounts.ts'
import { recordAdminChange } from '#audit/server/audit.ts'
import type { Tx } from '#platform/database/database.ts'
import { waitingList } from '../tables.ts'

/**
 * Blocks a member, who leaves every waiting list; what they have booked stays, and so does what they have paid for. Written
 * again with other words it is another reason.
 */
export async function blockMember(
  tx: Tx,
  admin: { id: string },
  { userId, reason }: { userId: string; reason: string },
  now: Temporal.Instant,
): Promise<void> {
  const before = await writeBlock(tx, userId, reason, now)
  if (before.blockedReason === reason) return
  const left = await tx.delete(waitingList).where(eq(waitingList.userId, userId)).returning({ id: waitingList.id })
  const changes = {
    reason: { ...(before.blockedReason !== null && { before: before.blockedReason }), after: reason },
    ...(left.length > 0 && { linesLeft: { after: left.length } }),
  }
  await recordAdminChange(tx, admin, { action: 'blocked', subject: { kind: 'user', id: userId }, changes }, now)
}

/** Lets a member book and buy again. */
export async function unblockMember(
  tx: Tx,
  admin: { id: string },
  userId: string,
  now: Temporal.Instant,
): Promise<void> {
  const { blockedReason } = await writeBlock(tx, userId, null, now)
  if (blockedReason === null) return
  const changes = { reason: { before: blockedReason } }
  await recordAdminChange(tx, admin, { action: 'unblocked', subject: { kind: 'user', id: userId }, changes }, now)
}
