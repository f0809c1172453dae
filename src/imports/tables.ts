import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { bytes, instant } from '../platform/database/columns.ts'

/** Rows of files that were brought over: once, ever. */
export const importRows = pgTable('import_rows', {
  fingerprint: bytes().primaryKey(),
  userId: text('user_id'),
  credits: integer().notNull(),
  importedAt: instant('imported_at').notNull(),
})
