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

/** What is said in place of a record that is there and cannot be opened: it was damaged, or its key is missing. */
export const UNREADABLE = 'This record cannot be read'

/** A record that cannot be opened, as the contract's `Unreadable` shows it. */
type Unreadable = { unreadable: typeof UNREADABLE; updatedAt: string }

/** Whether a record could be opened. */
export const isReadable = <Record extends object>(record: Record | Unreadable): record is Record =>
  !('unreadable' in record)
