import { eq } from 'drizzle-orm'
import { findUser } from '#accounts/server/accounts.ts'
import { users } from '#accounts/tables.ts'
import { commonRefusals, refuse } from '#foundation/refusal.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import {
  type EmergencyContact,
  healthRefusals,
  type MemberHealth,
  type Questionnaire,
  type Unreadable,
} from '../contract.ts'
import { UNREADABLE } from '../rules.ts'
import { emergencyContacts, healthQuestionnaires } from '../tables.ts'
import { recordHealthReads } from './access-log.ts'
import { ofMember, sealedAnswers, sealedContact, unanswered } from './answers.ts'
import type { HealthVault } from './vault.ts'

/** Whether both questionnaire and emergency contact exist; booking needs no more and opens nothing. */
export async function isHealthComplete(reader: Reader, userId: string): Promise<boolean> {
  const complete = await reader
    .select({ userId: healthQuestionnaires.userId })
    .from(healthQuestionnaires)
    .innerJoin(emergencyContacts, eq(emergencyContacts.userId, healthQuestionnaires.userId))
    .where(eq(healthQuestionnaires.userId, userId))
    .prepare('is_health_complete')
    .execute()
  return complete.length > 0
}

export async function questionnaireOf(
  reader: Reader,
  vault: HealthVault,
  userId: string,
): Promise<Questionnaire | Unreadable | null> {
  const [row] = await reader.select().from(healthQuestionnaires).where(eq(healthQuestionnaires.userId, userId))
  if (!row) return null
  const answers = vault.openIfReadable(ofMember(row), sealedAnswers, row.sealed)
  if (!answers) return { unreadable: UNREADABLE, updatedAt: row.updatedAt.toString() }
  // A questionnaire sealed before a question was added answers it with nothing.
  // The column, not what is sealed: a yes to news can be taken back without the form.
  return { ...unanswered, ...answers, marketingConsent: row.marketingConsent, updatedAt: row.updatedAt.toString() }
}

export async function emergencyContactOf(
  reader: Reader,
  vault: HealthVault,
  userId: string,
): Promise<EmergencyContact | Unreadable | null> {
  const [row] = await reader.select().from(emergencyContacts).where(eq(emergencyContacts.userId, userId))
  if (!row) return null
  const contact = vault.openIfReadable(ofMember(row), sealedContact, row.sealed)
  if (!contact) return { unreadable: UNREADABLE, updatedAt: row.updatedAt.toString() }
  return { ...contact, updatedAt: row.updatedAt.toString() }
}

/** Takes back a member's yes to news and offers; the answers stay as they are sealed. */
export async function withdrawMarketingConsent(tx: Tx, userId: string): Promise<void> {
  await tx.update(healthQuestionnaires).set({ marketingConsent: false }).where(eq(healthQuestionnaires.userId, userId))
}

/**
 * Lets one member's saves wait for each other, so that each records its change against the one before.
 * Bookings and passes, which only refer to the member, do not wait. Refuses when the account has just been deleted.
 */
export async function lockMember(tx: Tx, userId: string): Promise<void> {
  const [row] = await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
  if (!row) refuse(commonRefusals.unauthorized)
}

/** All that a member has told, for an admin who opens it deliberately. Recorded also when there is nothing to read. */
export async function memberHealthFor(
  tx: Tx,
  vault: HealthVault,
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
