import { jsonb, pgTable, smallint, text } from 'drizzle-orm/pg-core'
import { instant } from '../database/columns.ts'

export const idempotencyKeys = pgTable('idempotency_keys', {
  userId: text('user_id').primaryKey(),
  key: text().primaryKey(),
  endpoint: text().notNull(),
  about: text().array().notNull(),
  requestHash: text('request_hash').notNull(),
  status: smallint().notNull(),
  response: jsonb(),
  createdAt: instant('created_at').notNull(),
})
