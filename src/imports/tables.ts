import { boolean, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { bytes, instant } from '#platform/database/columns.ts'

/** Imported files and their figures. */
export const imports = pgTable('imports', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  adminId: text('admin_id').notNull(),
  importedAt: instant('imported_at').notNull(),
  members: integer().notNull(),
  passes: integer().notNull(),
  credits: integer().notNull(),
  bookings: integer().notNull().default(0),
  takenBackAt: instant('taken_back_at'),
})

/** Imported rows. Each is imported once, unless its import is taken back. */
export const importRows = pgTable('import_rows', {
  fingerprint: bytes().primaryKey(),
  userId: text('user_id'),
  credits: integer().notNull(),
  importedAt: instant('imported_at').notNull(),
  importId: integer('import_id').notNull(),
  passId: integer('pass_id'),
  addsMember: boolean('adds_member').notNull().default(false),
  /** The credits in the file. */
  fileCredits: integer('file_credits').notNull(),
  /** The member's consent to news that the row's consent replaced, instants as text. */
  consentBefore: jsonb('consent_before').$type<{
    agreedAt: string
    source: 'import' | 'dashboard'
    note: string | null
    recordedAt: string
  }>(),
  bookingId: integer('booking_id'),
})
