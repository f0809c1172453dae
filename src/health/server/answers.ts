import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { keysOf, recordOf } from '#foundation/collections.ts'
import { onlyRow, type Tx } from '#platform/database/database.ts'
import { EmergencyContact, type EmergencyContactForm, Questionnaire, type QuestionnaireForm } from '../contract.ts'
import { HEALTH_CHOICES, questionnaireFields } from '../rules.ts'
import type { Place, Sealed } from './vault.ts'

const answersShape = Questionnaire.omit({ updatedAt: true })
/** A questionnaire's answers, the yes to news included. */
export type Answers = z.output<typeof answersShape>
/** One that was sealed before a question was added lacks its answer. */
export const sealedAnswers: Sealed<Partial<Answers>> = { purpose: 'questionnaire', shape: answersShape.partial() }

const contactShape = EmergencyContact.omit({ updatedAt: true })
type Contact = z.output<typeof contactShape>
export const sealedContact: Sealed<Contact> = { purpose: 'emergency-contact', shape: contactShape }

const changesShape = z.record(z.string(), z.object({ old: z.unknown(), new: z.unknown() }))
/** field → its old and new value. */
export type Changes = z.output<typeof changesShape>
export const sealedChanges: Sealed<Changes> = { purpose: 'changes', shape: changesShape }

/** A questionnaire nobody has answered: texts and choices null, yes/no questions "no". */
export const unanswered: Answers = {
  ...questionnaireFields(
    () => null,
    () => false,
    recordOf(HEALTH_CHOICES, () => null),
  ),
  marketingConsent: false,
}

/** The form's answers, each field present: what was left out is null or "no". Unknown fields do not get here. */
export function answersOf(form: QuestionnaireForm): Answers {
  const given = Object.entries(form).filter(([, value]) => value != null)
  return { ...unanswered, ...Object.fromEntries(given) }
}

/** The form's contact under the names it is read by. */
export function contactOf(form: EmergencyContactForm): Contact {
  return { name: form.contactName, relationship: form.relationship, phone: form.phoneNumber, email: form.email || null }
}

/**
 * The fields that differ, each with its old and new value. Before the first save every old value is null,
 * and a field that is left blank is no change; nor is a blank text that becomes null.
 *
 * @param blank what a form filled in with nothing would hold
 */
export function changesBetween<Record extends object>(
  before: Record | null,
  after: Record,
  blank: Partial<Record>,
): Changes {
  const fields = keysOf(after)
  const changed = fields.filter((field) => !alike((before ?? blank)[field], after[field]))
  return Object.fromEntries(changed.map((field) => [field, { old: before?.[field] ?? null, new: after[field] }]))
}

function alike(a: unknown, b: unknown): boolean {
  return a === b || (isBlank(a) && isBlank(b))
}

function isBlank(value: unknown): boolean {
  return value == null || value === ''
}

/** The version of a save that is about to be sealed; none comes twice. */
export async function nextVersion(tx: Tx): Promise<number> {
  const { rows } = await tx.execute<{ version: number }>(sql`select nextval('health_versions')::int as version`)
  return onlyRow(rows).version
}

/** The id that the next health update will have, and its version: what is sealed in it names both. */
export async function nextUpdate(tx: Tx): Promise<{ id: number; version: number }> {
  const { rows } = await tx.execute<{ id: number; version: number }>(sql`
    select nextval(pg_get_serial_sequence('health_updates', 'id'))::int as id, nextval('health_versions')::int as version`)
  return onlyRow(rows)
}

/** Where a member's questionnaire or emergency contact stands: each has one row of each, and its id is theirs. */
export const ofMember = ({ userId, version }: { userId: string; version: number | null }): Place => ({
  owner: userId,
  row: userId,
  version,
})

/** Where what changed stands in the list of a member's saves. */
export const ofUpdate = ({ id, userId, version }: { id: number; userId: string; version: number | null }): Place => ({
  owner: userId,
  row: id,
  version,
})
