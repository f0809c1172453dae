import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { bytes, instant } from '#platform/database/columns.ts'

/** Files that were brought over, with what each did. */
export const imports = pgTable('imports', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  /** Who did it, as in the record of admins' changes. */
  adminId: text('admin_id').notNull(),
  importedAt: instant('imported_at').notNull(),
  members: integer().notNull(),
  passes: integer().notNull(),
  credits: integer().notNull(),
  takenBackAt: instant('taken_back_at'),
})

/** Rows of files that were brought over: once, unless their import is taken back. */
export const importRows = pgTable('import_rows', {
  fingerprint: bytes().primaryKey(),
  userId: text('user_id'),
  credits: integer().notNull(),
  importedAt: instant('imported_at').notNull(),
  /** Null of rows from before imports were batches. */
  importId: integer('import_id'),
  /** The pass that it gave. */
  passId: integer('pass_id'),
  addsMember: boolean('adds_member').notNull().default(false),
})
