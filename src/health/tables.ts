import { bigint, boolean, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { bytes, instant } from '#platform/database/columns.ts'
import { HEALTH_READS } from './rules.ts'

/** `version`: see `platform/vault/vault.ts`. */
export const healthQuestionnaires = pgTable('health_questionnaires', {
  userId: text('user_id').primaryKey(),
  sealed: bytes().notNull(),
  version: integer().notNull(),
  marketingConsent: boolean('marketing_consent').notNull(),
  consentedAt: instant('consented_at').notNull(),
  consentTextVersion: text('consent_text_version').notNull(),
  updatedAt: instant('updated_at').notNull(),
})

export const emergencyContacts = pgTable('emergency_contacts', {
  userId: text('user_id').primaryKey(),
  sealed: bytes().notNull(),
  version: integer().notNull(),
  updatedAt: instant('updated_at').notNull(),
})

export const healthUpdates = pgTable('health_updates', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  userId: text('user_id').notNull(),
  updateType: text('update_type', { enum: ['questionnaire_updated', 'emergency_contact_updated'] }).notNull(),
  sealedChanges: bytes('sealed_changes').notNull(),
  version: integer().notNull(),
  createdAt: instant('created_at').notNull(),
  notifiedAt: instant('notified_at'),
})

/** One note per booking. Deleted with the questionnaire, whose consent it is kept under. */
export const sessionNotes = pgTable('session_notes', {
  bookingId: integer('booking_id').primaryKey(),
  userId: text('user_id').notNull(),
  sealed: bytes().notNull(),
  version: integer().notNull(),
  authorId: text('author_id'),
  writtenAt: instant('written_at').notNull(),
})
export type SessionNoteRow = typeof sessionNotes.$inferSelect

export const healthReads = pgTable('health_reads', {
  id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  /** No foreign keys, because lines outlive both accounts. */
  adminId: text('admin_id').notNull(),
  memberId: text('member_id').notNull(),
  what: text({ enum: HEALTH_READS }).notNull(),
  at: instant().notNull(),
  /** The admin's network. */
  address: text(),
})
