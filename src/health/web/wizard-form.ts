import { z } from 'zod'
import { keysOf, recordOf } from '#foundation/collections.ts'
import type { EmergencyContact, Questionnaire } from '../contract.ts'
import { ConsentForm, EmergencyContactForm, QuestionnaireForm } from '../contract.ts'
import { HEALTH_CHOICES, HEALTH_FLAGS, HEALTH_GOALS, HEALTH_HISTORY, questionnaireFields } from '../rules.ts'
import type { HealthAnswers } from './health.ts'

/** The four steps as one form; each step validates its own fields. */
export const WizardForm = z.object({
  ...QuestionnaireForm.shape,
  ...EmergencyContactForm.shape,
  ...ConsentForm.shape,
})
export type WizardInput = z.input<typeof WizardForm>
export type WizardAnswers = z.output<typeof WizardForm>
export type WizardField = keyof WizardInput

const MEDICAL = [...HEALTH_HISTORY, ...HEALTH_FLAGS, 'pregnancyStatus'] as const
const EXERCISE = ['fitnessLevel', 'exerciseFrequency', 'pilatesExperience', ...HEALTH_GOALS] as const
const CONTACT = ['contactName', 'relationship', 'phoneNumber', 'email'] as const
const CONSENT = ['healthDisclaimer', 'dataConsent', 'marketingConsent'] as const

export const STEPS: readonly { title: string; fields: readonly WizardField[] }[] = [
  { title: 'Medical History', fields: MEDICAL },
  { title: 'Exercise Background', fields: EXERCISE },
  { title: 'Emergency Contact', fields: CONTACT },
  { title: 'Disclaimers & Consent', fields: CONSENT },
]

const BLANK = questionnaireFields(
  () => '',
  () => false,
  recordOf(HEALTH_CHOICES, () => null),
)

/** The initial values: earlier answers, if any. Consents must be given again each time. */
export function openingAnswers(questionnaire?: Questionnaire, contact?: EmergencyContact): WizardInput {
  return {
    ...BLANK,
    ...Object.fromEntries(keysOf(BLANK).map((field) => [field, questionnaire?.[field] ?? BLANK[field]])),
    contactName: contact?.name ?? '',
    relationship: contact?.relationship ?? '',
    phoneNumber: contact?.phone ?? '',
    email: contact?.email ?? '',
    healthDisclaimer: false,
    dataConsent: false,
    marketingConsent: questionnaire?.marketingConsent ?? false,
  }
}

/** The two request bodies, without the consents. */
export function toSend(answers: WizardAnswers): HealthAnswers {
  const { contactName, relationship, phoneNumber, email, healthDisclaimer, dataConsent, ...questionnaire } = answers
  return { questionnaire, contact: { contactName, relationship, phoneNumber, email } }
}
