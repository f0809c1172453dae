import { recordOf } from '#foundation/collections.ts'

/** Free-text questions about the past and about the member's goals. */
export const HEALTH_HISTORY = ['currentMedications', 'allergies', 'previousInjuries', 'chronicConditions'] as const
export const HEALTH_GOALS = ['fitnessGoals', 'specificConcerns'] as const
/** Multiple-choice questions. */
export const HEALTH_CHOICES = ['pregnancyStatus', 'fitnessLevel', 'exerciseFrequency', 'pilatesExperience'] as const
/** Yes/no questions in the form's order. */
export const HEALTH_FLAGS = [
  'hasHeartCondition',
  'hasHighBloodPressure',
  'hasDiabetes',
  'hasBackProblems',
  'hasJointProblems',
  'hasBreathingProblems',
  'hasOtherConditions',
] as const

/** Builds a record of all questions, in the order of lists, with the caller's value for each kind, such as a schema. */
export function questionnaireFields<Text, Flag, Choices extends Record<(typeof HEALTH_CHOICES)[number], unknown>>(
  text: () => Text,
  flag: () => Flag,
  choices: Choices,
) {
  return {
    ...recordOf(HEALTH_HISTORY, text),
    pregnancyStatus: choices.pregnancyStatus,
    fitnessLevel: choices.fitnessLevel,
    ...recordOf(HEALTH_FLAGS, flag),
    exerciseFrequency: choices.exerciseFrequency,
    pilatesExperience: choices.pilatesExperience,
    ...recordOf(HEALTH_GOALS, text),
  }
}

/** What a reading of health information showed: the updates, the notes of a session, a contact, all answers. */
export const HEALTH_READS = ['health_updates', 'session_notes', 'emergency_contact', 'answers'] as const

/** Shown for a record that cannot be decrypted because it is damaged or its key is missing. */
export const UNREADABLE = 'This record cannot be read'

type Unreadable = { unreadable: typeof UNREADABLE; updatedAt: string }

export const isReadable = <Record extends object>(record: Record | Unreadable): record is Record =>
  !('unreadable' in record)
