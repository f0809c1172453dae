import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core'
import type { PersonName } from '#foundation/person-names.ts'
import { instant } from '#platform/database/columns.ts'
import { COMPLAINT_CHANNELS, HOLD_REASONS } from './rules.ts'

/** How much each run of the retention job erased. */
export const retentionRuns = pgTable('retention_runs', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  ranAt: instant('ran_at').notNull(),
  members: integer().notNull(),
  healthRecords: integer('health_records').notNull(),
  purchases: integer().notNull(),
  recordLines: integer('record_lines').notNull(),
  failures: integer().notNull(),
})

/** Why the retention job waits for the owner: one row, or none. */
export const retentionHold = pgTable('retention_hold', {
  oneRow: boolean('one_row').primaryKey().default(true),
  reason: text({ enum: HOLD_REASONS }).notNull(),
  heldAt: instant('held_at').notNull(),
  /** The last try, by the job's clock. */
  triedAt: instant('tried_at').notNull(),
  /** The last try, by the database's clock. */
  databaseAt: instant('database_at').notNull(),
  lastRunAt: instant('last_run_at'),
  /** Members with something to erase. */
  due: integer().notNull(),
  members: integer().notNull(),
  confirmedAt: instant('confirmed_at'),
})

/** Users that a restored backup must not bring back. */
export const erasures = pgTable('erasures', {
  userId: text('user_id').primaryKey(),
  erasedAt: instant('erased_at').notNull(),
})

/** Complaints about personal data, by members and people without an account; open until answered. */
export const dataComplaints = pgTable('data_complaints', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  userId: text('user_id'),
  channel: text({ enum: COMPLAINT_CHANNELS }).notNull().default('account'),
  /** Of a person without an account; the same for `email` and `otherContact`, at least one of which is known. */
  name: text().$type<PersonName>(),
  email: text(),
  /** A phone number, a postal address or a name on a social network. */
  otherContact: text('other_contact'),
  complaint: text().notNull(),
  madeAt: instant('made_at').notNull(),
  answer: text(),
  answeredBy: text('answered_by'),
  answeredAt: instant('answered_at'),
})

/** Members with a complaint noted by an admin. Retention keeps their data until it is closed. */
export const complaints = pgTable('complaints', {
  userId: text('user_id').primaryKey(),
  reason: text().notNull(),
  openedBy: text('opened_by').notNull(),
  openedAt: instant('opened_at').notNull(),
})
