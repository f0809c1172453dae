import { integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '#platform/database/columns.ts'
import type { StudioFacts } from './contract.ts'

/** Every state of the facts since the first edit; the one with the greatest version is true. */
export const studioFacts = pgTable('studio_facts', {
  version: integer().primaryKey(),
  facts: jsonb().$type<StudioFacts>().notNull(),
  /** Who wrote it, as in the record of admins' changes. */
  adminId: text('admin_id').notNull(),
  changedAt: instant('changed_at').notNull(),
})
