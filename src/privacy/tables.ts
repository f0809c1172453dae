import { boolean, integer, snakeCase, text } from 'drizzle-orm/pg-core'
import type { PersonName } from '#foundation/person-names.ts'
import { instant } from '#platform/database/columns.ts'
import { COMPLAINT_CHANNELS, HOLD_REASONS } from './rules.ts'

/** How much each run of the retention job erased. */
export const retentionRuns = snakeCase.table('retention_runs', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  ranAt: instant().notNull(),
  members: integer().notNull(),
  healthRecords: integer().notNull(),
  purchases: integer().notNull(),
  recordLines: integer().notNull(),
  failures: integer().notNull(),
})

/** Why the retention job waits for the owner: one row, or none. */
export const retentionHold = snakeCase.table('retention_hold', {
  oneRow: boolean().primaryKey().default(true),
  reason: text({ enum: HOLD_REASONS }).notNull(),
  heldAt: instant().notNull(),
  /** The last try, by the job's clock. */
  triedAt: instant().notNull(),
  /** The last try, by the database's clock. */
  databaseAt: instant().notNull(),
  lastRunAt: instant(),
  /** Members with something to erase. */
  due: integer().notNull(),
  members: integer().notNull(),
  confirmedAt: instant(),
})

/** Users that a restored backup must not bring back. */
export const erasures = snakeCase.table('erasures', {
  userId: text().primaryKey(),
  erasedAt: instant().notNull(),
})

/** Complaints about personal data, by members and people without an account; open until answered. */
export const dataComplaints = snakeCase.table('data_complaints', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  userId: text(),
  channel: text({ enum: COMPLAINT_CHANNELS }).notNull().default('account'),
  /** Of a person without an account; the same for `email` and `otherContact`, at least one of which is known. */
  name: text().$type<PersonName>(),
  email: text(),
  /** A phone number, a postal address or a name on a social network. */
  otherContact: text(),
  complaint: text().notNull(),
  madeAt: instant().notNull(),
  answer: text(),
  answeredBy: text(),
  answeredAt: instant(),
})

/** Members with a complaint noted by an admin. Retention keeps their data until it is closed. */
export const complaints = snakeCase.table('complaints', {
  userId: text().primaryKey(),
  reason: text().notNull(),
  openedBy: text().notNull(),
  openedAt: instant().notNull(),
})
