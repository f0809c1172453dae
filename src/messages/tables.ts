import { sql } from 'drizzle-orm'
import { integer, jsonb, numeric, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '#platform/database/columns.ts'
import type { MailJob } from './mail.ts'
import { TEXT_KINDS, TEXT_STATES } from './rules.ts'
import type { Alert } from './rules-alerts.ts'

export const newsletterSubscribers = pgTable('newsletter_subscribers', {
  token: text().primaryKey(),
  email: text().notNull(),
  requestedAt: instant('requested_at').notNull(),
  confirmedAt: instant('confirmed_at'),
})

/** Mails that are no longer retried. */
export const undeliveredMails = pgTable('undelivered_mails', {
  /** The job's id. */
  id: uuid().primaryKey(),
  address: text().notNull(),
  mail: jsonb().$type<MailJob>().notNull(),
  reason: text().notNull(),
  failedAt: instant('failed_at').notNull(),
})

/** Addresses that their mail server refuses. */
export const refusedAddresses = pgTable('refused_addresses', {
  /** In lower case. */
  address: text().primaryKey(),
  reason: text().notNull(),
  since: instant().notNull(),
})

/** Calls to members without an email address, one per mail that they would have had. Rendered when they are shown. */
export const calls = pgTable('calls', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  userId: text('user_id').notNull(),
  mail: jsonb().$type<MailJob>().notNull(),
  createdAt: instant('created_at').notNull().default(sql`now()`),
})

/** Text messages to members. A row is claimed in its own transaction before it is sent, so it is sent at most once. */
export const texts = pgTable('texts', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  userId: text('user_id'),
  kind: text({ enum: TEXT_KINDS }).notNull(),
  /** `class_moved:12`. */
  topic: text().notNull(),
  /** `class_moved:12:2026-12-07T09:00:00Z`: a member is texted about it once. */
  event: text().notNull(),
  alert: jsonb().$type<Alert>().notNull(),
  body: text().notNull(),
  sendAfter: instant('send_after').notNull(),
  uselessAfter: instant('useless_after').notNull(),
  state: text({ enum: TEXT_STATES }).notNull().default('queued'),
  /** The number it went to, `+447…`; null before. */
  phone: text(),
  claimedAt: instant('claimed_at'),
  providerId: text('provider_id'),
  error: text(),
  /** Decimal, in `currency`; null until the provider has priced it. */
  cost: numeric({ precision: 10, scale: 4 }),
  currency: text(),
  createdAt: instant('created_at').notNull(),
})
export type TextRow = typeof texts.$inferSelect
