import { and, asc, desc, eq, inArray, or } from 'drizzle-orm'
import { passesOf } from '#passes/server/passes.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import type { Gift } from '#vouchers/contract.ts'
import { vouchers } from '#vouchers/tables.ts'
import {
  type DisputeRow,
  disputes,
  type PaymentIntentRow,
  type PurchaseRow,
  paymentIntents,
  promotionCodes,
  purchases,
  type RefundRow,
  refunds,
} from '../tables.ts'

/** An open or processing payment with the code and the recipient of its order. */
export type UnsettledPayment = {
  payment: PaymentIntentRow
  code: string | null
  gift: Pick<Gift, 'recipientName' | 'recipientEmail'> | null
}

/**
 * How many payments a member has started for a package, and the unsettled ones, newest first. One statement, so that
 * of two concurrent calls the second finds the first one's payment or makes the same attempt.
 */
export async function paymentsSoFar(
  reader: Reader,
  userId: string,
  packageId: number,
): Promise<{ attempts: number; unsettled: UnsettledPayment[] }> {
  const rows = await reader
    .select({
      payment: paymentIntents,
      code: promotionCodes.code,
      gift: { recipientName: vouchers.recipientName, recipientEmail: vouchers.recipientEmail },
    })
    .from(paymentIntents)
    .leftJoin(promotionCodes, eq(promotionCodes.id, paymentIntents.promotionCodeId))
    .leftJoin(vouchers, eq(vouchers.paymentIntentId, paymentIntents.id))
    .where(and(eq(paymentIntents.userId, userId), eq(paymentIntents.packageId, packageId)))
    .orderBy(desc(paymentIntents.createdAt))
  const unsettled = rows.filter(({ payment }) => payment.state === 'open' || payment.state === 'processing')
  return { attempts: rows.length, unsettled }
}

/** A member's payments that the provider is still processing, oldest first. */
export async function paymentsUnderway(reader: Reader, userId: string): Promise<PaymentIntentRow[]> {
  return await reader
    .select()
    .from(paymentIntents)
    .where(and(eq(paymentIntents.userId, userId), eq(paymentIntents.state, 'processing')))
    .orderBy(asc(paymentIntents.createdAt))
}

export async function findIntent(reader: Reader, id: string): Promise<PaymentIntentRow | undefined> {
  const [row] = await reader.select().from(paymentIntents).where(eq(paymentIntents.id, id))
  return row
}

/** Locks a payment. */
export async function intentForUpdate(tx: Tx, id: string): Promise<PaymentIntentRow | undefined> {
  const [row] = await tx.select().from(paymentIntents).where(eq(paymentIntents.id, id)).for('update')
  return row
}

/** The pass that a member's payment has bought. */
export async function passOfIntent(reader: Reader, userId: string, intentId: string) {
  const ofPurchases = reader.select({ id: purchases.id }).from(purchases).where(eq(purchases.paymentIntentId, intentId))
  const [pass] = await passesOf(reader, userId, { ofPurchases })
  return pass
}

/** The purchase that a payment became; undefined until it is paid. */
export async function purchaseOfIntent(reader: Reader, intentId: string): Promise<PurchaseRow | undefined> {
  const [row] = await reader.select().from(purchases).where(eq(purchases.paymentIntentId, intentId))
  return row
}

export async function findPurchase(reader: Reader, id: number): Promise<PurchaseRow | undefined> {
  const [row] = await reader.select().from(purchases).where(eq(purchases.id, id))
  return row
}

/** Locks a purchase; lock its pass and payment first. */
export async function purchaseRowForUpdate(tx: Tx, id: number): Promise<PurchaseRow | undefined> {
  const [row] = await tx.select().from(purchases).where(eq(purchases.id, id)).for('no key update')
  return row
}

/** Every refund of a payment, by card and by hand, oldest first. */
export async function refundsOf(reader: Reader, intentId: string): Promise<RefundRow[]> {
  const purchase = reader.select({ id: purchases.id }).from(purchases).where(eq(purchases.paymentIntentId, intentId))
  return await reader
    .select()
    .from(refunds)
    .where(or(eq(refunds.paymentIntentId, intentId), inArray(refunds.purchaseId, purchase)))
    .orderBy(asc(refunds.id))
}

/** Every dispute about a payment, oldest first. */
export async function disputesOf(reader: Reader, intentId: string): Promise<DisputeRow[]> {
  return await reader
    .select()
    .from(disputes)
    .where(eq(disputes.paymentIntentId, intentId))
    .orderBy(asc(disputes.openedAt), asc(disputes.id))
}
