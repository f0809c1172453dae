import { and, eq, isNotNull, isNull, lt, ne, or, sql } from 'drizzle-orm'
import { toPersonName } from '#foundation/person-names.ts'
import { expiryAfter, frozenDaysOf } from '#passes/rules.ts'
import type { Tx } from '#platform/database/database.ts'
import { studio } from '#studio.ts'
import { type VoucherRow, vouchers } from '../tables.ts'
import { askBuyers } from './send-vouchers.ts'

/** Locks the voucher of a purchase; undefined if it bought a pass. */
export async function voucherOfPurchaseForUpdate(tx: Tx, purchaseId: number): Promise<VoucherRow | undefined> {
  const [voucher] = await tx.select().from(vouchers).where(eq(vouchers.purchaseId, purchaseId)).for('update')
  return voucher
}

/** Voids the voucher of a purchase whose money was returned or lost, unless redeemed. Returns whether it did. */
export async function voidVoucherOf(tx: Tx, purchaseId: number, now: Temporal.Instant): Promise<boolean> {
  const voided = await tx
    .update(vouchers)
    .set({ voidedAt: now })
    .where(and(eq(vouchers.purchaseId, purchaseId), isNull(vouchers.redeemedAt), isNull(vouchers.voidedAt)))
    .returning({ id: vouchers.id })
  if (voided.length > 0) await tx.enqueue('update-journal', {})
  return voided.length > 0
}

/** Keeps the voucher of a purchase from being redeemed while its payment is disputed. Returns whether that is new. */
export async function freezeVoucherOf(tx: Tx, purchaseId: number, now: Temporal.Instant): Promise<boolean> {
  const frozen = await tx
    .update(vouchers)
    .set({ frozenAt: now })
    .where(
      and(
        eq(vouchers.purchaseId, purchaseId),
        isNull(vouchers.redeemedAt),
        isNull(vouchers.voidedAt),
        isNull(vouchers.frozenAt),
      ),
    )
    .returning({ id: vouchers.id })
  return frozen.length > 0
}

/**
 * Ends the hold and extends the voucher by the days on hold, to the end of a day like a pass. Its buyer is reminded
 * again. Returns whether it was on hold.
 */
export async function thawVoucherOf(tx: Tx, purchaseId: number, now: Temporal.Instant): Promise<boolean> {
  const voucher = await voucherOfPurchaseForUpdate(tx, purchaseId)
  if (!voucher?.frozenAt) return false
  const frozenDays = frozenDaysOf(voucher, voucher.frozenAt, now)
  const expiresAt = expiryAfter({ ...voucher, paused: [], frozenDays: [] }, { frozenDays })
  await tx.update(vouchers).set({ frozenAt: null, expiresAt, remindedAt: null }).where(eq(vouchers.id, voucher.id))
  return true
}

/**
 * Erases name, address and message of the recipient 30 days after a voucher was redeemed or voided, or has expired; and
 * vouchers whose purchase has been erased, once they are over.
 */
export async function forgetRecipients(tx: Tx, now: Temporal.Instant): Promise<void> {
  const cutoff = now.subtract({ hours: studio.policies.voucher.detailsDays * 24 })
  const isOver = or(lt(vouchers.redeemedAt, cutoff), lt(vouchers.voidedAt, cutoff), lt(vouchers.expiresAt, cutoff))
  await tx
    .update(vouchers)
    .set({ recipientName: toPersonName(''), recipientEmail: null, message: null })
    .where(
      and(
        isOver,
        or(
          ne(vouchers.recipientName, toPersonName('')),
          isNotNull(vouchers.recipientEmail),
          isNotNull(vouchers.message),
        ),
      ),
    )
  await tx.delete(vouchers).where(and(isOver, isNull(vouchers.purchaseId)))
}

/** What is not sent yet has no day any more. */
const sendAtOfErased = sql`case when ${vouchers.sentAt} is not null then ${vouchers.sendAt} end`

/**
 * Erases what vouchers keep about a member who is erased: as a recipient, name, address and message. Vouchers they
 * bought stay valid without their name; those not paid for are dropped, as a payment without its member is returned.
 * The buyers of gifts that were still to be emailed are asked how to send them.
 */
export async function eraseVouchersOf(tx: Tx, { id, email }: { id: string; email: string | null }): Promise<void> {
  await tx.delete(vouchers).where(and(eq(vouchers.buyerId, id), isNull(vouchers.soldAt)))
  const isRecipient =
    email === null
      ? eq(vouchers.redeemedBy, id)
      : or(eq(vouchers.redeemedBy, id), sql`lower(${vouchers.recipientEmail}) = ${email.toLowerCase()}`)
  await askBuyers(tx, and(isRecipient, isNull(vouchers.sentAt), isNotNull(vouchers.recipientEmail)), 'erased')
  await tx
    .update(vouchers)
    .set({ recipientName: toPersonName(''), recipientEmail: null, message: null, sendAt: sendAtOfErased })
    .where(isRecipient)
}
