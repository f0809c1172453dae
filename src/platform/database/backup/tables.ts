import { bigint, integer, jsonb, snakeCase, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../columns.ts'

export const backups = snakeCase.table('backups', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  beganAt: instant().notNull(),
  endedAt: instant().notNull(),
  madeBy: text({ enum: ['night', 'command'] }).notNull(),
  machine: text().notNull(),
  file: text(),
  bytes: bigint({ mode: 'number' }),
  failure: text(),
})

export const restores = snakeCase.table('restores', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  takenAt: instant().notNull(),
  restoredAt: instant().notNull(),
  settledAt: instant(),
  lastReceiptRestored: integer().notNull(),
  /** Receipts between the two numbers are in members' hands but not in this database. */
  lastReceiptGiven: integer().notNull(),
})

/** Jobs that waited when the backup was made, until the queue takes them. */
export const restoredJobs = snakeCase.table('restored_jobs', {
  id: uuid().primaryKey(),
  queue: text().notNull(),
  data: jsonb().$type<object>().notNull(),
  createdAt: instant().notNull(),
})
