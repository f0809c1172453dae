import { integer, jsonb, snakeCase, text } from 'drizzle-orm/pg-core'
import { instant } from '#platform/database/columns.ts'
import type { StudioFacts } from './contract.ts'
import type { SetUpItemName } from './rules.ts'

/** Every version of the facts since the first edit; the highest is current. */
export const studioFacts = snakeCase.table('studio_facts', {
  version: integer().primaryKey(),
  facts: jsonb().$type<StudioFacts>().notNull(),
  adminId: text().notNull(),
  changedAt: instant().notNull(),
})

/** What the owner has confirmed in the set-up list. */
export const setUpItems = snakeCase.table('set_up_items', {
  item: text().$type<SetUpItemName>().primaryKey(),
  /** Null for the test email, which is confirmed once it was sent. */
  adminId: text(),
  confirmedAt: instant().notNull(),
})
