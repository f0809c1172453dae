import { boolean, integer, jsonb, snakeCase, text } from 'drizzle-orm/pg-core'
import { bytes, instant } from '#platform/database/columns.ts'

/** Imported files and their figures. */
export const imports = snakeCase.table('imports', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  adminId: text().notNull(),
  importedAt: instant().notNull(),
  members: integer().notNull(),
  passes: integer().notNull(),
  credits: integer().notNull(),
  bookings: integer().notNull().default(0),
  takenBackAt: instant(),
})

/** Imported rows. Each is imported once, unless its import is taken back. */
export const importRows = snakeCase.table('import_rows', {
  fingerprint: bytes().primaryKey(),
  userId: text(),
  credits: integer().notNull(),
  importedAt: instant().notNull(),
  importId: integer().notNull(),
  passId: integer(),
  addsMember: boolean().notNull().default(false),
  /** The credits in the file. */
  fileCredits: integer().notNull(),
  /** The member's consent to news that the row's consent replaced, instants as text. */
  consentBefore: jsonb().$type<{
    agreedAt: string
    source: 'import' | 'dashboard'
    note: string | null
    recordedAt: string
  }>(),
  bookingId: integer(),
})
