import { sql } from 'drizzle-orm'
import { integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { calendarDate, instant } from '#platform/database/columns.ts'
import type { Audience, EmailPicture } from './contract.ts'

/** Messages to many people. */
export const studioMessages = pgTable('studio_messages', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  audience: jsonb().$type<Audience>().notNull(),
  /** In words, as of when the message was sent. */
  audienceLabel: text('audience_label').notNull(),
  kind: text({ enum: ['service', 'marketing'] }).notNull(),
  subject: text().notNull(),
  text: text().notNull(),
  /** Shown below the text. */
  pictures: jsonb().$type<EmailPicture[]>().notNull().default([]),
  adminId: text('admin_id').notNull(),
  sentAt: instant('sent_at').notNull(),
  /** Includes people who have been erased since. */
  recipients: integer().notNull(),
})
export type StudioMessageRow = typeof studioMessages.$inferSelect

/** The recipients of a message and the outcome for each. */
export const messageRecipients = pgTable('message_recipients', {
  id: uuid().primaryKey().default(sql`gen_random_uuid()`),
  messageId: integer('message_id').notNull(),
  userId: text('user_id'),
  /** The token of a newsletter subscription. */
  subscriber: text(),
  status: text({ enum: ['queued', 'handed_over', 'failed', 'left_out'] })
    .notNull()
    .default('queued'),
  statusAt: instant('status_at').notNull(),
  /** Why the mail server refused it. */
  reason: text(),
})

/** Members who do not want news and offers. */
export const marketingObjections = pgTable('marketing_objections', {
  userId: text('user_id').primaryKey(),
  objectedAt: instant('objected_at').notNull(),
})

/** Consent to news and offers given outside the health form; the latest of each member. */
export const marketingConsents = pgTable('marketing_consents', {
  userId: text('user_id').primaryKey(),
  agreedAt: instant('agreed_at').notNull(),
  source: text({ enum: ['import', 'dashboard'] }).notNull(),
  /** In words, such as "Momence sign-up form". */
  note: text(),
  recordedAt: instant('recorded_at').notNull(),
})

/** Members who answered the offer of news on their dashboard. */
export const newsOffers = pgTable('news_offers', {
  userId: text('user_id').primaryKey(),
  answeredAt: instant('answered_at').notNull(),
})

/** Warnings that credits expire, queued once per pass, expiry and number of days. */
export const expiryWarnings = pgTable('expiry_warnings', {
  passId: integer('pass_id').primaryKey(),
  expiresOn: calendarDate('expires_on').primaryKey(),
  days: integer().primaryKey(),
  queuedAt: instant('queued_at').notNull(),
})
