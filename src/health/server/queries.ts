import { type Column, eq, inArray, sql } from 'drizzle-orm'
import { findUser } from '#accounts/server/accounts.ts'
import { users } from '#accounts/tables.ts'
import { keysOf } from '#foundation/collections.ts'
import { commonRefusals, refuse } from '#foundation/refusal.ts'
import { onlyRow, type Reader, type Tx } from '#platform/database/database.ts'
import type { Vault } from '#platform/vault/vault.ts'
import {
  type EmergencyContact,
  healthRefusals,
  type InstructorNote,
  type MemberHealth,
  type Questionnaire,
  type Unreadable,
} from '../contract.ts'
import { UNREADABLE } from '../rules.ts'
import { emergencyContacts, healthQuestionnaires } from '../tables.ts'
import { recordHealthReads, withoutReadToday } from './access-log.ts'
import { type Answers, ofMember, sealedAnswers, sealedContact, unanswered } from './answers.ts'

/** Whether there is any health information, complete or not. */
export async function hasHealthInformation(reader: Reader, userId: string): Promise<boolean> {
  const found = await Promise.all([
    reader.$count(healthQuestionnaires, eq(healthQuestionnaires.userId, userId)),
    reader.$count(emergencyContacts, eq(emergencyContacts.userId, userId)),
  ])
  return found.some((rows) => rows > 0)
}

/** In SQL: whether the member has a questionnaire and an emergency contact. */
export const hasCompleteHealth = (userId: string | Column) => sql<boolean>`exists (
  select from ${healthQuestionnaires} join ${emergencyContacts} using (user_id) where user_id = ${userId})`

/** Whether the member has a questionnaire and an emergency contact. */
export async function isHealthComplete(reader: Reader, userId: string): Promise<boolean> {
  const { rows } = await reader.execute<{ complete: boolean }>(sql`select ${hasCompleteHealth(userId)} as complete`)
  return onlyRow(rows).complete
}

/** A member's decrypted questionnaire; null without one. The caller records the read. */
export async function questionnaireOf(
  reader: Reader,
  vault: Vault,
  userId: string,
): Promise<Questionnaire | Unreadable | null> {
  const [row] = await reader.select().from(healthQuestionnaires).where(eq(healthQuestionnaires.userId, userId))
  if (!row) return null
  const answers = vault.openIfReadable(ofMember(row), sealedAnswers, row.sealed)
  if (!answers) return { unreadable: UNREADABLE, updatedAt: row.updatedAt.toString() }
  // Older answers may lack newer questions. The column is the latest consent: it can be withdrawn without the form.
  return { ...unanswered, ...answers, marketingConsent: row.marketingConsent, updatedAt: row.updatedAt.toString() }
}

/** A member's decrypted emergency contact; null without one. The caller records the read. */
export async function emergencyContactOf(
  reader: Reader,
  vault: Vault,
  userId: string,
): Promise<EmergencyContact | Unreadable | null> {
  const [row] = await reader.select().from(emergencyContacts).where(eq(emergencyContacts.userId, userId))
  if (!row) return null
  const contact = vault.openIfReadable(ofMember(row), sealedContact, row.sealed)
  if (!contact) return { unreadable: UNREADABLE, updatedAt: row.updatedAt.toString() }
  return { ...contact, updatedAt: row.updatedAt.toString() }
}

/** Shows in a member's saved form whether they agree to news and offers, without changing the encrypted answers. */
export async function recordMarketingConsentInForm(tx: Tx, userId: string, marketingConsent: boolean): Promise<void> {
  await tx.update(healthQuestionnaires).set({ marketingConsent }).where(eq(healthQuestionnaires.userId, userId))
}

/** Serialises a member's saves, so that each records its changes against the previous one. Does not block bookings. */
export async function lockMember(tx: Tx, userId: string): Promise<void> {
  const [row] = await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
  if (!row) refuse(commonRefusals.unauthorized)
}

/** A member's health information for an admin; the read is recorded even if there is none. */
export async function memberHealthFor(
  tx: Tx,
  vault: Vault,
  admin: { id: string },
  memberId: string,
  now: Temporal.Instant,
): Promise<MemberHealth> {
  const member = (await findUser(tx, memberId)) ?? refuse(healthRefusals.user_not_found)
  await recordHealthReads(tx, admin, { members: [memberId], what: 'answers' }, now)
  return {
    member: { id: member.id, firstName: member.firstName, lastName: member.lastName },
    questionnaire: await questionnaireOf(tx, vault, memberId),
    emergencyContact: await emergencyContactOf(tx, vault, memberId),
  }
}

/**
 * What the instructor must know about each of these members. The day's list shows it each time it is opened, so it
 * records one read per admin, member and day; `areOpened` records each read.
 *
 * @returns notes by member, most important first; without members who have no questionnaire
 */
export async function instructorNotesOf(
  tx: Tx,
  vault: Vault,
  admin: { id: string },
  { members, areOpened = false }: { members: readonly string[]; areOpened?: boolean },
  now: Temporal.Instant,
): Promise<Map<string, InstructorNote[]>> {
  if (members.length === 0) return new Map()
  const rows = await tx
    .select({
      userId: healthQuestionnaires.userId,
      sealed: healthQuestionnaires.sealed,
      version: healthQuestionnaires.version,
    })
    .from(healthQuestionnaires)
    .where(inArray(healthQuestionnaires.userId, [...new Set(members)]))
  const seen = rows.map(({ userId }) => userId)
  const unrecorded = areOpened ? seen : await withoutReadToday(tx, admin, { members: seen, what: 'session_notes' }, now)
  await recordHealthReads(tx, admin, { members: unrecorded, what: 'session_notes' }, now)
  return new Map(
    rows.map((row) => {
      const answers = vault.openIfReadable(ofMember(row), sealedAnswers, row.sealed)
      return [row.userId, answers ? notesIn(answers) : ['unreadable']]
    }),
  )
}

/** Of injuries, only whether there are any. */
function notesIn(answers: Partial<Answers>): InstructorNote[] {
  const applies: Record<Exclude<InstructorNote, 'unreadable'>, boolean | undefined> = {
    heart_condition: answers.hasHeartCondition,
    high_blood_pressure: answers.hasHighBloodPressure,
    breathing_problems: answers.hasBreathingProblems,
    back_problems: answers.hasBackProblems,
    joint_problems: answers.hasJointProblems,
    injuries: /\S/.test(answers.previousInjuries ?? ''),
    pregnant: answers.pregnancyStatus === 'pregnant',
    postnatal: answers.pregnancyStatus === 'postnatal',
  }
  return keysOf(applies).filter((note) => applies[note])
}
