import { and, asc, count, desc, eq, isNull } from 'drizzle-orm'
import { accountRefusals, type User } from '#accounts/contract.ts'
import { findUser, recipient } from '#accounts/server/accounts.ts'
import { users } from '#accounts/tables.ts'
import { recordAdminChange } from '#audit/server/audit.ts'
import { commonRefusals, refuse } from '#foundation/refusal.ts'
import { queueMail } from '#messages/server/messages.ts'
import { onlyRow, type Reader, type Tx } from '#platform/database/database.ts'
import { complaintRefusals, type DataComplaint, MAX_OPEN_COMPLAINTS } from '../contract-complaints.ts'
import { answerBy } from '../rules.ts'
import { dataComplaints } from '../tables.ts'

type Row = typeof dataComplaints.$inferSelect

const toComplaint = ({ id, complaint, madeAt, answer, answeredAt }: Row): DataComplaint => ({
  id,
  complaint,
  madeAt: madeAt.toString(),
  answerBy: answerBy(madeAt),
  answer,
  answeredAt: answeredAt?.toString() ?? null,
})

/** Saves a member's complaint and emails an acknowledgement with the date of the answer. */
export async function makeDataComplaint(
  tx: Tx,
  member: User,
  complaint: string,
  now: Temporal.Instant,
): Promise<DataComplaint> {
  // Locks the member, so that concurrent complaints are counted in turn and an erased member is noticed.
  const [user] = await tx.select().from(users).where(eq(users.id, member.id)).for('no key update')
  if (!user) refuse(commonRefusals.unauthorized)
  const isOpen = and(eq(dataComplaints.userId, user.id), isNull(dataComplaints.answeredAt))
  const [open] = await tx.select({ count: count() }).from(dataComplaints).where(isOpen)
  if ((open?.count ?? 0) >= MAX_OPEN_COMPLAINTS) refuse(complaintRefusals.too_many_complaints)
  const made = await tx
    .insert(dataComplaints)
    .values({ userId: user.id, complaint, madeAt: now })
    .returning()
    .then(onlyRow)
  await queueMail(tx, 'complaint-received', { to: recipient(user), complaint, answerBy: answerBy(now) })
  return toComplaint(made)
}

/** A member's complaints, newest first. */
export async function dataComplaintsOf(reader: Reader, userId: string): Promise<DataComplaint[]> {
  const rows = await reader
    .select()
    .from(dataComplaints)
    .where(eq(dataComplaints.userId, userId))
    .orderBy(desc(dataComplaints.id))
  return rows.map(toComplaint)
}

/** A member's complaints for an admin; refuses if there is no such member. */
export async function dataComplaintsFor(reader: Reader, userId: string): Promise<DataComplaint[]> {
  if (!(await findUser(reader, userId))) refuse(accountRefusals.user_not_found)
  return await dataComplaintsOf(reader, userId)
}

/** Answers a complaint and emails the member. Refuses if it has been answered already. */
export async function answerDataComplaint(
  tx: Tx,
  admin: { id: string },
  { id, answer }: { id: number; answer: string },
  now: Temporal.Instant,
): Promise<DataComplaint> {
  const [found] = await tx.select().from(dataComplaints).where(eq(dataComplaints.id, id)).for('update')
  if (!found) refuse(complaintRefusals.complaint_not_found)
  if (found.answeredAt) refuse(complaintRefusals.complaint_already_answered)
  const row = await tx
    .update(dataComplaints)
    .set({ answer, answeredBy: admin.id, answeredAt: now })
    .where(eq(dataComplaints.id, id))
    .returning()
    .then(onlyRow)
  const user = await findUser(tx, row.userId)
  if (user) await queueMail(tx, 'complaint-answered', { to: recipient(user), complaint: row.complaint, answer })
  const subject = { kind: 'user' as const, id: row.userId }
  await recordAdminChange(tx, admin, { action: 'complaint_answered', subject }, now)
  return toComplaint(row)
}

/** Unanswered complaints, oldest first. */
export async function openDataComplaints(reader: Reader) {
  const rows = await reader
    .select({
      id: dataComplaints.id,
      madeAt: dataComplaints.madeAt,
      member: { id: users.id, firstName: users.firstName, lastName: users.lastName },
    })
    .from(dataComplaints)
    .innerJoin(users, eq(users.id, dataComplaints.userId))
    .where(isNull(dataComplaints.answeredAt))
    .orderBy(asc(dataComplaints.madeAt), asc(dataComplaints.id))
  return rows.map(({ id, madeAt, member }) => ({
    id,
    madeAt,
    answerBy: answerBy(madeAt),
    memberId: member.id,
    memberName: `${member.firstName} ${member.lastName}`.trim(),
  }))
}
export type OpenDataComplaint = Awaited<ReturnType<typeof openDataComplaints>>[number]
