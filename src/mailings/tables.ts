import { sql } from 'drizzle-orm'
import { integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '#platform/database/columns.ts'
import type { Audience } from './contract.ts'

/** What the studio wrote to many. */
export const studioMessages = pgTable('studio_messages', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  audience: jsonb().$type<Audience>().notNull(),
  /** In words, as it was when the message was sent. */
  audienceLabel: text('audience_label').notNull(),
  kind: text({ enum: ['service', 'marketing'] }).notNull(),
  subject: text().notNull(),
  text: text().notNull(),
  adminId: text('admin_id').notNull(),
  sentAt: instant('sent_at').notNull(),
  /** How many people it went to, those included who are erased since. */
  recipients: integer().notNull(),
})
export type StudioMessageRow = typeof studioMessages.$inferSelect

/** Whom a message went to, and what became of it. */
export const messageRecipients = pgTable('message_recipients', {
  id: uuid().primaryKey().default(sql`gen_random_uuid()`),
  messageId: integer('message_id').notNull(),
  userId: text('user_id'),
  /** The token of a newsletter's subscription. */
  subscriber: text(),
  status: text({ enum: ['queued', 'handed_over', 'failed', 'left_out'] })
    .notNull()
    .default('queued'),
  statusAt: instant('status_at').notNull(),
  /** Why the mail server did not take it. */
  reason: text(),
})

/** Who wants no news and offers. */
export const marketingObjections = pgTable('marketing_objections', {
  userId: text('user_id').primaryKey(),
  objectedAt: instant('objected_at').notNull(),
})
