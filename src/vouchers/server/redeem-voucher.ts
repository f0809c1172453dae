import { eq } from 'drizzle-orm'
import { refuseBlocked, userForUpdate } from '#accounts/server/accounts.ts'
import { commonRefusals, type RefusalDefinition, refuse } from '#foundation/refusal.ts'
import { grantPass } from '#passes/server/passes.ts'
import type { Tx } from '#platform/database/database.ts'
import type { Vault } from '#platform/vault/vault.ts'
import { voucherRefusals } from '../contract.ts'
import { stateOf, type VoucherState } from '../rules.ts'
import { vouchers } from '../tables.ts'
import { voucherOfCodeForUpdate } from './codes.ts'

export const REFUSALS: Record<Exclude<VoucherState, 'valid'>, RefusalDefinition> = {
  redeemed: voucherRefusals.voucher_redeemed,
  expired: voucherRefusals.voucher_expired,
  void: voucherRefusals.voucher_void,
  frozen: voucherRefusals.voucher_on_hold,
}

/**
 * Redeems a voucher: the member gets its pass, which is valid from now. Member and voucher are locked, so that the
 * second of two members finds it redeemed. A member who has redeemed it before gets the same pass again.
 */
export async function redeemVoucher(
  tx: Tx,
  vault: Vault,
  { userId, code }: { userId: string; code: string },
  now: Temporal.Instant,
): Promise<{ passId: number; isNew: boolean }> {
  const member = (await userForUpdate(tx, userId)) ?? refuse(commonRefusals.unauthorized)
  refuseBlocked(member)
  const voucher = (await voucherOfCodeForUpdate(tx, vault, code)) ?? refuse(voucherRefusals.voucher_not_found)
  if (voucher.redeemedBy === userId && voucher.passId !== null) return { passId: voucher.passId, isNew: false }
  const state = stateOf(voucher, now)
  if (state !== 'valid') refuse(REFUSALS[state])
  const { packageId, classCount: credits, validityMonths, purchaseId } = voucher
  const pass = await grantPass(
    tx,
    { userId, packageId, credits, validityMonths, cause: { voucherOf: purchaseId } },
    now,
  )
  await tx
    .update(vouchers)
    .set({ redeemedAt: now, redeemedBy: userId, passId: pass.id })
    .where(eq(vouchers.id, voucher.id))
  // The journal next to the backups keeps the code from being redeemed again after a restore.
  await tx.enqueue('update-journal', {})
  return { passId: pass.id, isNew: true }
}
