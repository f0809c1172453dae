import { and, count, desc, eq, gte, isNull, lt, or, sql } from 'drizzle-orm'
import { accountRefusals } from '#accounts/contract.ts'
import { blockOf, findUser, memberMatches, notesOn, toUser } from '#accounts/server/accounts.ts'
import { users } from '#accounts/tables.ts'
import { AUDITED } from '#audit/contract.ts'
import { auditLog } from '#audit/tables.ts'
import { allBookings } from '#booking/server/booking.ts'
import { takenPlaces } from '#booking/tables.ts'
import { cleanPhone } from '#foundation/clean-text.ts'
import { keysOf } from '#foundation/collections.ts'
import { studioMonth } from '#foundation/instants.ts'
import { refuse } from '#foundation/refusal.ts'
import { emergencyContacts, healthQuestionnaires } from '#health/tables.ts'
import { refusalOf } from '#messages/server/messages.ts'
import { packages } from '#packages/tables.ts'
import { ledgerOf, passesOf } from '#passes/server/passes.ts'
import { passes } from '#passes/tables.ts'
import { purchases } from '#payments/tables.ts'
import { onlyRow, type Reader } from '#platform/database/database.ts'
import { limitToPage } from '#platform/database/paging.ts'

/** What was paid, less refunds and lost disputes; 0 for a voided sale. Counts in the month of the purchase. */
export const netPence = sql`case when ${purchases.voidedAt} is null
  then ${purchases.amountPence} - ${purchases.refundedPence} - ${purchases.lostPence} else 0 end`

/** The four cards of the overview. */
export async function overviewAt(reader: Reader, now: Temporal.Instant) {
  const month = studioMonth(now)
  const [[all], [booked], [revenue]] = await Promise.all([
    reader.select({ count: count() }).from(users),
    reader
      .select({
        total: count(),
        confirmed: sql<number>`(count(*) filter (where ${takenPlaces.status} = 'confirmed'))::int`,
      })
      .from(takenPlaces)
      .where(and(gte(takenPlaces.bookedAt, month.from), lt(takenPlaces.bookedAt, month.until))),
    reader
      .select({ pence: sql<number>`coalesce(sum(${netPence}), 0)::float8` })
      .from(purchases)
      .where(and(gte(purchases.purchasedAt, month.from), lt(purchases.purchasedAt, month.until))),
  ])
  return {
    totalUsers: all?.count ?? 0,
    monthBookings: booked?.total ?? 0,
    monthConfirmed: booked?.confirmed ?? 0,
    monthRevenue: revenue?.pence ?? 0,
  }
}

const isRegistered = and(eq(users.isAdmin, false), eq(users.isTeacher, false))

/** The figures of the studio. Students are users who are neither admins nor teachers. */
export async function analyticsAt(reader: Reader, now: Temporal.Instant) {
  const month = studioMonth(now)
  const thisMonth = and(gte(purchases.purchasedAt, month.from), lt(purchases.purchasedAt, month.until))
  const [[students], [revenue], [sold], booked] = await Promise.all([
    reader.select({ registered: count() }).from(users).where(isRegistered),
    reader
      .select({
        total: sql<number>`coalesce(sum(${netPence}), 0)::float8`,
        month: sql<number>`coalesce(sum(${netPence}) filter (where ${thisMonth}), 0)::float8`,
      })
      .from(purchases),
    reader
      .select({ total: count(), active: sql<number>`(count(*) filter (where ${packages.isActive}))::int` })
      .from(packages)
      .where(isNull(packages.deletedAt)),
    countByStatus(reader),
  ])
  return {
    registeredStudents: students?.registered ?? 0,
    monthlyRevenue: revenue?.month ?? 0,
    totalRevenue: revenue?.total ?? 0,
    activePackages: sold?.active ?? 0,
    totalBookings: Object.values(booked).reduce((sum, bookings) => sum + bookings, 0),
    confirmedBookings: booked.confirmed,
    completedBookings: booked.completed,
    totalPackages: sold?.total ?? 0,
  }
}

/** All bookings by status: counting each in the index by status is quicker than one count with filters. */
async function countByStatus(reader: Reader) {
  const counts = takenPlaces.status.enumValues.map(
    (status) =>
      sql`(select count(*)::int from ${takenPlaces} where ${takenPlaces.status} = ${status}) as ${sql.identifier(status)}`,
  )
  const { rows } = await reader.execute<Record<(typeof takenPlaces.status.enumValues)[number], number>>(
    sql`select ${sql.join(counts, sql`, `)}`,
  )
  return onlyRow(rows)
}

/** A search of at least this many digits also looks in phone numbers. */
const MIN_DIGITS = 4

/** Users whose name, email, username or phone number contains the search. */
function matches(search: string | undefined) {
  if (!search) return undefined
  const number = cleanPhone(search)
  // +44, 0044 and 0 begin the same number.
  const digits = number.replace(/\D/g, '').replace(/^(?:00)?44(?=\d{6})0?|^0(?=\d{6})/, '')
  const isNumber = /^[\d\s()+./-]+$/.test(number) && digits.length >= MIN_DIGITS
  const hasNumber = sql`regexp_replace(${users.phone}, '\\D', '', 'g') like ${`%${digits}%`}`
  return or(memberMatches(search), isNumber ? hasNumber : undefined)
}

export async function countUsers(reader: Reader, options: { search?: string }): Promise<number> {
  const [found] = await reader.select({ total: count() }).from(users).where(matches(options.search))
  return found?.total ?? 0
}

/** Users for the admin's list, newest first. */
export async function usersForAdmin(
  reader: Reader,
  options: { id?: string; search?: string; limit?: number; offset?: number },
  now: Temporal.Instant,
) {
  const page = reader
    .select()
    .from(users)
    .where(and(matches(options.search), options.id === undefined ? undefined : eq(users.id, options.id)))
    .orderBy(desc(users.createdAt), users.id)
    .$dynamic()
  limitToPage(page, options)
  const shown = page.as('shown')
  // Counted per listed user, so that the cost of a page does not grow with the studio.
  const credits = sql<number>`(select coalesce(sum(${passes.creditsRemaining}), 0)::int from ${passes}
    where ${passes.userId} = ${users.id} and ${passes.expiresAt} > ${now.toString()}::timestamptz)`
  const booked = sql<number>`(select count(*)::int from ${takenPlaces} where ${takenPlaces.userId} = ${users.id})`
  const healthComplete = sql<boolean>`exists (select from ${healthQuestionnaires} join ${emergencyContacts}
    on ${emergencyContacts.userId} = ${healthQuestionnaires.userId} where ${healthQuestionnaires.userId} = ${users.id})`
  const rows = await reader
    .select({ user: users, credits, bookings: booked, healthComplete })
    .from(shown)
    .innerJoin(users, eq(users.id, shown.id))
    .orderBy(desc(users.createdAt), users.id)
  return rows.map((row) => ({
    ...toUser(row.user),
    emailVerified: row.user.emailVerifiedAt !== null,
    canLogIn: row.user.passwordHash !== null,
    invitedAt: row.user.invitedAt,
    teachesAs: row.user.teachesAs,
    healthComplete: row.healthComplete,
    totalCredits: row.credits,
    bookingsCount: row.bookings,
    updatedAt: row.user.updatedAt,
  }))
}

/** The newest bookings and ledger lines. */
const MAX_LINES = 200

/** Everything about a user but health data. Refuses an unknown user. */
export async function memberPage(reader: Reader, id: string, now: Temporal.Instant) {
  const [user] = await usersForAdmin(reader, { id }, now)
  if (!user) refuse(accountRefusals.user_not_found)
  const [row, refused, passes, bookings, ledger, notes] = await Promise.all([
    findUser(reader, id),
    user.email === null ? undefined : refusalOf(reader, user.email),
    passesOf(reader, id),
    allBookings(reader, { userId: id, order: 'latest', limit: MAX_LINES }),
    ledgerOf(reader, id, { limit: MAX_LINES, namesAdmins: true }),
    notesOn(reader, id),
  ])
  return { user, mailRefused: refused ?? null, blocked: row ? blockOf(row) : null, passes, bookings, ledger, notes }
}

type AuditQuery = { subject?: string; limit?: number; offset?: number }

/** The audit log, newest first; `subject` limits it to one thing, such as `class:42`. */
export async function auditOf(reader: Reader, query: AuditQuery) {
  const [name, id = ''] = query.subject?.split(':') ?? []
  const kind = keysOf(AUDITED).find((known) => known === name)
  const isSubject = kind && and(eq(auditLog.subjectKind, kind), eq(auditLog.subjectId, id))
  const page = reader
    .select({ line: auditLog, firstName: users.firstName, lastName: users.lastName })
    .from(auditLog)
    .leftJoin(users, eq(users.id, auditLog.adminId))
    .where(isSubject)
    .orderBy(desc(auditLog.id))
    .$dynamic()
  limitToPage(page, query)
  const [rows, [all]] = await Promise.all([page, reader.select({ total: count() }).from(auditLog).where(isSubject)])
  const lines = rows.map(({ line, firstName, lastName }) => ({
    ...line,
    admin: { id: line.adminId, name: firstName === null ? null : `${firstName} ${lastName}` },
    subject: `${line.subjectKind}:${line.subjectId}`,
  }))
  return { lines, total: all?.total ?? 0 }
}
