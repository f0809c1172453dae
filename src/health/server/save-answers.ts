import { type AnyColumn, and, asc, eq, inArray, lte, not, type SQL } from 'drizzle-orm'
import { allowErasingRecords, type Tx } from '#platform/database/database.ts'
import { consents } from '../consents.ts'
import type { EmergencyContact, EmergencyContactForm, Questionnaire, QuestionnaireForm } from '../contract.ts'
import { isReadable } from '../rules.ts'
import { emergencyContacts, healthQuestionnaires, healthReads, healthUpdates } from '../tables.ts'
import { answersOf, changesBetween, contactOf, nextVersion, unanswered } from './answers.ts'
import { recordHealthUpdate } from './health-updates.ts'
import { emergencyContactOf, lockMember, questionnaireOf } from './queries.ts'
import type { HealthVault } from './vault.ts'

/** Replaces the member's questionnaire, records the consent it was saved with and what changed. */
export async function saveQuestionnaire(
  tx: Tx,
  vault: HealthVault,
  user: { id: string },
  form: QuestionnaireForm,
  now: Temporal.Instant,
): Promise<Questionnaire> {
  await lockMember(tx, user.id)
  // One that cannot be read is replaced like one that is not there: saving again mends it.
  const kept = await questionnaireOf(tx, vault, user.id)
  const before = kept && isReadable(kept) ? kept : null
  const answers = answersOf(form)
  const version = await nextVersion(tx)
  const row = {
    sealed: vault.seal({ owner: user.id, row: user.id, version }, 'questionnaire', answers),
    version,
    marketingConsent: answers.marketingConsent,
    consentedAt: now,
    consentTextVersion: consents.version,
    updatedAt: now,
  }
  await tx
    .insert(healthQuestionnaires)
    .values({ userId: user.id, ...row })
    .onConflictDoUpdate({ target: healthQuestionnaires.userId, set: row })
  const changes = changesBetween(before, answers, unanswered)
  await recordHealthUpdate(tx, vault, { userId: user.id, updateType: 'questionnaire_updated', changes, now })
  return { ...answers, updatedAt: now.toString() }
}

/** Replaces the member's emergency contact and records what changed. */
export async function saveEmergencyContact(
  tx: Tx,
  vault: HealthVault,
  user: { id: string },
  form: EmergencyContactForm,
  now: Temporal.Instant,
): Promise<EmergencyContact> {
  await lockMember(tx, user.id)
  // One that cannot be read is replaced like one that is not there: saving again mends it.
  const kept = await emergencyContactOf(tx, vault, user.id)
  const before = kept && isReadable(kept) ? kept : null
  const contact = contactOf(form)
  const version = await nextVersion(tx)
  const place = { owner: user.id, row: user.id, version }
  const row = { sealed: vault.seal(place, 'emergency-contact', contact), version, updatedAt: now }
  await tx
    .insert(emergencyContacts)
    .values({ userId: user.id, ...row })
    .onConflictDoUpdate({ target: emergencyContacts.userId, set: row })
  const changes = changesBetween(before, contact, {})
  await recordHealthUpdate(tx, vault, { userId: user.id, updateType: 'emergency_contact_updated', changes, now })
  return { ...contact, updatedAt: now.toString() }
}

/** Erases all that a member has told about their health, and every change of it. Who read it stays on record. */
export async function eraseHealth(tx: Tx, userId: string): Promise<void> {
  await tx.delete(healthQuestionnaires).where(eq(healthQuestionnaires.userId, userId))
  await tx.delete(emergencyContacts).where(eq(emergencyContacts.userId, userId))
  await tx.delete(healthUpdates).where(eq(healthUpdates.userId, userId))
}

/**
 * Erases lines of who read health data that are as old as `until` or older, at most so many, but for those of members whom
 * `keeps` holds. Returns how many.
 */
export async function eraseHealthReads(
  tx: Tx,
  { until, limit, keeps }: { until: Temporal.Instant; limit: number; keeps: (memberId: AnyColumn) => SQL },
): Promise<number> {
  await allowErasingRecords(tx, until)
  const over = tx
    .select({ id: healthReads.id })
    .from(healthReads)
    .where(and(lte(healthReads.at, until), not(keeps(healthReads.memberId))))
    .orderBy(asc(healthReads.at))
    .limit(limit)
  const gone = await tx.delete(healthReads).where(inArray(healthReads.id, over)).returning({ id: healthReads.id })
  return gone.length
}
