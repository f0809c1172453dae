import { type AnyColumn, eq, type SQL } from 'drizzle-orm'
import { markAble, userForUpdate } from '#accounts/server/accounts.ts'
import { recordAdminChange } from '#audit/server/audit.ts'
import { instantAt, today } from '#foundation/instants.ts'
import { refuse, refuseField } from '#foundation/refusal.ts'
import { eraseRecords, type OldRecords, type Tx } from '#platform/database/database.ts'
import type { Vault } from '#platform/vault/vault.ts'
import { consents } from '../consents.ts'
import {
  type EmergencyContact,
  type EmergencyContactForm,
  healthRefusals,
  type PaperForm,
  type Questionnaire,
  type QuestionnaireForm,
} from '../contract.ts'
import { isReadable } from '../rules.ts'
import { emergencyContacts, healthQuestionnaires, healthReads, healthUpdates } from '../tables.ts'
import { recordHealthReads } from './access-log.ts'
import { answersOf, changesBetween, contactOf, nextVersion, unanswered } from './answers.ts'
import { recordHealthUpdate } from './health-updates.ts'
import { emergencyContactOf, lockMember, questionnaireOf } from './queries.ts'

/** An admin types in a form that the member has signed on paper. */
type Paper = { consentedAt: Temporal.Instant }

/**
 * Types in the paper form of a member without an email address: kept like their own form, with the day they signed as
 * the date of their consent. Typing it is a reading.
 */
export async function savePaperForm(
  tx: Tx,
  vault: Vault,
  admin: { id: string },
  { userId, signedOn, questionnaire, contact }: PaperForm & { userId: string },
  now: Temporal.Instant,
): Promise<void> {
  const member = (await userForUpdate(tx, userId)) ?? refuse(healthRefusals.user_not_found)
  if (member.email !== null) refuse(healthRefusals.fills_in_own_form)
  const day = today(now)
  if (signedOn > day) refuseField(healthRefusals.signed_in_future, 'signedOn')
  const paper = { consentedAt: signedOn === day ? now : instantAt(signedOn, '12:00') }
  await recordHealthReads(tx, admin, { members: [userId], what: 'answers' }, now)
  await saveQuestionnaire(tx, vault, member, questionnaire, now, paper)
  await saveEmergencyContact(tx, vault, member, contact, now, paper)
  const subject = { kind: 'user' as const, id: userId }
  await recordAdminChange(tx, admin, { action: 'health_typed_in', subject }, now)
}

/** Replaces the member's questionnaire, and records the consent and the changes. */
export async function saveQuestionnaire(
  tx: Tx,
  vault: Vault,
  user: { id: string },
  form: QuestionnaireForm,
  now: Temporal.Instant,
  paper?: Paper,
): Promise<Questionnaire> {
  await lockMember(tx, user.id)
  // An unreadable record is replaced as if it did not exist.
  const kept = await questionnaireOf(tx, vault, user.id)
  const before = kept && isReadable(kept) ? kept : null
  const answers = answersOf(form)
  const version = await nextVersion(tx)
  const row = {
    sealed: vault.seal({ owner: user.id, row: user.id, version }, 'questionnaire', answers),
    version,
    marketingConsent: answers.marketingConsent,
    consentedAt: paper?.consentedAt ?? now,
    consentTextVersion: consents.version,
    updatedAt: now,
  }
  await tx
    .insert(healthQuestionnaires)
    .values({ userId: user.id, ...row })
    .onConflictDoUpdate({ target: healthQuestionnaires.userId, set: row })
  if (kept === null) await markAble(tx, user.id, now)
  const changes = changesBetween(before, answers, unanswered)
  await recordHealthUpdate(tx, vault, { userId: user.id, updateType: 'questionnaire_updated', changes, now, paper })
  return { ...answers, updatedAt: now.toString() }
}

/** Replaces the member's emergency contact and records the changes. */
export async function saveEmergencyContact(
  tx: Tx,
  vault: Vault,
  user: { id: string },
  form: EmergencyContactForm,
  now: Temporal.Instant,
  paper?: Paper,
): Promise<EmergencyContact> {
  await lockMember(tx, user.id)
  // An unreadable record is replaced as if it did not exist.
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
  if (kept === null) await markAble(tx, user.id, now)
  const changes = changesBetween(before, contact, {})
  await recordHealthUpdate(tx, vault, { userId: user.id, updateType: 'emergency_contact_updated', changes, now, paper })
  return { ...contact, updatedAt: now.toString() }
}

/** Erases a member's health information, its history and the notes on their sessions. The access log stays. */
export async function eraseHealth(tx: Tx, userId: string): Promise<void> {
  // The notes on their sessions refer to the questionnaire and go with it.
  await tx.delete(healthQuestionnaires).where(eq(healthQuestionnaires.userId, userId))
  await tx.delete(emergencyContacts).where(eq(emergencyContacts.userId, userId))
  await tx.delete(healthUpdates).where(eq(healthUpdates.userId, userId))
}

/** Erases old lines of the access log, except kept members'. Returns how many. */
export const eraseHealthReads = (tx: Tx, { keeps, ...old }: OldRecords<(memberId: AnyColumn) => SQL>) =>
  eraseRecords(tx, healthReads, { ...old, keeps: keeps(healthReads.memberId) })
