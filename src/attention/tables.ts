import { boolean, integer, snakeCase, text } from 'drizzle-orm/pg-core'
import { calendarDate, instant } from '#platform/database/columns.ts'
import { WATCHED } from './rules.ts'

/** Items that an admin marked as done. */
export const attentionDone = snakeCase.table('attention_done', {
  kind: text().primaryKey(),
  about: text().primaryKey(),
  adminId: text().notNull(),
  doneAt: instant().notNull(),
})

/** One row: the date of the last daily email. */
export const attentionMail = snakeCase.table('attention_mail', {
  isOnly: boolean().primaryKey().default(true),
  mailedOn: calendarDate().notNull(),
})

/** How many bookings and payments were tried in a minute, and how many ended in a server error. */
export const outcomes = snakeCase.table('outcomes', {
  kind: text({ enum: WATCHED }).primaryKey(),
  minute: instant().primaryKey(),
  total: integer().notNull(),
  failed: integer().notNull(),
})

/** Times when too many failed. */
export const incidents = snakeCase.table('incidents', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  kind: text({ enum: WATCHED }).notNull(),
  startedAt: instant().notNull(),
  endedAt: instant(),
  /** When it started. */
  total: integer().notNull(),
  failed: integer().notNull(),
})
export type Incident = typeof incidents.$inferSelect

/** The weekly check of the checkout page from outside. */
export const checkoutChecks = snakeCase.table('checkout_checks', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  checkedAt: instant().notNull(),
  findings: text().array().notNull(),
})
