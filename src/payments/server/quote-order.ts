import { accountRefusals } from '#accounts/contract.ts'
import { refuse } from '#foundation/refusal.ts'
import { packageRefusals } from '#packages/contract.ts'
import { findPackage } from '#packages/server/packages.ts'
import type { PackageRow } from '#packages/tables.ts'
import { hasPassFor } from '#passes/server/passes.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import type { Vault } from '#platform/vault/vault.ts'
import { type Gift, voucherRefusals } from '#vouchers/contract.ts'
import { issueVoucher, refuseGift } from '#vouchers/server/vouchers.ts'
import { codeRefusals } from '../code-refusals.ts'
import { paymentRefusals } from '../contract.ts'
import { orderOf, totalRefusal } from '../order-rules.ts'
import { completeGift, completePurchase, memberForUpdate, type Sold } from './activate-purchase.ts'
import { takeUse, usableCode } from './codes.ts'
import { shownLines } from './purchases.ts'

type Wanted = { packageId: number; userId: string }

/** What an order would cost this member now, line by line. */
export async function quoteOrder(
  reader: Reader,
  wanted: Wanted & { code?: string | undefined; isVoucher?: boolean },
  now: Temporal.Instant,
) {
  const bought = await packageOnSale(reader, wanted.packageId, now)
  if (wanted.isVoucher && bought.purchaseOncePerUser) refuse(voucherRefusals.voucher_once_only)
  const code = wanted.code === undefined ? undefined : await usableCode(reader, { ...wanted, code: wanted.code }, now)
  const { lines, totalPence } = orderOf(bought, code, wanted.isVoucher)
  const refusal = totalRefusal(totalPence)
  if (refusal) refuse(refusal)
  return { lines: shownLines({ lines }), total: totalPence }
}

/** Buys a package that a code makes free, with pass or voucher and receipt, once per member and code. */
export async function buyForFree(
  tx: Tx,
  vault: Vault,
  wanted: Wanted & { code: string; gift?: Gift | undefined },
  now: Temporal.Instant,
): Promise<void> {
  const { userId, packageId, gift } = wanted
  const member = (await memberForUpdate(tx, { userId })) ?? refuse(accountRefusals.user_not_found)
  if (member.blockedAt) refuse(accountRefusals.account_blocked)
  const bought = await packageOnSale(tx, packageId, now)
  if (gift) refuseGift(bought, gift, now)
  else if (bought.purchaseOncePerUser && (await hasPassFor(tx, userId, packageId)))
    refuse(paymentRefusals.package_already_held)
  const code = await usableCode(tx, wanted, now)
  const { lines, totalPence } = orderOf(bought, code, gift !== undefined)
  if (totalPence > 0) refuse(codeRefusals.payment_needed)
  const { classCount, validityMonths } = bought
  const terms = { amountPence: 0, classCount, validityMonths }
  const sold: Sold = {
    member,
    bought,
    terms,
    paid: { lines },
    method: null,
    soldBy: { by: 'member' },
    isOnPremises: false,
  }
  const { id: purchaseId } = gift ? await completeGift(tx, sold, now) : (await completePurchase(tx, sold, now)).purchase
  if (gift) await issueVoucher(tx, vault, { purchaseId, buyer: member, bought, terms, gift }, now)
  await takeUse(tx, { code, packageId, userId }, { purchaseId }, now)
}

async function packageOnSale(reader: Reader, id: number, now: Temporal.Instant): Promise<PackageRow> {
  const bought = (await findPackage(reader, id, now)) ?? refuse(packageRefusals.package_not_found)
  return bought.isActive ? bought : refuse(paymentRefusals.package_not_on_sale)
}
