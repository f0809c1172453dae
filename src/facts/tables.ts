import { integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '#platform/database/columns.ts'
import type { StudioFacts } from './contract.ts'

/** Every version of the facts since the first edit; the highest is current. */
export const studioFacts = pgTable('studio_facts', {
  version: integer().primaryKey(),
  facts: jsonb().$type<StudioFacts>().notNull(),
  adminId: text('admin_id').notNull(),
  changedAt: instant('changed_at').notNull(),
})
