import { and, asc, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { accountRefusals, type User } from '#accounts/contract.ts'
import { blockOf, findUser, notesOn, secondStepsOf, signInDataOf } from '#accounts/server/accounts.ts'
import { recordAdminChange } from '#audit/server/audit.ts'
import { auditLog } from '#audit/tables.ts'
import {
  bookingsOf,
  companionsOf,
  hasObjected,
  regularBookingsOf,
  sessionNotesOf,
  toBooking,
  toWaitingEntry,
  waitingListsOf,
} from '#booking/server/booking.ts'
import { addressOf } from '#calendar/server/calendar.ts'
import { refuse } from '#foundation/refusal.ts'
import { emergencyContactOf, healthHistoryOf, questionnaireOf, recordHealthReads } from '#health/server/health.ts'
import { healthReads } from '#health/tables.ts'
import { marketingConsentOf, messagesForExport, newsOfferAnsweredAt, objectionOf } from '#mailings/server/mailings.ts'
import { callsOf, textsOf } from '#messages/server/messages.ts'
import { newsletterSubscribers } from '#messages/tables.ts'
import { ledgerOf, passesOf } from '#passes/server/passes.ts'
import { methodOf, soldPackage } from '#payments/server/payments.ts'
import { disputes, fraudWarnings, paymentIntents, purchases, type RefundRow, refunds } from '#payments/tables.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import type { Vault } from '#platform/vault/vault.ts'
import { pushDataOf } from '#push/server/push.ts'
import { securityEventsOf } from '#security/server/security.ts'
import { vouchersOf } from '#vouchers/server/vouchers.ts'
import type { MemberData } from '../contract.ts'
import { complaintOf, isAbout } from './complaints.ts'
import { dataComplaintsOf } from './data-complaints.ts'

/** Everything the studio keeps about a member, with decrypted health answers. */
export async function exportMember(
  reader: Reader,
  vault: Vault,
  member: User,
  now: Temporal.Instant,
): Promise<MemberData> {
  const { id } = member
  const row = await findUser(reader, id)
  return {
    exportedAt: now,
    account: {
      ...member,
      invitedAt: row?.invitedAt ?? null,
      textsOff: row?.textsOff ?? false,
      teachesAs: row?.teachesAs ?? null,
      blocked: row ? blockOf(row) : null,
    },
    secondSteps: await secondStepsOf(reader, id),
    notes: await notesOn(reader, id),
    complaint: await complaintOf(reader, id),
    dataComplaints: await dataComplaintsOf(reader, id),
    newsletter: member.email === null ? null : await newsletterOf(reader, member.email),
    marketingConsent: await marketingConsentOf(reader, id),
    newsOfferAnsweredAt: await newsOfferAnsweredAt(reader, id),
    marketingObjectedAt: await objectionOf(reader, id),
    messages: await messagesForExport(reader, member),
    calls: await callsOf(reader, id),
    texts: await textsOf(reader, id),
    notifications: await pushDataOf(reader, id),
    passes: await passesOf(reader, id),
    credits: await ledgerOf(reader, id, { namesAdmins: false }),
    purchases: await purchasesOf(reader, id),
    payments: await paymentsWithoutPurchase(reader, id),
    vouchers: await vouchersOf(reader, id, now),
    bookings: (await bookingsOf(reader, id)).map((row) => ({ ...row.booking, ...toBooking(row) })),
    calendarAddress: await addressOf(reader, id),
    regularBookings: await regularBookingsOf(reader, id, now),
    ...(await companionsOf(reader, id)),
    objectsToInvitations: member.email === null ? false : await hasObjected(reader, member.email),
    waitingList: (await waitingListsOf(reader, id, now)).map(toWaitingEntry),
    health: {
      questionnaire: await questionnaireOf(reader, vault, id),
      emergencyContact: await emergencyContactOf(reader, vault, id),
      updates: await healthHistoryOf(reader, vault, id),
      sessionNotes: await sessionNotesOf(reader, vault, id),
      readByTheStudio: await readsOf(reader, id),
    },
    changedByTheStudio: await changesAbout(reader, id),
    security: await securityEventsOf(reader, id),
    ...(await signInDataOf(reader, id, now)),
  }
}

/** Records that an admin downloads a member's data and reads their health answers. Call this before reading. */
export async function recordDownload(tx: Tx, admin: { id: string }, memberId: string, now: Temporal.Instant) {
  if (!(await findUser(tx, memberId))) refuse(accountRefusals.user_not_found)
  await recordHealthReads(tx, admin, { members: [memberId], what: 'answers' }, now)
  const subject = { kind: 'user' as const, id: memberId }
  await recordAdminChange(tx, admin, { action: 'exported', subject }, now)
}

async function newsletterOf(reader: Reader, email: string) {
  const [row] = await reader
    .select()
    .from(newsletterSubscribers)
    .where(eq(sql`lower(${newsletterSubscribers.email})`, email.toLowerCase()))
  return row ?? null
}

async function purchasesOf(reader: Reader, userId: string) {
  const rows = await reader
    .select({ purchase: purchases, payment: paymentIntents })
    .from(purchases)
    .leftJoin(paymentIntents, eq(paymentIntents.id, purchases.paymentIntentId))
    .where(eq(purchases.userId, userId))
    .orderBy(desc(purchases.purchasedAt), desc(purchases.id))
  const purchaseIds = rows.map(({ purchase }) => purchase.id)
  const refunded = await reader.select().from(refunds).where(inArray(refunds.purchaseId, purchaseIds))
  const claimsOn = await readClaims(
    reader,
    rows.flatMap(({ purchase }) => purchase.paymentIntentId ?? []),
  )
  return rows.map(({ purchase, payment }) => ({
    ...purchase,
    package: soldPackage(purchase).name,
    amount: purchase.amountPence,
    method: methodOf(purchase, payment?.method ?? null),
    refunded: purchase.refundedPence || null,
    refunds: refunded.filter(({ purchaseId }) => purchaseId === purchase.id).map(toRefund),
    ...claimsOn(purchase.paymentIntentId),
  }))
}

async function paymentsWithoutPurchase(reader: Reader, userId: string) {
  const rows = await reader
    .select({ payment: paymentIntents })
    .from(paymentIntents)
    .leftJoin(purchases, eq(purchases.paymentIntentId, paymentIntents.id))
    .where(and(eq(paymentIntents.userId, userId), isNull(purchases.id)))
    .orderBy(desc(paymentIntents.createdAt), desc(paymentIntents.id))
  const ids = rows.map(({ payment }) => payment.id)
  const refunded = await reader.select().from(refunds).where(inArray(refunds.paymentIntentId, ids))
  const claimsOn = await readClaims(reader, ids)
  return rows.map(({ payment }) => ({
    ...payment,
    package: soldPackage(payment).name,
    amount: payment.amountPence,
    startedAt: payment.createdAt,
    paid: payment.paidPence,
    refunds: refunded.filter(({ paymentIntentId }) => paymentIntentId === payment.id).map(toRefund),
    ...claimsOn(payment.id),
  }))
}

/** Reads the disputes and fraud warnings of payments; returns a function that picks those of one payment. */
async function readClaims(reader: Reader, paymentIds: string[]) {
  const disputed = await reader.select().from(disputes).where(inArray(disputes.paymentIntentId, paymentIds))
  const warned = await reader.select().from(fraudWarnings).where(inArray(fraudWarnings.paymentIntentId, paymentIds))
  return (paymentId: string | null) => ({
    disputes: disputed
      .filter(({ paymentIntentId }) => paymentIntentId === paymentId)
      .map(({ amountPence, status, openedAt }) => ({ amount: amountPence, status, at: openedAt })),
    warnings: warned
      .filter(({ paymentIntentId }) => paymentIntentId === paymentId)
      .map(({ kind, warnedAt }) => ({ kind, at: warnedAt })),
  })
}

const toRefund = ({ amountPence, status, createdAt }: RefundRow) => ({ amount: amountPence, status, at: createdAt })

async function changesAbout(reader: Reader, userId: string) {
  const rows = await reader
    .select()
    .from(auditLog)
    .where(isAbout(auditLog, sql`${userId}::text`))
    .orderBy(desc(auditLog.id))
  return rows.map((line) => ({ ...line, about: line.subjectKind }))
}

async function readsOf(reader: Reader, userId: string) {
  return await reader
    .select({ what: healthReads.what, at: healthReads.at })
    .from(healthReads)
    .where(eq(healthReads.memberId, userId))
    .orderBy(asc(healthReads.at), asc(healthReads.id))
}
