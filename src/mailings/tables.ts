import { sql } from 'drizzle-orm'
import { integer, jsonb, snakeCase, text, uuid } from 'drizzle-orm/pg-core'
import { calendarDate, instant } from '#platform/database/columns.ts'
import type { Audience, EmailPicture } from './contract.ts'

/** Messages to many people. */
export const studioMessages = snakeCase.table('studio_messages', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  audience: jsonb().$type<Audience>().notNull(),
  /** In words, as of when the message was sent. */
  audienceLabel: text().notNull(),
  kind: text({ enum: ['service', 'marketing'] }).notNull(),
  subject: text().notNull(),
  text: text().notNull(),
  /** Shown below the text. */
  pictures: jsonb().$type<EmailPicture[]>().notNull().default([]),
  adminId: text().notNull(),
  sentAt: instant().notNull(),
  /** Includes people who have been erased since. */
  recipients: integer().notNull(),
})
export type StudioMessageRow = typeof studioMessages.$inferSelect

/** The recipients of a message and the outcome for each. */
export const messageRecipients = snakeCase.table('message_recipients', {
  id: uuid().primaryKey().default(sql`gen_random_uuid()`),
  messageId: integer().notNull(),
  userId: text(),
  /** The token of a newsletter subscription. */
  subscriber: text(),
  status: text({ enum: ['queued', 'handed_over', 'failed', 'left_out'] })
    .notNull()
    .default('queued'),
  statusAt: instant().notNull(),
  /** Why the mail server refused it. */
  reason: text(),
})

/** Members who do not want news and offers. */
export const marketingObjections = snakeCase.table('marketing_objections', {
  userId: text().primaryKey(),
  objectedAt: instant().notNull(),
})

/** Consent to news and offers given outside the health form; the latest of each member. */
export const marketingConsents = snakeCase.table('marketing_consents', {
  userId: text().primaryKey(),
  agreedAt: instant().notNull(),
  source: text({ enum: ['import', 'dashboard'] }).notNull(),
  /** In words, such as "Momence sign-up form". */
  note: text(),
  recordedAt: instant().notNull(),
})

/** Members who answered the offer of news on their dashboard. */
export const newsOffers = snakeCase.table('news_offers', {
  userId: text().primaryKey(),
  answeredAt: instant().notNull(),
})

/** Warnings that credits expire, queued once per pass, expiry and number of days. */
export const expiryWarnings = snakeCase.table('expiry_warnings', {
  passId: integer().primaryKey(),
  expiresOn: calendarDate().primaryKey(),
  days: integer().primaryKey(),
  queuedAt: instant().notNull(),
})
