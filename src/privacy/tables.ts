import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '../platform/database/columns.ts'

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
