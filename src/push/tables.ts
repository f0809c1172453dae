import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { AlertKind } from '#messages/rules.ts'
import { instant } from '#platform/database/columns.ts'

/** A browser that shows notifications. It ends with its session. */
export const pushSubscriptions = pgTable('push_subscriptions', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  userId: text('user_id').notNull(),
  sessionId: uuid('session_id').notNull(),
  endpoint: text().notNull(),
  p256dh: text().notNull(),
  auth: text().notNull(),
  createdAt: instant('created_at').notNull(),
})

/** Members who have switched kinds of notifications off. */
export const pushChoices = pgTable('push_choices', {
  userId: text('user_id').primaryKey(),
  off: text().array().$type<AlertKind>().notNull(),
})
