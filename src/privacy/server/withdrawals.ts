import { and, asc, eq } from 'drizzle-orm'
import { users } from '#accounts/tables.ts'
import { eraseHealth } from '#health/server/health.ts'
import { emergencyContacts, healthQuestionnaires } from '#health/tables.ts'
import { objectAgain, objections } from '#mailings/server/mailings.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { recordSecurity } from '#security/server/security.ts'
import { securityEvents } from '#security/tables.ts'

/** What a member took back: the consent to health information, or an objection to news and offers. */
export type Withdrawal = { kind: 'health' | 'marketing'; userId: string; at: Temporal.Instant }

/** Every withdrawal of the members there are, as far as it is on record. */
export async function withdrawalsIn(reader: Reader): Promise<Withdrawal[]> {
  const health = await reader
    .select({ userId: users.id, at: securityEvents.at })
    .from(securityEvents)
    .innerJoin(users, eq(users.id, securityEvents.subjectId))
    .where(and(eq(securityEvents.kind, 'health_withdrawn'), eq(securityEvents.outcome, 'done')))
    .orderBy(asc(securityEvents.id))
  return [
    ...health.map((row) => ({ kind: 'health' as const, ...row })),
    ...(await objections(reader)).map((row) => ({ kind: 'marketing' as const, ...row })),
  ]
}

/**
 * Repeats in a restored database what members took back since the backup, without another email. What they agreed to again
 * before the backup was made stays.
 *
 * @returns how many of each were repeated
 */
export async function repeatWithdrawals(
  tx: Tx,
  withdrawals: readonly Withdrawal[],
): Promise<Record<Withdrawal['kind'], number>> {
  const repeated = { health: 0, marketing: 0 }
  for (const { kind, userId, at } of withdrawals) {
    const isRepeated = kind === 'health' ? await withdrawAgain(tx, userId, at) : await objectAgain(tx, userId, at)
    if (isRepeated) repeated[kind]++
  }
  return repeated
}

async function withdrawAgain(tx: Tx, userId: string, at: Temporal.Instant): Promise<boolean> {
  const saved = [
    ...(await tx
      .select({ at: healthQuestionnaires.updatedAt })
      .from(healthQuestionnaires)
      .where(eq(healthQuestionnaires.userId, userId))),
    ...(await tx
      .select({ at: emergencyContacts.updatedAt })
      .from(emergencyContacts)
      .where(eq(emergencyContacts.userId, userId))),
  ]
  if (saved.length === 0 || saved.some((one) => Temporal.Instant.compare(one.at, at) > 0)) return false
  await eraseHealth(tx, userId)
  await recordSecurity(tx, { kind: 'health_withdrawn', actor: userId, details: { cause: 'own_wish' } }, at)
  return true
}
