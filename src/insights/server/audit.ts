import { and, count, desc, eq } from 'drizzle-orm'
import { users } from '#accounts/tables.ts'
import { AUDITED } from '#audit/contract.ts'
import { auditLog } from '#audit/tables.ts'
import { keysOf } from '#foundation/collections.ts'
import type { Reader } from '#platform/database/database.ts'
import { paged } from '#platform/database/paging.ts'
import type { AuditLine } from '../contract.ts'

type AuditQuery = { subject?: string; limit?: number; offset?: number }

/** The record of changes, newest first; of one thing where a `subject` (`class:42`) is given. */
export async function auditOf(reader: Reader, query: AuditQuery): Promise<{ lines: AuditLine[]; total: number }> {
  const [name, id = ''] = query.subject?.split(':') ?? []
  const kind = keysOf(AUDITED).find((known) => known === name)
  const meant = kind && and(eq(auditLog.subjectKind, kind), eq(auditLog.subjectId, id))
  const page = reader
    .select({ line: auditLog, firstName: users.firstName, lastName: users.lastName })
    .from(auditLog)
    .leftJoin(users, eq(users.id, auditLog.adminId))
    .where(meant)
    .orderBy(desc(auditLog.id))
    .$dynamic()
  paged(page, query)
  const [rows, [all]] = await Promise.all([page, reader.select({ total: count() }).from(auditLog).where(meant)])
  const lines = rows.map(({ line, firstName, lastName }) => ({
    id: line.id,
    at: line.at.toString(),
    admin: { id: line.adminId, name: firstName === null ? null : `${firstName} ${lastName}` },
    action: line.action,
    subject: `${line.subjectKind}:${line.subjectId}`,
    changes: line.changes,
  }))
  return { lines, total: all?.total ?? 0 }
}
