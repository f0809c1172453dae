import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { calendarDate, instant } from '#platform/database/columns.ts'
import { WATCHED } from './rules.ts'

/** Items that an admin marked as done. */
export const attentionDone = pgTable('attention_done', {
  kind: text().primaryKey(),
  about: text().primaryKey(),
  adminId: text('admin_id').notNull(),
  doneAt: instant('done_at').notNull(),
})

/** One row: the date of the last daily email. */
export const attentionMail = pgTable('attention_mail', {
  isOnly: boolean('is_only').primaryKey().default(true),
  mailedOn: calendarDate('mailed_on').notNull(),
})

/** How many bookings and payments were tried in a minute, and how many ended in a server error. */
export const outcomes = pgTable('outcomes', {
  kind: text({ enum: WATCHED }).primaryKey(),
  minute: instant().primaryKey(),
  total: integer().notNull(),
  failed: integer().notNull(),
})

/** Times when too many failed. */
export const incidents = pgTable('incidents', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  kind: text({ enum: WATCHED }).notNull(),
  startedAt: instant('started_at').notNull(),
  endedAt: instant('ended_at'),
  /** When it started. */
  total: integer().notNull(),
  failed: integer().notNull(),
})
export type Incident = typeof incidents.$inferSelect

/** The weekly check of the checkout page from outside. */
export const checkoutChecks = pgTable('checkout_checks', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  checkedAt: instant('checked_at').notNull(),
  findings: text().array().notNull(),
})
