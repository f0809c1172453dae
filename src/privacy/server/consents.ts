import { and, asc, desc, eq, sql } from 'drizzle-orm'
import { users } from '#accounts/tables.ts'
import { consentTexts } from '#health/consents.ts'
import { eraseHealth } from '#health/server/health.ts'
import { emergencyContacts, healthQuestionnaires } from '#health/tables.ts'
import { objectAgain, objectionOf, objections } from '#mailings/server/mailings.ts'
import { newsletterSubscribers } from '#messages/tables.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { recordSecurity } from '#security/server/security.ts'
import { securityEvents } from '#security/tables.ts'
import type { OwnConsents } from '../contract-own.ts'

/** What a member has agreed to, in the words of that time, and when. */
export async function consentsOf(reader: Reader, { id, email }: { id: string; email: string }): Promise<OwnConsents> {
  const [given] = await reader.select().from(healthQuestionnaires).where(eq(healthQuestionnaires.userId, id))
  const texts = given && consentTexts(given.consentTextVersion)
  const agreedAt = given?.consentedAt.toString() ?? ''
  const [subscribed] = await reader
    .select({ confirmedAt: newsletterSubscribers.confirmedAt })
    .from(newsletterSubscribers)
    .where(eq(sql`lower(${newsletterSubscribers.email})`, email.toLowerCase()))
  const [withdrawn] = await reader
    .select({ at: securityEvents.at })
    .from(securityEvents)
    .where(and(eq(securityEvents.subjectId, id), eq(securityEvents.kind, 'health_withdrawn')))
    .orderBy(desc(securityEvents.id))
    .limit(1)
  return {
    health: given
      ? { agreedAt, healthDisclaimer: texts?.healthDisclaimer ?? null, dataConsent: texts?.dataConsent ?? null }
      : null,
    marketing: given?.marketingConsent ? { agreedAt, text: texts?.marketingConsent ?? null } : null,
    objectedAt: await objectionOf(reader, id),
    newsletterAt: subscribed?.confirmedAt?.toString() ?? null,
    withdrawnAt: withdrawn?.at.toString() ?? null,
  }
}

/**
 * Withdraws the consent to health information: what was told is erased. Bookings stay, and the next one needs the form
 * again. Where nothing is there nothing happens.
 */
export async function withdrawHealthConsent(tx: Tx, userId: string, now: Temporal.Instant): Promise<void> {
  // Against answers that are just being saved in another tab: both lock the member.
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
  const [told] = await tx
    .select({ userId: healthQuestionnaires.userId })
    .from(healthQuestionnaires)
    .where(eq(healthQuestionnaires.userId, userId))
    .union(
      tx
        .select({ userId: emergencyContacts.userId })
        .from(emergencyContacts)
        .where(eq(emergencyContacts.userId, userId)),
    )
  if (!told) return
  await eraseHealth(tx, userId)
  await recordSecurity(tx, { kind: 'health_withdrawn', actor: userId, details: { cause: 'own_wish' } }, now)
  // A restored backup must not bring the answers back.
  await tx.enqueue('write-erasures', {})
}

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
