import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '#platform/database/columns.ts'
import { HOLD_REASONS } from './rules.ts'

/** What each run of the retention job erased: counts, and nothing of whom. */
export const retentionRuns = pgTable('retention_runs', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  ranAt: instant('ran_at').notNull(),
  members: integer().notNull(),
  healthRecords: integer('health_records').notNull(),
  purchases: integer().notNull(),
  recordLines: integer('record_lines').notNull(),
  failures: integer().notNull(),
})

/** Why the retention job erased nothing and waits for the owner: one row, or none. */
export const retentionHold = pgTable('retention_hold', {
  oneRow: boolean('one_row').primaryKey().default(true),
  reason: text({ enum: HOLD_REASONS }).notNull(),
  heldAt: instant('held_at').notNull(),
  /** When it last found that it has to wait, by its own clock. */
  triedAt: instant('tried_at').notNull(),
  /** The same by the database's clock. */
  databaseAt: instant('database_at').notNull(),
  lastRunAt: instant('last_run_at'),
  /** How many of the members it would have erased, or their health information. */
  due: integer().notNull(),
  members: integer().notNull(),
  /** When the owner said that the date is right. */
  confirmedAt: instant('confirmed_at'),
})

/** The ids of erased users: what a restore must not bring back. */
export const erasures = pgTable('erasures', {
  userId: text('user_id').primaryKey(),
  erasedAt: instant('erased_at').notNull(),
})

/** What members complain of about their data; open until it is answered. */
export const dataComplaints = pgTable('data_complaints', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  userId: text('user_id').notNull(),
  /** In the member's words. */
  complaint: text().notNull(),
  madeAt: instant('made_at').notNull(),
  answer: text(),
  answeredBy: text('answered_by'),
  answeredAt: instant('answered_at'),
})

/** Members with an open complaint: retention erases nothing of them. */
export const complaints = pgTable('complaints', {
  userId: text('user_id').primaryKey(),
  reason: text().notNull(),
  openedBy: text('opened_by').notNull(),
  openedAt: instant('opened_at').notNull(),
})
