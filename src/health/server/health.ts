/** What other parts may call of health. */
export { eraseHealth, eraseHealthReads } from './erase-health.ts'
export { healthHistoryOf, listHealthUpdates, markHealthUpdateSent } from './health-updates.ts'
export { instructorNotesOf } from './instructor-notes.ts'
export { emergencyContactOf, isHealthComplete, questionnaireOf, withdrawMarketingConsent } from './queries.ts'
export { rotateHealthKeys } from './rotate-keys.ts'
export { saveEmergencyContact } from './save-emergency-contact.ts'
export { saveQuestionnaire } from './save-questionnaire.ts'
export { type HealthVault, healthVault, VaultError } from './vault.ts'
