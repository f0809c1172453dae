import { integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '#platform/database/columns.ts'
import type { StudioFacts } from './contract.ts'
import type { SetUpItemName } from './rules.ts'

/** Every version of the facts since the first edit; the highest is current. */
export const studioFacts = pgTable('studio_facts', {
  version: integer().primaryKey(),
  facts: jsonb().$type<StudioFacts>().notNull(),
  adminId: text('admin_id').notNull(),
  changedAt: instant('changed_at').notNull(),
})

/** What the owner has confirmed in the set-up list. */
export const setUpItems = pgTable('set_up_items', {
  item: text().$type<SetUpItemName>().primaryKey(),
  /** Null for the test email, which is confirmed once it was sent. */
  adminId: text('admin_id'),
  confirmedAt: instant('confirmed_at').notNull(),
})
