export { recordHealthReads } from './access-log.ts'
export { healthHistoryOf } from './health-updates.ts'
export {
  emergencyContactOf,
  hasCompleteHealth,
  hasHealthInformation,
  instructorNotesOf,
  isHealthComplete,
  questionnaireOf,
  recordMarketingConsentInForm,
} from './queries.ts'
export { rotateHealthKeys } from './rotate-keys.ts'
export { eraseHealth, eraseHealthReads, saveEmergencyContact, saveQuestionnaire } from './save-answers.ts'
export { sessionNotesOn, writeSessionNote } from './session-notes.ts'
