import { and, asc, count, desc, eq, inArray, isNull, lt, lte, min, not, type SQL, sql } from 'drizzle-orm'
import { users } from '#accounts/tables.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { FACE_TO_FACE } from '../contract-desk.ts'
import { paymentIntents, purchases, refunds } from '../tables.ts'

/** A refund or payment the owner may have to deal with. `memberName` is null once the member is erased. */
export type PaymentConcern = {
  id: string
  since: Temporal.Instant
  memberName: string | null
  packageName: string
  /** Of the refund; for a payment, the amount collected. */
  pence: number
  paidPence: number
  /** The provider's reason, if any. */
  failure: string | null
}

const memberName = sql<string | null>`trim(${users.firstName} || ' ' || ${users.lastName})`
const paid = sql<number>`coalesce(${paymentIntents.paidPence}, ${paymentIntents.amountPence})`
/** Sold face to face, where there is no right to cancel and so no dispute about the fee. */
const isFaceToFace = sql`coalesce(${inArray(purchases.deskMethod, FACE_TO_FACE)}, false)`

async function refundsWhere(reader: Reader, condition: SQL | undefined): Promise<PaymentConcern[]> {
  return await reader
    .select({
      id: sql<string>`${refunds.id}::text`,
      since: refunds.createdAt,
      memberName,
      packageName: sql<string>`coalesce(${paymentIntents.lines}, ${purchases.lines}) -> 0 ->> 'label'`,
      pence: refunds.amountPence,
      paidPence: sql<number>`coalesce(${paid}, ${purchases.amountPence})`,
      failure: refunds.failure,
    })
    .from(refunds)
    // A desk sale has no payment, and a returned payment has no purchase.
    .leftJoin(paymentIntents, eq(paymentIntents.id, refunds.paymentIntentId))
    .leftJoin(purchases, eq(purchases.id, refunds.purchaseId))
    .leftJoin(users, sql`${users.id} = coalesce(${paymentIntents.userId}, ${purchases.userId})`)
    .where(condition)
    .orderBy(asc(refunds.createdAt), asc(refunds.id))
}

/** Refunds decided at or before this instant that the provider still does not have. */
export async function unsentRefunds(reader: Reader, decidedBy: Temporal.Instant): Promise<PaymentConcern[]> {
  return await refundsWhere(reader, and(eq(refunds.status, 'decided'), lte(refunds.createdAt, decidedBy)))
}

/** Returned payments that never became a purchase, whose refund failed and was not replaced. */
export async function failedReturns(reader: Reader): Promise<PaymentConcern[]> {
  const isReplaced = sql`exists (select from refunds later where later.payment_intent_id = ${refunds.paymentIntentId}
    and later.id > ${refunds.id} and later.status <> 'failed')`
  return await refundsWhere(
    reader,
    and(eq(refunds.status, 'failed'), isNull(refunds.purchaseId), sql`not ${isReplaced}`),
  )
}

/** Policy refunds of remote purchases whose fee has not been refunded since. */
export async function feesKept(reader: Reader): Promise<PaymentConcern[]> {
  return await refundsWhere(
    reader,
    and(
      eq(refunds.origin, 'rule'),
      inArray(refunds.status, ['pending', 'succeeded']),
      lt(sql`${purchases.refundedPence} + ${purchases.lostPence}`, purchases.amountPence),
      not(isFaceToFace),
    ),
  )
}

/** Payments that did not match what was requested; the newest hundred. */
export async function mismatchedPayments(reader: Reader): Promise<PaymentConcern[]> {
  return await reader
    .select({
      id: paymentIntents.id,
      since: sql`coalesce(${paymentIntents.settledAt}, ${paymentIntents.createdAt})`.mapWith(paymentIntents.createdAt),
      memberName,
      packageName: sql<string>`${paymentIntents.lines} -> 0 ->> 'label'`,
      pence: paid,
      paidPence: paid,
      failure: sql<null>`null`,
    })
    .from(paymentIntents)
    .leftJoin(users, eq(users.id, paymentIntents.userId))
    .where(eq(paymentIntents.state, 'mismatched'))
    .orderBy(desc(paymentIntents.createdAt))
    .limit(100)
}

/** Payments that could not be read from the provider since this instant or earlier, and the earliest such instant. */
export async function unreadPayments(reader: Reader, since: Temporal.Instant) {
  const [row] = await reader
    .select({ payments: count(), since: min(paymentIntents.unreadSince) })
    .from(paymentIntents)
    .where(lte(paymentIntents.unreadSince, since))
  return row?.since ? { payments: row.payments, since: row.since } : undefined
}

/** Queues a refund once more, which is harmless. Returns false if the provider has it by now. */
export async function sendRefundAgain(tx: Tx, refundId: number): Promise<boolean> {
  const [waiting] = await tx
    .select({ id: refunds.id })
    .from(refunds)
    .where(and(eq(refunds.id, refundId), eq(refunds.status, 'decided')))
  if (!waiting) return false
  await tx.enqueue('send-refund', { refundId })
  return true
}

/** How many payments are started and unpaid (`open`), and how many are `processing`. */
export async function countOpenPayments(reader: Reader): Promise<{ open: number; processing: number }> {
  const rows = await reader
    .select({ state: paymentIntents.state, payments: count() })
    .from(paymentIntents)
    .where(inArray(paymentIntents.state, ['open', 'processing']))
    .groupBy(paymentIntents.state)
  const paymentsIn = (state: string) => rows.find((row) => row.state === state)?.payments ?? 0
  return { open: paymentsIn('open'), processing: paymentsIn('processing') }
}

/** How many refunds are not yet sent, and how many failed and still need a decision. */
export async function countTroubledRefunds(reader: Reader): Promise<{ unsent: number; failed: number }> {
  const [unsent, failed] = await Promise.all([
    reader.$count(refunds, eq(refunds.status, 'decided')),
    reader.$count(refunds, and(eq(refunds.status, 'failed'), isNull(refunds.answeredAt))),
  ])
  return { unsent, failed }
}
