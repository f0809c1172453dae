import { recordOf } from '#foundation/collections.ts'

/** The questions that are answered in a member's own words: about the past, and about what they want. */
export const HEALTH_HISTORY = ['currentMedications', 'allergies', 'previousInjuries', 'chronicConditions'] as const
export const HEALTH_GOALS = ['fitnessGoals', 'specificConcerns'] as const
/** The questions that offer a few answers. */
export const HEALTH_CHOICES = ['pregnancyStatus', 'fitnessLevel', 'exerciseFrequency', 'pilatesExperience'] as const
/** The yes/no questions, in the order in which the form asks them. */
export const HEALTH_FLAGS = [
  'hasHeartCondition',
  'hasHighBloodPressure',
  'hasDiabetes',
  'hasBackProblems',
  'hasJointProblems',
  'hasBreathingProblems',
  'hasOtherConditions',
] as const

/**
 * Every question of the questionnaire, in the order in which answers and changes are listed, with what the caller needs for
 * a question of its kind: a schema, an empty answer.
 */
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

/** What is said in place of a record that is there and cannot be opened: it was damaged, or its key is missing. */
export const UNREADABLE = 'This record cannot be read'

/** A record that cannot be opened, as the contract's `Unreadable` shows it. */
type Unreadable = { unreadable: typeof UNREADABLE; updatedAt: string }

/** Whether a record could be opened. */
export const isReadable = <Record extends object>(record: Record | Unreadable): record is Record =>
  !('unreadable' in record)
