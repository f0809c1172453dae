import { eq } from 'drizzle-orm'
import { accountRefusals } from '#accounts/contract.ts'
import { recordAdminChange } from '#audit/server/audit.ts'
import { toPence } from '#foundation/amounts.ts'
import { toDecimal } from '#foundation/money.ts'
import { refuse } from '#foundation/refusal.ts'
import { packageRefusals } from '#packages/contract.ts'
import { findPackage } from '#packages/server/packages.ts'
import { correctionsOf, hasPassFor, passOfPurchaseForUpdate, voidSoldPass } from '#passes/server/passes.ts'
import { RetryTransaction, type Tx } from '#platform/database/database.ts'
import type { Vault } from '#platform/vault/vault.ts'
import type { Gift } from '#vouchers/contract.ts'
import { issueVoucher, refuseGift, voidVoucherOf, voucherOfPurchaseForUpdate } from '#vouchers/server/vouchers.ts'
import { DESK_METHODS, paymentRefusals } from '../contract.ts'
import { deskRefusals, FACE_TO_FACE, type Sale } from '../contract-desk.ts'
import { orderOf, packageNameOf } from '../order-rules.ts'
import { unredeemedPass, voidRefusal } from '../rules.ts'
import { type PurchaseRow, purchases } from '../tables.ts'
import { completeGift, completePurchase, memberForUpdate, type Sold } from './activate-purchase.ts'
import { buyerOf, notifyOfVoidedSale, notifyRecipient } from './notices.ts'
import { purchaseRowForUpdate } from './queries.ts'

/**
 * Records a desk sale: purchase, pass and receipt as for a card payment. The member is locked, so that the second of
 * two sales or payments for a once-only package sees the first. Returns the purchase's id.
 */
export async function recordSale(
  tx: Tx,
  admin: { id: string },
  sale: Sale & { userId: string },
  now: Temporal.Instant,
): Promise<number> {
  const { sold } = await priceSale(tx, admin, sale, now)
  if (sold.bought.purchaseOncePerUser && (await hasPassFor(tx, sold.member.id, sold.bought.id)))
    refuse(deskRefusals.package_already_held)
  const { purchase } = await completePurchase(tx, sold, now)
  await recordSold(tx, admin, { purchase, sold }, now)
  return purchase.id
}

/** Records the sale of a gift voucher at the desk. Returns the voucher's id. */
export async function sellVoucher(
  tx: Tx,
  vault: Vault,
  admin: { id: string },
  { gift, ...sale }: Sale & { userId: string; gift: Gift },
  now: Temporal.Instant,
): Promise<number> {
  const { sold } = await priceSale(tx, admin, { ...sale, isGift: true }, now)
  refuseGift(sold.bought, gift, now)
  const purchase = await completeGift(tx, sold, now)
  const { member: buyer, bought, terms } = sold
  const voucher = await issueVoucher(tx, vault, { purchaseId: purchase.id, buyer, bought, terms, gift }, now)
  await recordSold(tx, admin, { purchase, sold }, now)
  return voucher.id
}

/** Locks the buyer and reads what is sold, and for how much. */
async function priceSale(
  tx: Tx,
  admin: { id: string },
  { userId, isGift, ...sale }: Sale & { userId: string; isGift?: boolean },
  now: Temporal.Instant,
) {
  const member = (await memberForUpdate(tx, { userId })) ?? refuse(accountRefusals.user_not_found)
  if (member.blockedAt) refuse(accountRefusals.account_blocked)
  const bought = (await findPackage(tx, sale.packageId, now)) ?? refuse(packageRefusals.package_not_found)
  const amountPence = sale.amount == null ? bought.pricePence : toPence(sale.amount)
  if (amountPence === 0) refuse(deskRefusals.sale_amount_missing)
  const { classCount, validityMonths } = bought
  const { lines } = orderOf({ name: bought.name, pricePence: amountPence }, undefined, isGift)
  const sold: Sold = {
    member,
    bought,
    terms: { amountPence, classCount, validityMonths },
    paid: { deskMethod: sale.method, note: sale.note?.trim() || null, lines },
    method: sale.method === 'other' ? null : DESK_METHODS[sale.method],
    soldBy: { by: 'admin', id: admin.id },
    isOnPremises: FACE_TO_FACE.includes(sale.method),
  }
  return { sold }
}

async function recordSold(
  tx: Tx,
  admin: { id: string },
  { purchase, sold }: { purchase: PurchaseRow; sold: Sold },
  now: Temporal.Instant,
): Promise<void> {
  const changes = {
    package: { after: sold.bought.name },
    amount: { after: toDecimal(purchase.amountPence) },
    ...(purchase.deskMethod && { method: { after: DESK_METHODS[purchase.deskMethod] } }),
  }
  await recordAdminChange(tx, admin, { action: 'sold', subject: { kind: 'purchase', id: purchase.id }, changes }, now)
}

/**
 * Voids a sale recorded by mistake, on its day and while its pass is unused: the pass is void, the money is not
 * revenue, the member is emailed, and the record stays. The pass is locked first, against concurrent bookings.
 */
export async function voidSale(
  tx: Tx,
  admin: { id: string },
  { userId, purchaseId }: { userId: string; purchaseId: number },
  now: Temporal.Instant,
): Promise<void> {
  const pass = await passOfPurchaseForUpdate(tx, purchaseId)
  const sale = await purchaseRowForUpdate(tx, purchaseId)
  const voucher = await voucherOfPurchaseForUpdate(tx, purchaseId)
  // It was redeemed in the meantime: its pass is locked first.
  if (!pass && voucher?.passId) throw new RetryTransaction()
  if (sale?.userId !== userId) refuse(paymentRefusals.purchase_not_found)
  const corrections = await correctionsOf(tx, pass ? [pass.id] : [])
  const sold = pass ? { ...pass, creditsCorrected: corrections.get(pass.id) ?? 0 } : unredeemedPass(voucher)
  const refusal = voidRefusal(sale, sold, now)
  if (refusal) refuse(refusal)

  if (voucher) await voidVoucherOf(tx, purchaseId, now)
  if (pass) await voidSoldPass(tx, pass, { admin, now })
  if (pass && pass.userId !== userId) await notifyRecipient(tx, pass, packageNameOf(sale), 'pass-ended')
  await tx.update(purchases).set({ voidedAt: now }).where(eq(purchases.id, purchaseId))
  await notifyOfVoidedSale(tx, await buyerOf(tx, sale), sale)
  const changes = {
    package: { before: packageNameOf(sale) },
    amount: { before: toDecimal(sale.amountPence), after: '0.00' },
  }
  await recordAdminChange(tx, admin, { action: 'voided', subject: { kind: 'purchase', id: purchaseId }, changes }, now)
}
