import { desc, eq } from 'drizzle-orm'
import { eraseUsers, lockUninvited } from '#accounts/server/accounts.ts'
import { recordAdminChanges } from '#audit/server/audit.ts'
import { studioDate } from '#foundation/instants.ts'
import { refuse } from '#foundation/refusal.ts'
import { erasePasses, giftedPassesForUpdate, membersWithOtherPasses, voidPasses } from '#passes/server/passes.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { type ImportBatch, importRefusals } from '../contract.ts'
import { importRows, imports } from '../tables.ts'

/** In the ledger, where members read it. */
const REASON = 'The import was taken back'
const ROWS_PER_STATEMENT = 1000
const LISTED = 10

/** The newest imports first. */
export async function recentImports(reader: Reader, now: Temporal.Instant): Promise<ImportBatch[]> {
  const found = await reader.select().from(imports).orderBy(desc(imports.id)).limit(LISTED)
  return found.map(({ adminId: _, importedAt, takenBackAt, ...batch }) => ({
    ...batch,
    importedAt: importedAt.toString(),
    takenBackAt: takenBackAt?.toString() ?? null,
    mayTakeBack: !takenBackAt && batch.bookings === 0 && isToday(importedAt, now),
  }))
}

const isToday = (at: Temporal.Instant, now: Temporal.Instant) => studioDate(at).equals(studioDate(now))

/**
 * Takes an import back on the same London day, while none of its credits has been used. Voids its passes and lets its
 * rows be imported again. Removes members it added, unless they were invited, can sign in or hold another pass.
 */
export async function takeBackImport(tx: Tx, admin: { id: string }, id: number, now: Temporal.Instant) {
  const [batch] = await tx.select().from(imports).where(eq(imports.id, id)).for('no key update')
  if (!batch) refuse(importRefusals.import_not_found)
  if (batch.takenBackAt) refuse(importRefusals.already_taken_back)
  if (!isToday(batch.importedAt, now)) refuse(importRefusals.take_back_too_late)
  if (batch.bookings > 0) refuse(importRefusals.import_has_bookings)

  const rows = await tx.select().from(importRows).where(eq(importRows.importId, id))
  const passes = await giftedPassesForUpdate(
    tx,
    rows.flatMap(({ passId }) => passId ?? []),
  )
  if (passes.some(({ isUsed }) => isUsed)) refuse(importRefusals.import_used)
  const passIds = passes.map((pass) => pass.id)
  await voidPasses(tx, passes, { admin, reason: REASON, now })

  const added = rows.flatMap(({ addsMember, userId }) => (addsMember && userId ? userId : []))
  const unclaimed = await lockUninvited(tx, added)
  const holders = await membersWithOtherPasses(tx, unclaimed, passIds)
  const removed = unclaimed.filter((userId) => !holders.has(userId))
  await erasePasses(tx, removed)
  await eraseUsers(tx, removed)
  await tx.delete(importRows).where(eq(importRows.importId, id))
  await tx.update(imports).set({ takenBackAt: now }).where(eq(imports.id, id))
  const creditsOf = (held: typeof passes) => held.reduce((sum, { creditsRemaining }) => sum + creditsRemaining, 0)
  const members = Map.groupBy(passes, ({ userId }) => userId)
  const changes = [...new Set([...added, ...members.keys()])].map((userId) => ({
    action: 'import_taken_back' as const,
    subject: { kind: 'user' as const, id: userId },
    changes: { credits: { before: creditsOf(members.get(userId) ?? []), after: 0 } },
  }))
  for (let from = 0; from < changes.length; from += ROWS_PER_STATEMENT) {
    await recordAdminChanges(tx, admin, changes.slice(from, from + ROWS_PER_STATEMENT), now)
  }
  return {
    membersRemoved: removed.length,
    membersKept: added.length - removed.length,
    credits: creditsOf(passes),
  }
}
