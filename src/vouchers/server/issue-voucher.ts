import { and, eq, isNull } from 'drizzle-orm'
import { toPersonName } from '#foundation/person-names.ts'
import { refuse } from '#foundation/refusal.ts'
import type { PackageRow } from '#packages/tables.ts'
import { onlyRow, type Tx } from '#platform/database/database.ts'
import type { Vault } from '#platform/vault/vault.ts'
import { type Gift, voucherRefusals } from '../contract.ts'
import { sendingTime, stateOf, voucherExpiry } from '../rules.ts'
import { type VoucherRow, vouchers } from '../tables.ts'
import { newCode } from './codes.ts'
import { sendDueVouchers, sendToBuyer } from './send-vouchers.ts'

type Issued = {
  purchaseId: number
  buyer: { id: string; email: string | null; firstName: string; lastName: string }
  bought: PackageRow
  terms: { amountPence: number; classCount: number; validityMonths: number }
  gift: Gift
}

/** Refuses a package or a day that a voucher cannot have. */
export function refuseGift(bought: PackageRow, gift: Gift, now: Temporal.Instant): void {
  if (bought.purchaseOncePerUser) refuse(voucherRefusals.voucher_once_only)
  if (!sendingTime(gift.sendOn, now)) refuse(voucherRefusals.voucher_day_impossible)
}

/** Makes the voucher of a purchase, and emails it to the recipient on its day, or to the buyer to print. */
export async function issueVoucher(
  tx: Tx,
  vault: Vault,
  { purchaseId, buyer, bought, terms, gift }: Issued,
  now: Temporal.Instant,
): Promise<VoucherRow> {
  const voucher = await tx
    .insert(vouchers)
    .values({
      purchaseId,
      buyerId: buyer.id,
      packageId: bought.id,
      packageName: bought.name,
      ...terms,
      ...newCode(vault),
      ...detailsOf(gift, now),
      soldAt: now,
      expiresAt: voucherExpiry(now),
    })
    .returning()
    .then(onlyRow)
  await send(tx, voucher, buyer, now)
  return voucher
}

function detailsOf(gift: Gift, now: Temporal.Instant) {
  return {
    recipientName: toPersonName(gift.recipientName),
    recipientEmail: gift.recipientEmail ?? null,
    message: gift.message?.trim() || null,
    sendAt: gift.recipientEmail ? (sendingTime(gift.sendOn, now) ?? now) : null,
  }
}

/** If the chosen day has passed by the payment, it is sent now. After a restore it may have been redeemed already. */
async function send(tx: Tx, voucher: VoucherRow, buyer: Issued['buyer'], now: Temporal.Instant): Promise<void> {
  if (stateOf(voucher, now) !== 'valid') return
  if (voucher.sendAt) await sendDueVouchers(tx, now, voucher.id)
  else await sendToBuyer(tx, voucher, buyer)
}

/** Makes the voucher of a payment that is open. Nobody has its code until it is paid ({@link sellReservedVoucher}). */
export async function reserveVoucher(
  tx: Tx,
  vault: Vault,
  {
    paymentIntentId,
    buyerId,
    bought,
    terms,
    gift,
  }: Pick<Issued, 'bought' | 'terms' | 'gift'> & { paymentIntentId: string; buyerId: string },
  now: Temporal.Instant,
): Promise<void> {
  await tx.insert(vouchers).values({
    paymentIntentId,
    buyerId,
    packageId: bought.id,
    packageName: bought.name,
    ...terms,
    ...newCode(vault),
    ...detailsOf(gift, now),
    expiresAt: voucherExpiry(now),
  })
}

const reservedFor = (paymentIntentId: string) =>
  and(eq(vouchers.paymentIntentId, paymentIntentId), isNull(vouchers.soldAt))

/** Changes what goes with the voucher of an open payment, and when; its recipient stays. */
export async function changeReservedVoucher(
  tx: Tx,
  { paymentIntentId, gift }: { paymentIntentId: string; gift: Pick<Gift, 'message' | 'sendOn'> },
  now: Temporal.Instant,
): Promise<void> {
  const [voucher] = await tx.select().from(vouchers).where(reservedFor(paymentIntentId)).for('update')
  if (!voucher) return
  if (!sendingTime(gift.sendOn, now)) refuse(voucherRefusals.voucher_day_impossible)
  const { message, sendAt } = detailsOf({ ...voucher, ...gift }, now)
  await tx.update(vouchers).set({ message, sendAt }).where(eq(vouchers.id, voucher.id))
}

/** The payment has become a purchase: its voucher is valid from now, and emailed as {@link issueVoucher} does. */
export async function sellReservedVoucher(
  tx: Tx,
  { paymentIntentId, purchaseId, buyer }: { paymentIntentId: string } & Pick<Issued, 'purchaseId' | 'buyer'>,
  now: Temporal.Instant,
): Promise<VoucherRow> {
  const voucher = await tx
    .update(vouchers)
    .set({ purchaseId, soldAt: now, expiresAt: voucherExpiry(now) })
    .where(eq(vouchers.paymentIntentId, paymentIntentId))
    .returning()
    .then(onlyRow)
  await send(tx, voucher, buyer, now)
  return voucher
}

/** The payment is over without a purchase. */
export async function dropReservedVoucher(tx: Tx, paymentIntentId: string): Promise<void> {
  await tx.delete(vouchers).where(reservedFor(paymentIntentId))
}
