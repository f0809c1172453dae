import { sql } from 'drizzle-orm'
import { integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '#platform/database/columns.ts'
import type { MailJob, MailName } from './mail.ts'

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

/** Calls to members without an email address, one per mail that they would have had. */
export const calls = pgTable('calls', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  userId: text('user_id').notNull(),
  mail: text().$type<MailName>().notNull(),
  subject: text().notNull(),
  gist: text().notNull(),
  createdAt: instant('created_at').notNull().default(sql`now()`),
})
