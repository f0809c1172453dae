import type { SQL } from 'drizzle-orm'
import { inParts } from '#foundation/collections.ts'
import { eraseRecords, type OldRecords, type Tx } from '#platform/database/database.ts'
import { clientNetwork } from '#platform/http/time-limit.ts'
import { type AuditAction, AuditChanges, type AuditedField, type SubjectKind } from '../contract.ts'
import { auditLog } from '../tables.ts'

type Plain = string | number | boolean | null
type Change = { before?: Plain; after?: Plain }
type Changes<K extends SubjectKind> = Partial<Record<AuditedField<K>, Change>>

export type AdminChange<K extends SubjectKind> = {
  action: AuditAction
  subject: { kind: K; id: string | number }
  changes?: Changes<K>
}

/** Records what an admin did, in the same transaction, and logs it without the values of the fields. */
export async function recordAdminChange<K extends SubjectKind>(
  tx: Tx,
  admin: { id: string },
  change: AdminChange<K>,
  now: Temporal.Instant,
): Promise<void> {
  await recordAdminChanges(tx, admin, [change], now)
}

/** A statement takes at most 65,535 parameters. */
const ROWS_A_STATEMENT = 5000

/** The same for several changes, one line each. */
export async function recordAdminChanges<K extends SubjectKind>(
  tx: Tx,
  admin: { id: string },
  changes: readonly AdminChange<K>[],
  now: Temporal.Instant,
): Promise<void> {
  if (changes.length === 0) return
  const address = clientNetwork()
  for (const part of inParts(changes, ROWS_A_STATEMENT)) {
    await tx.insert(auditLog).values(
      part.map(({ action, subject, changes: fields }) => ({
        at: now,
        adminId: admin.id,
        action,
        subjectKind: subject.kind,
        subjectId: String(subject.id),
        changes: AuditChanges.parse(fields ?? {}),
        address,
      })),
    )
  }
  for (const alike of Map.groupBy(changes, ({ action, subject }) => `${subject.kind} ${action}`).values()) {
    tx.logOnCommit({ security: logLine(admin, alike, address) })
  }
}

/** Changes of one kind for the log: which things and fields, never their values. */
function logLine<K extends SubjectKind>(
  admin: { id: string },
  alike: readonly AdminChange<K>[],
  address: string | null,
) {
  const [first] = alike
  return {
    kind: 'admin_change',
    action: first?.action,
    actorId: admin.id,
    subjectKind: first?.subject.kind,
    subjectIds: alike.map(({ subject }) => String(subject.id)),
    fields: [...new Set(alike.flatMap(({ changes }) => Object.keys(changes ?? {})))],
    address,
  }
}

/** The values before and after of the fields that differ between two states. */
export function differences<Field extends string>(
  fields: readonly Field[],
  before: Partial<Record<Field, Plain>>,
  after: Partial<Record<Field, Plain>>,
): Partial<Record<Field, Change>> {
  const changed = fields.filter((field) => (before[field] ?? null) !== (after[field] ?? null))
  const pairs = changed.map((field) => [field, { before: before[field] ?? null, after: after[field] ?? null }])
  return Object.fromEntries(pairs)
}

/** Erases old lines, except those that `keeps` selects. Returns how many. */
export const eraseAuditLines = (tx: Tx, { keeps, ...old }: OldRecords<(log: typeof auditLog) => SQL>) =>
  eraseRecords(tx, auditLog, { ...old, keeps: keeps(auditLog) })
