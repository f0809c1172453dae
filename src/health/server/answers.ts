import type { QuestionnaireForm } from '../contract.ts'
import { type EmergencyContact, type EmergencyContactForm, HEALTH_FLAGS, type Questionnaire } from '../contract.ts'

/** What is sealed: a questionnaire's answers, the yes to news included, and when it stands without. */
export type Answers = Omit<Questionnaire, 'updatedAt'>
export type Contact = Omit<EmergencyContact, 'updatedAt'>

/** A questionnaire nobody has answered: texts and choices null, yes/no questions "no". */
const noFlags = Object.fromEntries(HEALTH_FLAGS.map((flag) => [flag, false])) as Record<
  (typeof HEALTH_FLAGS)[number],
  false
>
export const unanswered: Answers = {
  currentMedications: null,
  allergies: null,
  previousInjuries: null,
  chronicConditions: null,
  pregnancyStatus: null,
  fitnessLevel: null,
  ...noFlags,
  exerciseFrequency: null,
  pilatesExperience: null,
  fitnessGoals: null,
  specificConcerns: null,
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
export function changesBetween<Record extends object>(before: Record | null, after: Record, blank: Partial<Record>) {
  const fields = Object.keys(after) as (keyof Record)[]
  const changed = fields.filter((field) => !alike((before ?? blank)[field], after[field]))
  return Object.fromEntries(changed.map((field) => [field, { old: before?.[field] ?? null, new: after[field] }]))
}

function alike(a: unknown, b: unknown): boolean {
  return a === b || (isBlank(a) && isBlank(b))
}

function isBlank(value: unknown): boolean {
  return value == null || value === ''
}
