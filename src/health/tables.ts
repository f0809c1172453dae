import { bigint, boolean, integer, snakeCase, text } from 'drizzle-orm/pg-core'
import { bytes, instant } from '#platform/database/columns.ts'
import { HEALTH_READS } from './rules.ts'

/** `version`: see `platform/vault/vault.ts`. */
export const healthQuestionnaires = snakeCase.table('health_questionnaires', {
  userId: text().primaryKey(),
  sealed: bytes().notNull(),
  version: integer().notNull(),
  marketingConsent: boolean().notNull(),
  consentedAt: instant().notNull(),
  consentTextVersion: text().notNull(),
  updatedAt: instant().notNull(),
})

export const emergencyContacts = snakeCase.table('emergency_contacts', {
  userId: text().primaryKey(),
  sealed: bytes().notNull(),
  version: integer().notNull(),
  updatedAt: instant().notNull(),
})

export const healthUpdates = snakeCase.table('health_updates', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  userId: text().notNull(),
  updateType: text({ enum: ['questionnaire_updated', 'emergency_contact_updated'] }).notNull(),
  sealedChanges: bytes().notNull(),
  version: integer().notNull(),
  createdAt: instant().notNull(),
  notifiedAt: instant(),
})

/** One note per booking. Deleted with the questionnaire, whose consent it is kept under. */
export const sessionNotes = snakeCase.table('session_notes', {
  bookingId: integer().primaryKey(),
  userId: text().notNull(),
  sealed: bytes().notNull(),
  version: integer().notNull(),
  authorId: text(),
  writtenAt: instant().notNull(),
})
export type SessionNoteRow = typeof sessionNotes.$inferSelect

export const healthReads = snakeCase.table('health_reads', {
  id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  /** No foreign keys, because lines outlive both accounts. */
  adminId: text().notNull(),
  memberId: text().notNull(),
  what: text({ enum: HEALTH_READS }).notNull(),
  at: instant().notNull(),
  /** The admin's network. */
  address: text(),
})
