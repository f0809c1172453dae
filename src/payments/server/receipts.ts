import { and, asc, desc, eq } from 'drizzle-orm'
import { users } from '#accounts/tables.ts'
import { toDecimal } from '#foundation/money.ts'
import { refuse } from '#foundation/refusal.ts'
import { packages } from '#packages/tables.ts'
import { passes } from '#passes/tables.ts'
import type { Reader } from '#platform/database/database.ts'
import { paymentRefusals } from '../contract.ts'
import type { OwnPurchase } from '../contract-receipts.ts'
import { paymentIntents, purchases, refunds } from '../tables.ts'
import { purchasesWithClassTaken } from './begin-requests.ts'
import type { ReceiptOf } from './paper/receipt-paper.ts'
import { methodOf } from './purchases.ts'

/** What a member bought, the newest first. */
export async function ownPurchases(reader: Reader, userId: string, now: Temporal.Instant): Promise<OwnPurchase[]> {
  const rows = await reader
    .select({ purchase: purchases, method: paymentIntents.method, package: { id: packages.id, name: packages.name } })
    .from(purchases)
    .innerJoin(packages, eq(packages.id, purchases.packageId))
    .leftJoin(paymentIntents, eq(paymentIntents.id, purchases.paymentIntentId))
    .where(eq(purchases.userId, userId))
    .orderBy(desc(purchases.purchasedAt), desc(purchases.id))
  const requested = rows.filter(({ purchase }) => purchase.beginRequestedAt).map(({ purchase }) => purchase.id)
  const taken = await purchasesWithClassTaken(reader, requested, now)
  return rows.map(({ purchase, method, package: bought }) => ({
    id: purchase.id,
    receiptNumber: purchase.receiptNumber,
    package: bought,
    amount: toDecimal(purchase.amountPence),
    method: methodOf(purchase, method),
    purchasedAt: purchase.purchasedAt.toString(),
    refundedAmount: purchase.refundedPence === 0 ? null : toDecimal(purchase.refundedPence),
    voidedAt: purchase.voidedAt?.toString() ?? null,
    beginRequestedAt: purchase.beginRequestedAt?.toString() ?? null,
    mayWithdrawBeginRequest: purchase.beginRequestedAt !== null && !taken.has(purchase.id),
  }))
}

/**
 * All that a receipt says.
 *
 * @param which.userId whose it must be; anybody's without
 */
export async function receiptOf(reader: Reader, { id, userId }: { id: number; userId?: string }): Promise<ReceiptOf> {
  const [row] = await reader
    .select({ purchase: purchases, bought: packages, pass: passes, user: users, method: paymentIntents.method })
    .from(purchases)
    .innerJoin(packages, eq(packages.id, purchases.packageId))
    .leftJoin(paymentIntents, eq(paymentIntents.id, purchases.paymentIntentId))
    .leftJoin(passes, eq(passes.purchaseId, purchases.id))
    .leftJoin(users, eq(users.id, purchases.userId))
    .where(and(eq(purchases.id, id), userId === undefined ? undefined : eq(purchases.userId, userId)))
  if (!row) refuse(paymentRefusals.purchase_not_found)
  const { purchase, bought, pass, user, method } = row
  return {
    purchase,
    bought,
    pass: pass ?? undefined,
    member: user ? { name: `${user.firstName} ${user.lastName}`.trim(), email: user.email } : undefined,
    method: methodOf(purchase, method),
    refunds: await reader.select().from(refunds).where(eq(refunds.purchaseId, id)).orderBy(asc(refunds.id)),
  }
}
