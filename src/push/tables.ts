import { integer, snakeCase, text, uuid } from 'drizzle-orm/pg-core'
import type { AlertKind } from '#messages/rules.ts'
import { instant } from '#platform/database/columns.ts'

/** A browser that shows notifications. It ends with its session. */
export const pushSubscriptions = snakeCase.table('push_subscriptions', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  userId: text().notNull(),
  sessionId: uuid().notNull(),
  endpoint: text().notNull(),
  p256dh: text().notNull(),
  auth: text().notNull(),
  createdAt: instant().notNull(),
})

/** Members who have switched kinds of notifications off. */
export const pushChoices = snakeCase.table('push_choices', {
  userId: text().primaryKey(),
  off: text().array().$type<AlertKind>().notNull(),
})
