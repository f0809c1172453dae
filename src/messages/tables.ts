import { sql } from 'drizzle-orm'
import { integer, jsonb, numeric, snakeCase, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '#platform/database/columns.ts'
import type { MailJob } from './mail.ts'
import { TEXT_KINDS, TEXT_STATES } from './rules.ts'
import type { Alert } from './rules-alerts.ts'

export const newsletterSubscribers = snakeCase.table('newsletter_subscribers', {
  token: text().primaryKey(),
  email: text().notNull(),
  requestedAt: instant().notNull(),
  confirmedAt: instant(),
})

/** Mails that are no longer retried. */
export const undeliveredMails = snakeCase.table('undelivered_mails', {
  /** The job's id. */
  id: uuid().primaryKey(),
  address: text().notNull(),
  mail: jsonb().$type<MailJob>().notNull(),
  reason: text().notNull(),
  failedAt: instant().notNull(),
})

/** Addresses that their mail server refuses. */
export const refusedAddresses = snakeCase.table('refused_addresses', {
  /** In lower case. */
  address: text().primaryKey(),
  reason: text().notNull(),
  since: instant().notNull(),
})

/** Calls to members without an email address, one per mail that they would have had. Rendered when they are shown. */
export const calls = snakeCase.table('calls', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  userId: text().notNull(),
  mail: jsonb().$type<MailJob>().notNull(),
  createdAt: instant().notNull().default(sql`now()`),
})

/** Text messages to members. A row is claimed in its own transaction before it is sent, so it is sent at most once. */
export const texts = snakeCase.table('texts', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  userId: text(),
  kind: text({ enum: TEXT_KINDS }).notNull(),
  /** `class_moved:12`. */
  topic: text().notNull(),
  /** `class_moved:12:2026-12-07T09:00:00Z`: a member is texted about it once. */
  event: text().notNull(),
  alert: jsonb().$type<Alert>().notNull(),
  body: text().notNull(),
  sendAfter: instant().notNull(),
  uselessAfter: instant().notNull(),
  state: text({ enum: TEXT_STATES }).notNull().default('queued'),
  /** The number it went to, `+447…`; null before. */
  phone: text(),
  claimedAt: instant(),
  providerId: text(),
  error: text(),
  /** Decimal, in `currency`; null until the provider has priced it. */
  cost: numeric({ precision: 10, scale: 4 }),
  currency: text(),
  createdAt: instant().notNull(),
})
export type TextRow = typeof texts.$inferSelect
