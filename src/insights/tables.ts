import { bigint, real, snakeCase, text } from 'drizzle-orm/pg-core'
import { instant } from '#platform/database/columns.ts'
import { VITALS } from './contract-vitals.ts'

/** How fast pages were in visitors' browsers: milliseconds (LCP, INP) or a score (CLS). */
export const vitals = snakeCase.table('vitals', {
  id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  at: instant().notNull(),
  /** A path, without query. */
  page: text().notNull(),
  metric: text({ enum: VITALS }).notNull(),
  value: real().notNull(),
})
