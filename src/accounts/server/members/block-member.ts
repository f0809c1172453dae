import { eq } from 'drizzle-orm'
import { refuse } from '#foundation/refusal.ts'
import { changedAt } from '#platform/database/columns.ts'
import type { Tx } from '#platform/database/database.ts'
import { accountRefusals } from '../../contract.ts'
import { type UserRow, users } from '../../tables.ts'
import { userForUpdate } from '../user-for-update.ts'

/** Since when a user is blocked and why, as the wire says it. */
export function blockOf({ blockedAt, blockedReason }: UserRow): { since: string; reason: string } | null {
  return blockedAt && blockedReason !== null ? { since: blockedAt.toString(), reason: blockedReason } : null
}

/** What is known of whether somebody may book and buy: of who calls, and of a row. It stays inside the server. */
export type Standing = { blockedAt?: Temporal.Instant | null }

/** Refuses what somebody may not do who is blocked. Who calls was looked at when the request came: what is under way goes on. */
export function refuseBlocked({ blockedAt }: Standing): void {
  if (blockedAt) refuse(accountRefusals.account_blocked)
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
