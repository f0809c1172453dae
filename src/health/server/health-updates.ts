import { and, desc, eq, ilike, isNull, or, sql } from 'drizzle-orm'
import { users } from '../../accounts/tables.ts'
import { recordAdminChange } from '../../audit/server/audit.ts'
import { refuse } from '../../foundation/refusal.ts'
import type { Reader, Tx } from '../../server/database/database.ts'
import { type HealthUpdate, healthRefusals } from '../contract.ts'
import { healthReads, healthUpdates } from '../tables.ts'
import type { HealthVault } from './vault.ts'

/** field → its old and new value. */
export type Changes = Record<string, { old: unknown; new: unknown }>

type Saved = {
  userId: string
  updateType: HealthUpdate['updateType']
  changes: Changes
  now: Temporal.Instant
}

/** Writes down one save: the first included, and one that changed nothing. */
export async function recordHealthUpdate(tx: Tx, vault: HealthVault, saved: Saved): Promise<void> {
  const { userId, updateType, changes, now } = saved
  const sealedChanges = vault.seal(userId, 'changes', changes)
  await tx.insert(healthUpdates).values({ userId, updateType, sealedChanges, createdAt: now })
}

export type Page = { limit?: number; offset?: number; search?: string }

/**
 * Health updates, newest first, for an admin; whose were shown is recorded.
 *
 * @param page.search part of a member's name or e-mail, in any case; the answers are not searched
 */
export async function listHealthUpdates(
  tx: Tx,
  vault: HealthVault,
  admin: { id: string },
  page: Page,
  now: Temporal.Instant,
): Promise<HealthUpdate[]> {
  const found = updatesWithMember(tx)
    .where(page.search?.trim() ? memberMatches(page.search.trim()) : undefined)
    .orderBy(desc(healthUpdates.createdAt), desc(healthUpdates.id))
    .$dynamic()
  if (page.limit !== undefined) found.limit(page.limit)
  if (page.offset !== undefined) found.offset(page.offset)
  const rows = await found
  await recordReads(tx, admin, rows, now)
  return rows.map((row) => toHealthUpdate(row, vault))
}

/** Marks one update as sent; marking it again changes nothing. The admin sees it, so that is recorded. */
export async function markHealthUpdateSent(
  tx: Tx,
  vault: HealthVault,
  admin: { id: string },
  id: number,
  now: Temporal.Instant,
): Promise<HealthUpdate> {
  const [marked] = await tx
    .update(healthUpdates)
    .set({ notifiedAt: now })
    .where(and(eq(healthUpdates.id, id), isNull(healthUpdates.notifiedAt)))
    .returning({ id: healthUpdates.id })
  if (marked) {
    const subject = { kind: 'health_update' as const, id }
    await recordAdminChange(tx, admin, { action: 'marked_sent', subject }, now)
  }
  const [row] = await updatesWithMember(tx).where(eq(healthUpdates.id, id))
  if (!row) refuse(healthRefusals.health_update_not_found)
  await recordReads(tx, admin, [row], now)
  return toHealthUpdate(row, vault)
}

function updatesWithMember(reader: Reader) {
  return reader
    .select({
      update: healthUpdates,
      user: { firstName: users.firstName, lastName: users.lastName, email: users.email },
    })
    .from(healthUpdates)
    .innerJoin(users, eq(users.id, healthUpdates.userId))
}
type UpdateWithMember = Awaited<ReturnType<typeof updatesWithMember>>[number]

function memberMatches(search: string) {
  const part = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  return or(ilike(sql`${users.firstName} || ' ' || ${users.lastName}`, part), ilike(users.email, part))
}

/** One line per member shown. */
async function recordReads(tx: Tx, admin: { id: string }, shown: UpdateWithMember[], at: Temporal.Instant) {
  const members = [...new Set(shown.map(({ update }) => update.userId))]
  if (members.length === 0) return
  await tx
    .insert(healthReads)
    .values(members.map((memberId) => ({ adminId: admin.id, memberId, what: 'health_updates' as const, at })))
}

function toHealthUpdate({ update, user }: UpdateWithMember, vault: HealthVault): HealthUpdate {
  return {
    id: update.id,
    userId: update.userId,
    user,
    updateType: update.updateType,
    createdAt: update.createdAt.toString(),
    changes: JSON.stringify(vault.open(update.userId, 'changes', update.sealedChanges)),
    notificationSent: update.notifiedAt !== null,
  }
}
