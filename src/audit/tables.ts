import { bigint, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '#platform/database/columns.ts'
import type { AuditAction, AuditChanges, SubjectKind } from './contract.ts'

export const auditLog = pgTable('audit_log', {
  id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  at: instant().notNull(),
  adminId: text('admin_id').notNull(),
  action: text().$type<AuditAction>().notNull(),
  subjectKind: text('subject_kind').$type<SubjectKind>().notNull(),
  subjectId: text('subject_id').notNull(),
  /** Field → { before, after }. */
  changes: jsonb().$type<AuditChanges>().notNull().default({}),
  /** The admin's network; null if unknown. */
  address: text(),
})
