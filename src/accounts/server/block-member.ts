import { eq } from 'drizzle-orm'
import { refuse } from '../../foundation/refusal.ts'
import { changedAt } from '../../platform/database/columns.ts'
import type { Reader, Tx } from '../../platform/database/database.ts'
import { accountRefusals } from '../contract.ts'
import { type UserRow, users } from '../tables.ts'
import { userForUpdate } from './edit-user.ts'

/** Since when a user is blocked and why, as the wire says it. */
export function blockOf({ blockedAt, blockedReason }: UserRow): { since: string; reason: string } | null {
  return blockedAt && blockedReason !== null ? { since: blockedAt.toString(), reason: blockedReason } : null
}

/** Refuses what somebody may not do who is blocked. */
export async function refuseBlocked(reader: Reader, userId: string): Promise<void> {
  const [row] = await reader.select({ blockedAt: users.blockedAt }).from(users).where(eq(users.id, userId))
  if (row?.blockedAt) refuse(accountRefusals.blocked)
}

/**
 * Writes that a member is blocked, or blocked no more, for another reason if they are already.
 *
 * @param reason null: they may book again
 * @returns the member as they were before
 */
export async function writeBlock(tx: Tx, id: string, reason: string | null, now: Temporal.Instant): Promise<UserRow> {
  const user = (await userForUpdate(tx, id)) ?? refuse(accountRefusals.user_not_found)
  if (user.isAdmin && reason !== null) refuse(accountRefusals.cannot_block_admin)
  if (user.blockedReason === reason) return user
  const blockedAt = reason === null ? null : (user.blockedAt ?? now)
  await tx
    .update(users)
    .set({ blockedAt, blockedReason: reason, updatedAt: changedAt(users.updatedAt, now) })
    .where(eq(users.id, id))
  return user
}
