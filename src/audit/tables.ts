import { bigint, jsonb, snakeCase, text } from 'drizzle-orm/pg-core'
import { instant } from '#platform/database/columns.ts'
import type { AuditAction, AuditChanges, SubjectKind } from './contract.ts'

export const auditLog = snakeCase.table('audit_log', {
  id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  at: instant().notNull(),
  adminId: text().notNull(),
  action: text().$type<AuditAction>().notNull(),
  subjectKind: text().$type<SubjectKind>().notNull(),
  subjectId: text().notNull(),
  /** Field → { before, after }. */
  changes: jsonb().$type<AuditChanges>().notNull().default({}),
  /** The admin's network; null if unknown. */
  address: text(),
})
