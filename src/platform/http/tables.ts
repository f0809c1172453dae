import { jsonb, smallint, snakeCase, text } from 'drizzle-orm/pg-core'
import { instant } from '../database/columns.ts'

export const idempotencyKeys = snakeCase.table('idempotency_keys', {
  userId: text().primaryKey(),
  key: text().primaryKey(),
  endpoint: text().notNull(),
  about: text().array().notNull(),
  requestHash: text().notNull(),
  status: smallint().notNull(),
  response: jsonb(),
  createdAt: instant().notNull(),
})
