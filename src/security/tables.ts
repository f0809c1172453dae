import { bigint, jsonb, snakeCase, text } from 'drizzle-orm/pg-core'
import { instant } from '#platform/database/columns.ts'
import type { RecordedKind, SecurityDetails } from './contract.ts'

export const securityEvents = snakeCase.table('security_events', {
  id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  at: instant().notNull(),
  kind: text().$type<RecordedKind>().notNull(),
  outcome: text({ enum: ['done', 'refused', 'failed'] }).notNull(),
  /** Null for a visitor. */
  actorId: text(),
  /** The account concerned, if known. */
  subjectId: text(),
  /** From `networkOf`. */
  address: text(),
  details: jsonb().$type<SecurityDetails>().notNull().default({}),
})

/** What browsers blocked under a page's content security policy. */
export const cspReports = snakeCase.table('csp_reports', {
  id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  at: instant().notNull(),
  /** A path, without query. */
  page: text().notNull(),
  directive: text().notNull(),
  /** An origin, or a keyword such as `inline`. */
  blocked: text().notNull(),
})
