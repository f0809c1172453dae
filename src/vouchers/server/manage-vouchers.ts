import { and, eq } from 'drizzle-orm'
import { recordAdminChange } from '#audit/server/audit.ts'
import { endOfDay, studioDate, today } from '#foundation/instants.ts'
import { refuse } from '#foundation/refusal.ts'
import type { Tx } from '#platform/database/database.ts'
import type { Vault } from '#platform/vault/vault.ts'
import { voucherRefusals } from '../contract.ts'
import { stateOf } from '../rules.ts'
import { type VoucherRow, vouchers } from '../tables.ts'
import { codeOf, newCode } from './codes.ts'
import { REFUSALS } from './redeem-voucher.ts'
import { sendToRecipient } from './send-vouchers.ts'

type Admin = { id: string }

/** Locks a voucher that has not been redeemed or voided. */
async function openVoucherForUpdate(
  tx: Tx,
  { id, buyerId }: { id: number; buyerId?: string },
  now: Temporal.Instant,
): Promise<VoucherRow> {
  const isWanted = and(eq(vouchers.id, id), buyerId === undefined ? undefined : eq(vouchers.buyerId, buyerId))
  const [voucher] = await tx.select().from(vouchers).where(isWanted).for('update')
  if (!voucher?.soldAt) refuse(voucherRefusals.voucher_not_found)
  const state = stateOf(voucher, now)
  if (state === 'redeemed' || state === 'void') refuse(REFUSALS[state])
  return voucher
}

/**
 * Emails a voucher now, again or to a corrected address. With another address it gets a new code, so that the former
 * one is of no use; so does a code whose key is lost.
 *
 * @param by the owner, or its buyer
 */
export async function sendVoucher(
  tx: Tx,
  vault: Vault,
  by: { admin: Admin } | { buyerId: string },
  { id, recipientEmail }: { id: number; recipientEmail: string },
  now: Temporal.Instant,
): Promise<void> {
  const voucher = await openVoucherForUpdate(tx, { id, ...('buyerId' in by && by) }, now)
  const state = stateOf(voucher, now)
  if (state !== 'valid') refuse(REFUSALS[state])
  const before = voucher.recipientEmail?.toLowerCase()
  const isCorrected = before !== undefined && before !== recipientEmail.toLowerCase()
  const code = isCorrected || codeOf(vault, voucher) === undefined ? newCode(vault) : {}
  const sent = { ...voucher, ...code, recipientEmail, sendAt: now }
  await tx
    .update(vouchers)
    .set({ ...code, recipientEmail, sendAt: now })
    .where(eq(vouchers.id, id))
  await sendToRecipient(tx, sent, now)
  if ('admin' in by)
    await recordAdminChange(tx, by.admin, { action: 'sent_again', subject: { kind: 'voucher', id } }, now)
}

/** Extends a voucher, also an expired one, to the end of a London day. */
export async function extendVoucher(
  tx: Tx,
  admin: Admin,
  { id, validUntil }: { id: number; validUntil: string },
  now: Temporal.Instant,
): Promise<void> {
  const voucher = await openVoucherForUpdate(tx, { id }, now)
  const before = studioDate(voucher.expiresAt).toString()
  if (validUntil <= before || validUntil < today(now)) refuse(voucherRefusals.voucher_expiry_not_later)
  const expiresAt = endOfDay(Temporal.PlainDate.from(validUntil))
  await tx.update(vouchers).set({ expiresAt, remindedAt: null }).where(eq(vouchers.id, id))
  const changes = { expiry: { before, after: validUntil } }
  await recordAdminChange(tx, admin, { action: 'voucher_extended', subject: { kind: 'voucher', id }, changes }, now)
}

/** Voids a voucher. Its money is refunded separately. */
export async function voidVoucher(tx: Tx, admin: Admin, id: number, now: Temporal.Instant): Promise<void> {
  const voucher = await openVoucherForUpdate(tx, { id }, now)
  await tx.update(vouchers).set({ voidedAt: now }).where(eq(vouchers.id, id))
  await tx.enqueue('update-journal', {})
  const changes = { package: { before: voucher.packageName } }
  await recordAdminChange(tx, admin, { action: 'voucher_voided', subject: { kind: 'voucher', id }, changes }, now)
}
