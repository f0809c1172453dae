import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { keysOf, recordOf } from '#foundation/collections.ts'
import { onlyRow, type Tx } from '#platform/database/database.ts'
import type { Place, Sealed } from '#platform/vault/vault.ts'
import { EmergencyContact, type EmergencyContactForm, Questionnaire, type QuestionnaireForm } from '../contract.ts'
import { HEALTH_CHOICES, questionnaireFields } from '../rules.ts'

const answersShape = Questionnaire.omit({ updatedAt: true })
export type Answers = z.output<typeof answersShape>
/** Older questionnaires lack questions added later. */
export const sealedAnswers: Sealed<Partial<Answers>> = { purpose: 'questionnaire', shape: answersShape.partial() }

const contactShape = EmergencyContact.omit({ updatedAt: true })
type Contact = z.output<typeof contactShape>
export const sealedContact: Sealed<Contact> = { purpose: 'emergency-contact', shape: contactShape }

const changesShape = z.record(z.string(), z.object({ old: z.unknown(), new: z.unknown() }))
export type Changes = z.output<typeof changesShape>
export const sealedChanges: Sealed<Changes> = { purpose: 'changes', shape: changesShape }

/** An empty questionnaire. */
export const unanswered: Answers = {
  ...questionnaireFields(
    () => null,
    () => false,
    recordOf(HEALTH_CHOICES, () => null),
  ),
  marketingConsent: false,
}

/** The form's answers, with empty values for fields that were left out. */
export function answersOf(form: QuestionnaireForm): Answers {
  const given = Object.entries(form).filter(([, value]) => value != null)
  return { ...unanswered, ...Object.fromEntries(given) }
}

export function contactOf(form: EmergencyContactForm): Contact {
  return { name: form.contactName, relationship: form.relationship, phone: form.phoneNumber, email: form.email || null }
}

/**
 * The changed fields with their old and new values. For a first save, old ones are null and blank fields no change.
 *
 * @param blank the values of an empty form
 */
export function changesBetween<Record extends object>(
  before: Record | null,
  after: Record,
  blank: Partial<Record>,
): Changes {
  const fields = keysOf(after)
  const changed = fields.filter((field) => !isSame((before ?? blank)[field], after[field]))
  return Object.fromEntries(changed.map((field) => [field, { old: before?.[field] ?? null, new: after[field] }]))
}

const isBlank = (value: unknown) => value == null || value === ''
const isSame = (a: unknown, b: unknown) => a === b || (isBlank(a) && isBlank(b))

/** A unique version for the next save. */
export async function nextVersion(tx: Tx): Promise<number> {
  const { rows } = await tx.execute<{ version: number }>(sql`select nextval('health_versions')::int as version`)
  return onlyRow(rows).version
}

/** The id and version of the next health update, which are authenticated with its content. */
export async function nextUpdate(tx: Tx): Promise<{ id: number; version: number }> {
  const { rows } = await tx.execute<{ id: number; version: number }>(sql`
    select nextval(pg_get_serial_sequence('health_updates', 'id'))::int as id, nextval('health_versions')::int as version`)
  return onlyRow(rows)
}

/** The vault place of a member's questionnaire or emergency contact. */
export const ofMember = ({ userId, version }: { userId: string; version: number }): Place => ({
  owner: userId,
  row: userId,
  version,
})

/** The vault place of a health update. */
export const ofUpdate = ({ id, userId, version }: { id: number; userId: string; version: number }): Place => ({
  owner: userId,
  row: id,
  version,
})
