import { eq } from 'drizzle-orm'
import { accountRefusals } from '#accounts/contract.ts'
import { recordAdminChange } from '#audit/server/audit.ts'
import { toPence } from '#foundation/amounts.ts'
import { toDecimal } from '#foundation/money.ts'
import { refuse } from '#foundation/refusal.ts'
import { packageRefusals } from '#packages/contract.ts'
import { findPackage, packageEvenDeleted } from '#packages/server/packages.ts'
import { correctionsOf, hasPassFor, passOfPurchaseForUpdate, voidSoldPass } from '#passes/server/passes.ts'
import type { Tx } from '#platform/database/database.ts'
import { DESK_METHODS, paymentRefusals } from '../contract.ts'
import { deskRefusals, FACE_TO_FACE, type Sale } from '../contract-desk.ts'
import { voidRefusal } from '../rules.ts'
import { purchases } from '../tables.ts'
import { completePurchase, memberForUpdate } from './activate-purchase.ts'
import { buyerOf, notifyOfVoidedSale } from './notices.ts'
import { purchaseRowForUpdate } from './queries.ts'

/**
 * Records a desk sale: purchase, pass and receipt as for a card payment. The member is locked, so that the second of two
 * sales or payments for a once-only package sees the first. Returns the purchase's id.
 */
export async function recordSale(
  tx: Tx,
  admin: { id: string },
  { userId, ...sale }: Sale & { userId: string },
  now: Temporal.Instant,
): Promise<number> {
  const member = (await memberForUpdate(tx, { userId })) ?? refuse(accountRefusals.user_not_found)
  if (member.blockedAt) refuse(accountRefusals.account_blocked)
  const bought = (await findPackage(tx, sale.packageId, now)) ?? refuse(packageRefusals.package_not_found)
  const amountPence = sale.amount == null ? bought.pricePence : toPence(sale.amount)
  if (amountPence === 0) refuse(deskRefusals.sale_amount_missing)
  if (bought.purchaseOncePerUser && (await hasPassFor(tx, member.id, bought.id)))
    refuse(deskRefusals.package_already_held)

  const { classCount, validityMonths } = bought
  const { purchase } = await completePurchase(
    tx,
    {
      member,
      bought,
      terms: { amountPence, classCount, validityMonths },
      paid: { deskMethod: sale.method, note: sale.note?.trim() || null },
      method: sale.method === 'other' ? null : DESK_METHODS[sale.method],
      soldBy: { by: 'admin', id: admin.id },
      isOnPremises: FACE_TO_FACE.includes(sale.method),
    },
    now,
  )
  const changes = {
    package: { after: bought.name },
    amount: { after: toDecimal(amountPence) },
    method: { after: DESK_METHODS[sale.method] },
  }
  await recordAdminChange(tx, admin, { action: 'sold', subject: { kind: 'purchase', id: purchase.id }, changes }, now)
  return purchase.id
}

/**
 * Voids a sale recorded by mistake, on its day and while its pass is unused: the pass is void, the money is not revenue, the
 * member is emailed, and the record stays. The pass is locked first, so that a concurrent booking comes before or after.
 */
export async function voidSale(
  tx: Tx,
  admin: { id: string },
  { userId, purchaseId }: { userId: string; purchaseId: number },
  now: Temporal.Instant,
): Promise<void> {
  const pass = await passOfPurchaseForUpdate(tx, purchaseId)
  const sale = await purchaseRowForUpdate(tx, purchaseId)
  if (sale?.userId !== userId) refuse(paymentRefusals.purchase_not_found)
  const corrections = await correctionsOf(tx, pass ? [pass.id] : [])
  const refusal = voidRefusal(sale, pass && { ...pass, creditsCorrected: corrections.get(pass.id) ?? 0 }, now)
  if (refusal) refuse(refusal)

  if (pass) await voidSoldPass(tx, pass, { admin, now })
  await tx.update(purchases).set({ voidedAt: now }).where(eq(purchases.id, purchaseId))
  await notifyOfVoidedSale(tx, await buyerOf(tx, sale), sale)
  const bought = await packageEvenDeleted(tx, sale.packageId)
  const changes = { package: { before: bought.name }, amount: { before: toDecimal(sale.amountPence), after: '0.00' } }
  await recordAdminChange(tx, admin, { action: 'voided', subject: { kind: 'purchase', id: purchaseId }, changes }, now)
}
