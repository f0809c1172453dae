import { and, asc, count, desc, eq, inArray } from 'drizzle-orm'
import { packages } from '#packages/tables.ts'
import type { PassRow } from '#passes/tables.ts'
import { passes } from '#passes/tables.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { isGift } from '../order-rules.ts'
import {
  type DisputeRow,
  disputes,
  type PaymentIntentRow,
  type PurchaseRow,
  paymentIntents,
  purchases,
  type RefundRow,
  refunds,
} from '../tables.ts'

/** The newest payment of a member for a package, or for it as a gift, that is open or processing. */
export async function unsettledIntentOf(
  reader: Reader,
  userId: string,
  order: { packageId: number; isVoucher: boolean },
): Promise<PaymentIntentRow | undefined> {
  const rows = await reader
    .select()
    .from(paymentIntents)
    .where(
      and(
        eq(paymentIntents.userId, userId),
        eq(paymentIntents.packageId, order.packageId),
        inArray(paymentIntents.state, ['open', 'processing']),
      ),
    )
    .orderBy(desc(paymentIntents.createdAt))
  return rows.find((row) => isGift(row) === order.isVoucher)
}

export async function paymentsUnderway(reader: Reader, userId: string) {
  return await reader
    .select({ payment: paymentIntents, package: { id: packages.id, name: packages.name } })
    .from(paymentIntents)
    .innerJoin(packages, eq(packages.id, paymentIntents.packageId))
    .where(and(eq(paymentIntents.userId, userId), eq(paymentIntents.state, 'processing')))
    .orderBy(asc(paymentIntents.createdAt))
}

/** How many payments a member has started for a package. */
export async function attemptsOf(reader: Reader, userId: string, packageId: number): Promise<number> {
  const [row] = await reader
    .select({ attempts: count() })
    .from(paymentIntents)
    .where(and(eq(paymentIntents.userId, userId), eq(paymentIntents.packageId, packageId)))
  return row?.attempts ?? 0
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

/** The pass of a payment, not locked. */
export async function passOfIntent(reader: Reader, intentId: string): Promise<PassRow | undefined> {
  const [row] = await reader
    .select({ pass: passes })
    .from(passes)
    .innerJoin(purchases, eq(purchases.id, passes.purchaseId))
    .where(eq(purchases.paymentIntentId, intentId))
  return row?.pass
}

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

/** Every refund of a payment, oldest first. */
export async function refundsOf(reader: Reader, intentId: string): Promise<RefundRow[]> {
  return await reader.select().from(refunds).where(eq(refunds.paymentIntentId, intentId)).orderBy(asc(refunds.id))
}

/** Every dispute about a payment, oldest first. */
export async function disputesOf(reader: Reader, intentId: string): Promise<DisputeRow[]> {
  return await reader
    .select()
    .from(disputes)
    .where(eq(disputes.paymentIntentId, intentId))
    .orderBy(asc(disputes.openedAt), asc(disputes.id))
}
