import { bigint, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../columns.ts'

export const backups = pgTable('backups', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  beganAt: instant('began_at').notNull(),
  endedAt: instant('ended_at').notNull(),
  madeBy: text('made_by', { enum: ['night', 'command'] }).notNull(),
  machine: text().notNull(),
  file: text(),
  bytes: bigint({ mode: 'number' }),
  failure: text(),
})

export const restores = pgTable('restores', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  takenAt: instant('taken_at').notNull(),
  restoredAt: instant('restored_at').notNull(),
  settledAt: instant('settled_at'),
  lastReceiptRestored: integer('last_receipt_restored').notNull(),
  /** Receipts between the two numbers are in members' hands but not in this database. */
  lastReceiptGiven: integer('last_receipt_given').notNull(),
})

/** Jobs that waited when the backup was made, until the queue takes them. */
export const restoredJobs = pgTable('restored_jobs', {
  id: uuid().primaryKey(),
  queue: text().notNull(),
  data: jsonb().$type<object>().notNull(),
  createdAt: instant('created_at').notNull(),
})
