import { sql } from 'drizzle-orm'
import { lockUninvited } from '#accounts/server/accounts.ts'
import { recordAdminChanges } from '#audit/server/audit.ts'
import { refuse } from '#foundation/refusal.ts'
import { importRefusals } from '#imports/contract.ts'
import { forgetImport, importToTakeBack, takeBackImportedConsents } from '#imports/server/imports.ts'
import { giftedPassesForUpdate, voidPasses } from '#passes/server/passes.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { personalTables } from '../register.ts'
import { eraseLocked, lockMember } from './delete-user.ts'

/** In the ledger, where members read it. */
const REASON = 'The import was taken back'

/**
 * Takes an import back on the same London day, while none of its credits has been used: voids its passes, takes back
 * the consents that it recorded, and lets its rows be imported again. Erases the members it added, like anyone who is
 * erased, unless they were invited, can sign in, or anything was written about them since.
 */
export async function takeBackImport(tx: Tx, admin: { id: string }, id: number, now: Temporal.Instant) {
  const imported = await importToTakeBack(tx, id, now)
  const { rows } = imported
  const passes = await giftedPassesForUpdate(
    tx,
    rows.flatMap(({ passId }) => passId ?? []),
  )
  if (passes.some(({ isUsed }) => isUsed)) refuse(importRefusals.import_used)
  await voidPasses(tx, passes, { admin, reason: REASON, now })
  await takeBackImportedConsents(tx, imported)

  const added = rows.flatMap(({ addsMember, userId }) => (addsMember && userId ? userId : []))
  const unclaimed = await lockUninvited(tx, added)
  const known = await writtenAbout(tx, unclaimed, id)
  const removed = unclaimed.filter((userId) => !known.has(userId))
  for (const userId of removed) {
    const user = await lockMember(tx, userId)
    if (user) await eraseLocked(tx, user, now)
  }
  await forgetImport(tx, id, now)
  const creditsOf = (held: typeof passes) => held.reduce((sum, { creditsRemaining }) => sum + creditsRemaining, 0)
  const members = Map.groupBy(passes, ({ userId }) => userId)
  const changes = [...new Set([...added, ...members.keys()])].map((userId) => ({
    action: 'import_taken_back' as const,
    subject: { kind: 'user' as const, id: userId },
    changes: { credits: { before: creditsOf(members.get(userId) ?? []), after: 0 } },
  }))
  await recordAdminChanges(tx, admin, changes, now)
  return {
    membersRemoved: removed.length,
    membersKept: added.length - removed.length,
    credits: creditsOf(passes),
  }
}

/** Which of these members anything was written about, by the register, other than by the import and the jobs. */
async function writtenAbout(reader: Reader, userIds: readonly string[], importId: number): Promise<Set<string>> {
  const traces = personalTables().flatMap(([table, { people = {}, addresses = [], byImport = 'false' }]) => {
    const names = [
      ...Object.keys(people).map((column) => `t.${column} = u.id`),
      ...addresses.map((column) => `lower(t.${column}) = lower(u.email)`),
    ]
    const isOther = `not coalesce(${byImport.replaceAll('$import', String(importId))}, false)`
    if (names.length === 0 || byImport === 'true') return []
    return [`exists (select from ${table} t where (${names.join(' or ')}) and ${isOther})`]
  })
  const { rows } = await reader.execute<{ id: string }>(
    sql`select u.id from users u where u.id = any (${sql.param([...userIds])}::text[]) and (${sql.raw(traces.join(' or '))})`,
  )
  return new Set(rows.map(({ id }) => id))
}
