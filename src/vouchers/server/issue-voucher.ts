import { refuse } from '#foundation/refusal.ts'
import type { HealthVault } from '#health/server/health.ts'

import type { PackageRow } from '#packages/tables.ts'
import { onlyRow, type Tx } from '#platform/database/database.ts'
import { type Gift, voucherRefusals } from '../contract.ts'
import { sendingTime, voucherExpiry } from '../rules.ts'
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
  vault: HealthVault,
  { purchaseId, buyer, bought, terms, gift }: Issued,
  now: Temporal.Instant,
): Promise<VoucherRow> {
  // A day that was possible when the payment started may be over: then it is sent now.
  const sendAt = gift.recipientEmail ? (sendingTime(gift.sendOn, now) ?? now) : null
  const voucher = await tx
    .insert(vouchers)
    .values({
      purchaseId,
      buyerId: buyer.id,
      packageId: bought.id,
      ...terms,
      ...newCode(vault),
      recipientName: gift.recipientName,
      recipientEmail: gift.recipientEmail ?? null,
      message: gift.message?.trim() || null,
      sendAt,
      soldAt: now,
      expiresAt: voucherExpiry(now),
    })
    .returning()
    .then(onlyRow)
  if (sendAt) await sendDueVouchers(tx, now, voucher.id)
  else await sendToBuyer(tx, voucher, buyer)
  return voucher
}
