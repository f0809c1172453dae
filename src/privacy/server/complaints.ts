import { type AnyColumn, eq, type SQL, sql } from 'drizzle-orm'
import { accountRefusals } from '#accounts/contract.ts'
import { findUser } from '#accounts/server/accounts.ts'
import { users } from '#accounts/tables.ts'
import type { SubjectKind } from '#audit/contract.ts'
import { recordAdminChange } from '#audit/server/audit.ts'
import type { auditLog } from '#audit/tables.ts'
import { bookings } from '#booking/tables.ts'
import { keysOf } from '#foundation/collections.ts'
import { refuse } from '#foundation/refusal.ts'
import { healthUpdates } from '#health/tables.ts'
import { purchases } from '#payments/tables.ts'
import { type Reader, type Tx, violates } from '#platform/database/database.ts'
import type { securityEvents } from '#security/tables.ts'
import { vouchers } from '#vouchers/tables.ts'
import { complaints, dataComplaints } from '../tables.ts'

/** A member's open complaint, with the admin's name while their account exists. */
export async function complaintOf(reader: Reader, userId: string) {
  if (!(await findUser(reader, userId))) refuse(accountRefusals.user_not_found)
  const [row] = await reader
    .select({ complaint: complaints, by: { firstName: users.firstName, lastName: users.lastName } })
    .from(complaints)
    .leftJoin(users, eq(users.id, complaints.openedBy))
    .where(eq(complaints.userId, userId))
  if (!row) return null
  const openedBy = row.by && `${row.by.firstName} ${row.by.lastName}`.trim()
  return { reason: row.complaint.reason, openedBy, openedAt: row.complaint.openedAt }
}

/** Notes a complaint, or replaces its reason. */
export async function openComplaint(
  tx: Tx,
  admin: { id: string },
  { userId, reason }: { userId: string; reason: string },
  now: Temporal.Instant,
) {
  const noted = { reason: reason.trim(), openedBy: admin.id, openedAt: now }
  try {
    await tx
      .insert(complaints)
      .values({ userId, ...noted })
      .onConflictDoUpdate({ target: complaints.userId, set: noted })
  } catch (error) {
    if (violates(error, 'complaints_user_id_fkey')) refuse(accountRefusals.user_not_found)
    throw error
  }
  await recordAdminChange(tx, admin, { action: 'complaint_opened', subject: { kind: 'user', id: userId } }, now)
  return (await complaintOf(tx, userId)) ?? refuse(accountRefusals.user_not_found)
}

/** Closes a complaint; may be repeated. */
export async function closeComplaint(tx: Tx, admin: { id: string }, userId: string, now: Temporal.Instant) {
  if (!(await findUser(tx, userId))) refuse(accountRefusals.user_not_found)
  const closed = await tx.delete(complaints).where(eq(complaints.userId, userId)).returning({ id: complaints.userId })
  if (closed.length === 0) return
  await recordAdminChange(tx, admin, { action: 'complaint_closed', subject: { kind: 'user', id: userId } }, now)
}

/** Whether a user has an open complaint, so that their data must be kept. */
export const hasComplaint = (userId: AnyColumn): SQL => sql`(
  exists (select from ${complaints} where ${complaints.userId} = ${userId})
  or exists (select from ${dataComplaints} where ${dataComplaints.userId} = ${userId} and ${dataComplaints.answeredAt} is null))`

const complainants = sql`(select ${complaints.userId} as id from ${complaints}
  union select ${dataComplaints.userId} from ${dataComplaints} where ${dataComplaints.answeredAt} is null and ${dataComplaints.userId} is not null)`

/** What a line of the audit log may be about, and whose that is, by `id` and `person`; null: nobody's. */
const SUBJECTS: Record<SubjectKind, ((id: SQL, person: SQL) => SQL) | null> = {
  user: (id, person) => sql`${person} = ${id}`,
  booking: (id, person) => sql`exists (select from ${bookings}
    where ${bookings.id}::text = ${id} and coalesce(${bookings.userId}, ${bookings.payerId}) = ${person})`,
  purchase: (id, person) => sql`exists (select from ${purchases}
    where ${purchases.id}::text = ${id} and ${purchases.userId} = ${person})`,
  voucher: (id, person) => sql`exists (select from ${vouchers}
    where ${vouchers.id}::text = ${id} and ${person} in (${vouchers.buyerId}, ${vouchers.redeemedBy}))`,
  health_update: (id, person) => sql`exists (select from ${healthUpdates}
    where ${healthUpdates.id}::text = ${id} and ${healthUpdates.userId} = ${person})`,
  // By a person without an account, who may have one with the same address.
  data_complaint: (id, person) => sql`exists (select from ${dataComplaints} join ${users} on ${users.id} = ${person}
    where ${dataComplaints.id}::text = ${id} and lower(${dataComplaints.email}) = lower(${users.email}))`,
  class: null,
  package: null,
  promotion_code: null,
  closure: null,
  studio: null,
  message: null,
  attention: null,
}

/** Whether a line of the audit log is about a person or something of theirs ({@link SUBJECTS}). */
export function isAbout({ subjectKind, subjectId }: typeof auditLog, person: SQL): SQL {
  const cases = keysOf(SUBJECTS).flatMap((kind) => {
    const condition = SUBJECTS[kind]?.(sql`${subjectId}`, person)
    return condition ? [sql`when ${subjectKind} = ${kind} then ${condition}`] : []
  })
  return sql`case ${sql.join(cases, sql` `)} else false end`
}

/** Whether a line of the audit log is about a member with an open complaint. */
export const isAboutComplaint = (log: typeof auditLog): SQL =>
  sql`exists (select from ${complainants} as person where ${isAbout(log, sql`person.id`)})`

/** Whether a security event is about, or was caused by, a member with an open complaint. */
export const isEventOfComplaint = ({ subjectId, actorId }: typeof securityEvents): SQL =>
  sql`exists (select from ${complainants} as person where person.id in (${subjectId}, ${actorId}))`
