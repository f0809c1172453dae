import type { InstructorNote } from '../contract.ts'
import { UNREADABLE } from '../rules.ts'
import type { WizardField } from './wizard-form.ts'

/** A field's name on screens, in the error list and in the studio's list of changes. */
export const LABELS: Record<WizardField, string> = {
  currentMedications: 'Current medications',
  allergies: 'Allergies',
  previousInjuries: 'Previous injuries or surgery',
  chronicConditions: 'Chronic conditions',
  hasHeartCondition: 'Heart condition',
  hasHighBloodPressure: 'High blood pressure',
  hasDiabetes: 'Diabetes',
  hasBackProblems: 'Back problems',
  hasJointProblems: 'Joint problems',
  hasBreathingProblems: 'Breathing problems',
  hasOtherConditions: 'Other conditions',
  pregnancyStatus: 'Pregnancy',
  fitnessLevel: 'Fitness level',
  exerciseFrequency: 'How often do you exercise?',
  pilatesExperience: 'Pilates experience',
  fitnessGoals: 'What would you like to achieve?',
  specificConcerns: 'Anything you would like us to know?',
  contactName: 'Emergency contact name',
  relationship: 'Relationship',
  phoneNumber: 'Phone number',
  email: 'Email address',
  healthDisclaimer: 'Health disclaimer',
  dataConsent: 'Data processing consent',
  marketingConsent: 'News from the studio',
}

/** In the order of the form. */
export const CHOICES = {
  pregnancyStatus: [
    ['not_pregnant', 'Not pregnant'],
    ['pregnant', 'Pregnant'],
    ['postnatal', 'Postnatal (within 12 months)'],
    ['prefer_not_to_say', 'Prefer not to say'],
  ],
  fitnessLevel: [
    ['beginner', 'Beginner'],
    ['intermediate', 'Intermediate'],
    ['advanced', 'Advanced'],
  ],
  exerciseFrequency: [
    ['never', 'Never'],
    ['rarely', 'Rarely'],
    ['weekly', 'Weekly'],
    ['daily', 'Daily'],
  ],
  pilatesExperience: [
    ['none', 'None'],
    ['beginner', 'Beginner'],
    ['some_experience', 'Some experience'],
    ['experienced', 'Experienced'],
  ],
} as const

/** What the instructor reads next to a name. */
export const NOTES: Record<InstructorNote, string> = {
  heart_condition: 'Heart condition',
  high_blood_pressure: 'High blood pressure',
  breathing_problems: 'Breathing problems',
  back_problems: 'Back problems',
  joint_problems: 'Joint problems',
  injuries: 'Injuries',
  pregnant: 'Pregnant',
  postnatal: 'Postnatal',
  unreadable: UNREADABLE,
}

/** The API reads the contact under other names than it writes it. */
const AS_WRITTEN: Record<string, WizardField> = { name: 'contactName', phone: 'phoneNumber' }

export function labelOf(field: string): string {
  const labels: Record<string, string> = LABELS
  return labels[AS_WRITTEN[field] ?? field] ?? field
}

export function answerInWords(field: string, value: unknown): string {
  if (value == null || value === '') return 'No answer'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  const all: Record<string, readonly (readonly [string, string])[]> = CHOICES
  return all[field]?.find(([choice]) => choice === value)?.[1] ?? String(value)
}
