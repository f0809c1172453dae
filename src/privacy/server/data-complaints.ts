import { and, asc, count, desc, eq, isNull, lte, sql } from 'drizzle-orm'
import { accountRefusals, type User } from '#accounts/contract.ts'
import { findUser, recipient } from '#accounts/server/accounts.ts'
import { users } from '#accounts/tables.ts'
import { recordAdminChange } from '#audit/server/audit.ts'
import { studioDate } from '#foundation/instants.ts'
import { toPersonName } from '#foundation/person-names.ts'
import { commonRefusals, refuse } from '#foundation/refusal.ts'
import { queueMail } from '#messages/server/messages.ts'
import { onlyRow, type Reader, type Tx } from '#platform/database/database.ts'
import { studio } from '#studio.ts'
import {
  complaintRefusals,
  MAX_OPEN_COMPLAINTS,
  type MemberComplaintForm,
  type OutsideComplaintForm,
  type RecordedComplaintForm,
} from '../contract-complaints.ts'
import { answerBy } from '../rules.ts'
import { dataComplaints } from '../tables.ts'

type Row = typeof dataComplaints.$inferSelect

const toComplaint = (row: Row) => ({ ...row, answerBy: answerBy(row.madeAt) })

/** Saves a member's complaint and emails an acknowledgement with the date of the answer. */
export async function makeDataComplaint(tx: Tx, member: User, complaint: string, now: Temporal.Instant) {
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

/**
 * Saves a complaint by a person without an account. The acknowledgement leaves out their words, so that the form cannot
 * be used to write to other people.
 *
 * @param isConfirmed false if their address has just received several acknowledgements
 */
export async function makeOutsideComplaint(
  tx: Tx,
  made: OutsideComplaintForm,
  isConfirmed: boolean,
  now: Temporal.Instant,
): Promise<void> {
  const name = toPersonName(made.name)
  await tx.insert(dataComplaints).values({ ...made, name, channel: 'website', madeAt: now })
  if (!isConfirmed) return
  const to = { email: made.email, firstName: name }
  await queueMail(tx, 'complaint-received', { to, complaint: null, answerBy: answerBy(now), hasNoAccount: true })
}

/** Records a complaint that a member made by phone, letter or in another way, and emails them an acknowledgement. */
export async function recordMemberComplaint(
  tx: Tx,
  admin: { id: string },
  { userId, ...form }: MemberComplaintForm & { userId: string },
  now: Temporal.Instant,
) {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('no key update')
  if (!user) refuse(accountRefusals.user_not_found)
  const row = await insertReceived(tx, form, { userId }, now)
  const { complaint, madeAt } = row
  await queueMail(tx, 'complaint-received', { to: recipient(user), complaint, answerBy: answerBy(madeAt) })
  const subject = { kind: 'user' as const, id: userId }
  await recordAdminChange(tx, admin, { action: 'complaint_recorded', subject }, now)
  return toComplaint(row)
}

/** The same for a person without an account, who is emailed if their address is known. */
export async function recordOutsideComplaint(
  tx: Tx,
  admin: { id: string },
  { name, email, otherContact, ...form }: RecordedComplaintForm,
  now: Temporal.Instant,
) {
  const person = { name: toPersonName(name), email: email || null, otherContact: otherContact || null }
  const row = await insertReceived(tx, form, person, now)
  const { id, complaint, madeAt } = row
  if (email) {
    const to = { email, firstName: person.name }
    await queueMail(tx, 'complaint-received', { to, complaint, answerBy: answerBy(madeAt), hasNoAccount: true })
  }
  await recordAdminChange(
    tx,
    admin,
    { action: 'complaint_recorded', subject: { kind: 'data_complaint', id: String(id) } },
    now,
  )
  return { ...toComplaint(row), ...person }
}

async function insertReceived(
  tx: Tx,
  { receivedOn, channel, complaint }: MemberComplaintForm,
  person: Pick<Row, 'userId'> | Pick<Row, 'name' | 'email' | 'otherContact'>,
  now: Temporal.Instant,
): Promise<Row> {
  const day = Temporal.PlainDate.from(receivedOn)
  const daysAgo = day.until(studioDate(now)).days
  if (daysAgo < 0) refuse(complaintRefusals.complaint_not_received_yet)
  const madeAt =
    daysAgo === 0 ? now : day.toZonedDateTime({ timeZone: studio.timeZone, plainTime: '12:00' }).toInstant()
  return await tx
    .insert(dataComplaints)
    .values({ ...person, channel, complaint, madeAt })
    .returning()
    .then(onlyRow)
}

/** Complaints by people without an account: open ones first, then the newest. */
export async function outsideComplaints(reader: Reader) {
  const rows = await reader
    .select()
    .from(dataComplaints)
    .where(isNull(dataComplaints.userId))
    .orderBy(sql`${dataComplaints.answeredAt} is not null`, desc(dataComplaints.madeAt), desc(dataComplaints.id))
  return rows.flatMap(({ name, email, otherContact, ...row }) =>
    name === null ? [] : [{ ...toComplaint({ ...row, name, email, otherContact }), name, email, otherContact }],
  )
}

/** Erases answered complaints by people without an account, as long after the answer as accounts. */
export async function eraseOutsideComplaints(tx: Tx, { until, limit }: { until: Temporal.Instant; limit: number }) {
  const due = tx
    .select({ id: dataComplaints.id })
    .from(dataComplaints)
    .where(and(isNull(dataComplaints.userId), lte(dataComplaints.answeredAt, until)))
    .limit(limit)
  return (await tx.delete(dataComplaints).where(sql`${dataComplaints.id} in ${due}`).returning()).length
}

/** A member's complaints, newest first. */
export async function dataComplaintsOf(reader: Reader, userId: string) {
  const rows = await reader
    .select()
    .from(dataComplaints)
    .where(eq(dataComplaints.userId, userId))
    .orderBy(desc(dataComplaints.id))
  return rows.map(toComplaint)
}

/** A member's complaints for an admin; refuses if there is no such member. */
export async function dataComplaintsFor(reader: Reader, userId: string) {
  if (!(await findUser(reader, userId))) refuse(accountRefusals.user_not_found)
  return await dataComplaintsOf(reader, userId)
}

/** Answers a complaint and emails the answer, if an address is known. Refuses if it has been answered already. */
export async function answerDataComplaint(
  tx: Tx,
  admin: { id: string },
  { id, answer }: { id: number; answer: string },
  now: Temporal.Instant,
) {
  const [found] = await tx.select().from(dataComplaints).where(eq(dataComplaints.id, id)).for('update')
  if (!found) refuse(complaintRefusals.complaint_not_found)
  if (found.answeredAt) refuse(complaintRefusals.complaint_already_answered)
  const row = await tx
    .update(dataComplaints)
    .set({ answer, answeredBy: admin.id, answeredAt: now })
    .where(eq(dataComplaints.id, id))
    .returning()
    .then(onlyRow)
  const { userId, name, email, complaint } = row
  const user = userId === null ? undefined : await findUser(tx, userId)
  const to = user ? recipient(user) : name !== null && email !== null && { email, firstName: name }
  if (to) await queueMail(tx, 'complaint-answered', { to, complaint, answer })
  const subject =
    userId === null ? ({ kind: 'data_complaint', id: String(id) } as const) : ({ kind: 'user', id: userId } as const)
  await recordAdminChange(tx, admin, { action: 'complaint_answered', subject }, now)
  return toComplaint(row)
}

/** Unanswered complaints, oldest first. */
export async function openDataComplaints(reader: Reader) {
  const rows = await reader
    .select({
      id: dataComplaints.id,
      madeAt: dataComplaints.madeAt,
      name: dataComplaints.name,
      member: { id: users.id, firstName: users.firstName, lastName: users.lastName },
    })
    .from(dataComplaints)
    .leftJoin(users, eq(users.id, dataComplaints.userId))
    .where(isNull(dataComplaints.answeredAt))
    .orderBy(asc(dataComplaints.madeAt), asc(dataComplaints.id))
  return rows.map(({ id, madeAt, name, member }) => ({
    id,
    madeAt,
    answerBy: answerBy(madeAt),
    /** Null for a person without an account. */
    memberId: member?.id ?? null,
    name: member ? `${member.firstName} ${member.lastName}`.trim() : (name ?? ''),
  }))
}
export type OpenDataComplaint = Awaited<ReturnType<typeof openDataComplaints>>[number]
