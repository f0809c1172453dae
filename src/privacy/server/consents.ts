import { and, asc, desc, eq, sql } from 'drizzle-orm'
import { recipient } from '#accounts/server/accounts.ts'
import { users } from '#accounts/tables.ts'
import { consentTexts } from '#health/consents.ts'
import { eraseHealth } from '#health/server/health.ts'
import { emergencyContacts, healthQuestionnaires } from '#health/tables.ts'
import { maySendMarketing } from '#mailings/rules.ts'
import {
  deleteOverruledConsent,
  marketingConsentOf,
  newsConsentOf,
  objectionOf,
  objections,
  restoreObjection,
} from '#mailings/server/mailings.ts'
import { queueMail } from '#messages/server/messages.ts'
import { newsletterSubscribers } from '#messages/tables.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { recordSecurity } from '#security/server/security.ts'
import { securityEvents } from '#security/tables.ts'

/** What a member has agreed to, when, and in which words. */
export async function consentsOf(reader: Reader, { id, email }: { id: string; email: string }) {
  const [given] = await reader.select().from(healthQuestionnaires).where(eq(healthQuestionnaires.userId, id))
  const texts = given && consentTexts(given.consentTextVersion)
  const agreedAt = given?.consentedAt ?? ''
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
  const objectedAt = await objectionOf(reader, id)
  const elsewhere = await marketingConsentOf(reader, id)
  const consent = await newsConsentOf(reader, id)
  const isElsewhere = elsewhere?.agreedAt === consent.agreedAt?.toString()
  const text = isElsewhere ? elsewhere?.note : texts?.marketingConsent
  return {
    health: given
      ? { agreedAt, healthDisclaimer: texts?.healthDisclaimer ?? null, dataConsent: texts?.dataConsent ?? null }
      : null,
    marketing:
      consent.agreedAt && maySendMarketing(consent) ? { agreedAt: consent.agreedAt, text: text ?? null } : null,
    objectedAt,
    newsletterAt: subscribed?.confirmedAt ?? null,
    withdrawnAt: withdrawn?.at ?? null,
  }
}

/** Withdraws the consent to health information and erases it. Bookings stay; new ones need the form again. */
export async function withdrawHealthConsent(tx: Tx, userId: string, now: Temporal.Instant): Promise<void> {
  // Saving answers locks the member too.
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
  const [saved] = await tx
    .select({ userId: healthQuestionnaires.userId })
    .from(healthQuestionnaires)
    .where(eq(healthQuestionnaires.userId, userId))
    .union(
      tx
        .select({ userId: emergencyContacts.userId })
        .from(emergencyContacts)
        .where(eq(emergencyContacts.userId, userId)),
    )
  if (!saved || !user) return
  await deleteOverruledConsent(tx, userId)
  await eraseHealth(tx, userId)
  await recordSecurity(tx, { kind: 'health_withdrawn', actor: userId, details: { cause: 'own_wish' } }, now)
  await queueMail(tx, 'rights-request-done', { to: recipient(user), did: 'health_withdrawn' })
  // A restored backup must not bring the answers back.
  await tx.enqueue('update-journal', {})
}

/** A member's withdrawal of health consent, or an objection to news and offers. */
export type Withdrawal = { kind: 'health' | 'marketing'; userId: string; at: Temporal.Instant }

/** All recorded withdrawals of existing members. */
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
 * Repeats withdrawals in a restored database, without emails. Consent that a member gave again later stays.
 *
 * @returns how many of each kind were repeated
 */
export async function repeatWithdrawals(
  tx: Tx,
  withdrawals: readonly Withdrawal[],
): Promise<Record<Withdrawal['kind'], number>> {
  const repeated = { health: 0, marketing: 0 }
  for (const { kind, userId, at } of withdrawals) {
    const isRepeated = kind === 'health' ? await withdrawAgain(tx, userId, at) : await restoreObjection(tx, userId, at)
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
  if (saved.length === 0 || saved.some((row) => Temporal.Instant.compare(row.at, at) > 0)) return false
  await deleteOverruledConsent(tx, userId)
  await eraseHealth(tx, userId)
  await recordSecurity(tx, { kind: 'health_withdrawn', actor: userId, details: { cause: 'own_wish' } }, at)
  return true
}
