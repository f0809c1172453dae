import { eq } from 'drizzle-orm'
import { recipient } from '#accounts/server/accounts.ts'
import { type UserRow, users } from '#accounts/tables.ts'
import { toDecimal } from '#foundation/money.ts'
import { refuse } from '#foundation/refusal.ts'
import { queueMail } from '#messages/server/messages.ts'
import { packageEvenDeleted } from '#packages/server/packages.ts'
import type { PackageRow } from '#packages/tables.ts'
import { expiryOf } from '#passes/rules.ts'
import { type CausedBy, grantPass, hasPassFor } from '#passes/server/passes.ts'
import type { PassRow } from '#passes/tables.ts'
import { onlyRow, type Tx } from '#platform/database/database.ts'
import { voucherExpiry } from '#vouchers/rules.ts'
import { dropReservedVoucher, sellReservedVoucher } from '#vouchers/server/vouchers.ts'
import { paymentRefusals } from '../contract.ts'
import { isGift, packageNameOf } from '../order-rules.ts'
import { methodUsed, type PaidIntent } from '../provider-state.ts'
import { nextPollAt, paysFor } from '../rules.ts'
import { type PaymentIntentRow, type PurchaseRow, paymentIntents, purchases, refunds } from '../tables.ts'
import { countUse, releaseUse } from './codes.ts'
import { notifyOfReturn } from './notices.ts'
import { shownLines } from './purchases.ts'
import { intentForUpdate } from './queries.ts'

type Activation =
  | { outcome: 'activated' | 'was_active' }
  /** It could not become a purchase, or does not match what was requested; the whole amount is being returned. */
  | { outcome: 'given_back' }
  | { outcome: 'mismatched' }

/**
 * Turns a successful payment into a purchase with its pass or gift voucher, exactly once: concurrent calls wait for the
 * payment's row. Money that cannot become a pass (a once-only package already held, the member gone or blocked, another
 * amount, currency, member or package) is returned in full.
 *
 * @param paid the intent as just read from the provider
 * @throws a refusal if the payment is unknown or unpaid
 */
export async function activatePurchase(
  tx: Tx,
  intentId: string,
  paid: PaidIntent,
  now: Temporal.Instant,
): Promise<Activation> {
  if (paid.status !== 'succeeded') refuse(paymentRefusals.payment_incomplete)
  const member = await buyerForUpdate(tx, intentId)
  const intent = (await intentForUpdate(tx, intentId)) ?? refuse(paymentRefusals.payment_not_found)
  return await settlePaid(tx, intent, { member, paid }, now)
}

/** {@link activatePurchase} for a payment whose member and row are locked. */
export async function settlePaid(
  tx: Tx,
  intent: PaymentIntentRow,
  { member, paid }: { member: UserRow | undefined; paid: PaidIntent },
  now: Temporal.Instant,
): Promise<Activation> {
  if (intent.state === 'refunded') return { outcome: 'given_back' }
  if (intent.state === 'mismatched') return { outcome: 'mismatched' }
  if (intent.state === 'purchased') return { outcome: 'was_active' }
  const bought = await packageEvenDeleted(tx, intent.packageId)
  if (!paysFor(paid, intent)) {
    await returnPayment(tx, intent, { member, paid, state: 'mismatched' }, now)
    return { outcome: 'mismatched' }
  }
  const isVoucher = isGift(intent)
  const isHeld = async (userId: string) =>
    !isVoucher && bought.purchaseOncePerUser && (await hasPassFor(tx, userId, bought.id))
  if (!member || member.blockedAt || (await isHeld(member.id))) {
    await returnPayment(tx, intent, { member, paid, state: 'refunded' }, now)
    return { outcome: 'given_back' }
  }
  const method = await settle(tx, intent, { state: 'purchased', paid }, now)
  const { id: paymentIntentId, beginRequestedAt, lines } = intent
  const sold: Sold = {
    member,
    bought,
    terms: intent,
    paid: { paymentIntentId, beginRequestedAt, lines },
    method,
    soldBy: { by: 'member' },
    isOnPremises: false,
  }
  const { id: purchaseId } = isVoucher
    ? await completeGift(tx, sold, now)
    : (await completePurchase(tx, sold, now)).purchase
  if (isVoucher) await sellReservedVoucher(tx, { paymentIntentId, purchaseId, buyer: member }, now)
  if (intent.promotionCodeId) await countUse(tx, intent.id, purchaseId)
  return { outcome: 'activated' }
}

/** Locks the member, so that the second of two payments for a once-only package sees the first one's pass. */
export async function memberForUpdate(
  tx: Tx,
  { userId }: Pick<PaymentIntentRow, 'userId'>,
): Promise<UserRow | undefined> {
  if (!userId) return undefined
  const [member] = await tx.select().from(users).where(eq(users.id, userId)).for('no key update')
  return member
}

/** Locks the member who makes a payment. */
async function buyerForUpdate(tx: Tx, intentId: string): Promise<UserRow | undefined> {
  const buyer = tx.select({ id: paymentIntents.userId }).from(paymentIntents).where(eq(paymentIntents.id, intentId))
  const [member] = await tx.select().from(users).where(eq(users.id, buyer)).for('no key update')
  return member
}

/** Records how a payment ended and when to poll it next. Returns the payment method. */
async function settle(
  tx: Tx,
  intent: PaymentIntentRow,
  { state, paid }: { state: 'purchased' | 'refunded' | 'mismatched'; paid: PaidIntent },
  now: Temporal.Instant,
): Promise<string | null> {
  const method = methodUsed(paid)
  const nextPoll = nextPollAt(state === 'purchased' ? 'settled' : 'moving', now, now) ?? null
  await Promise.all([
    tx
      .update(paymentIntents)
      .set({
        state,
        settledAt: now,
        paidPence: paid.amount_received,
        method,
        nextPollAt: nextPoll,
        unreadSince: null,
      })
      .where(eq(paymentIntents.id, intent.id)),
    tx.enqueue('read-card-fees', {}),
  ])
  return method
}

async function returnPayment(
  tx: Tx,
  intent: PaymentIntentRow,
  returned: { member: UserRow | undefined; paid: PaidIntent; state: 'refunded' | 'mismatched' },
  now: Temporal.Instant,
): Promise<void> {
  const { member, paid, state } = returned
  const method = await settle(tx, intent, { state, paid }, now)
  if (intent.promotionCodeId) await releaseUse(tx, intent.id)
  if (isGift(intent)) await dropReservedVoucher(tx, intent.id)
  const { id: refundId } = await tx
    .insert(refunds)
    .values({
      paymentIntentId: intent.id,
      origin: 'given_back',
      amountPence: paid.amount_received,
      status: 'decided',
      createdAt: now,
    })
    .returning({ id: refunds.id })
    .then(onlyRow)
  await tx.enqueue('send-refund', { refundId })
  const because = state === 'mismatched' ? 'mismatched' : whyNotSold(member)
  const money = { amountPence: paid.amount_received, currency: paid.currency, method }
  await notifyOfReturn(tx, { member, packageName: packageNameOf(intent), ...money, because })
}

function whyNotSold(member: UserRow | undefined): 'member_gone' | 'blocked' | 'held' {
  if (!member) return 'member_gone'
  return member.blockedAt ? 'blocked' : 'held'
}

export type Sold = {
  member: UserRow
  bought: PackageRow
  terms: { amountPence: number; classCount: number; validityMonths: number }
  paid: Pick<typeof purchases.$inferInsert, 'paymentIntentId' | 'deskMethod' | 'note' | 'beginRequestedAt' | 'lines'>
  /** As the receipt names it; null to leave it out. */
  method: string | null
  soldBy: CausedBy
  /** Sold face to face, without a statutory right to cancel. */
  isOnPremises: boolean
}

/** Writes a purchase with its pass and first ledger line, and mails the receipt. The member is locked. */
export async function completePurchase(
  tx: Tx,
  sold: Sold,
  now: Temporal.Instant,
): Promise<{ purchase: PurchaseRow; pass: PassRow }> {
  const { member, bought, terms, soldBy } = sold
  const { classCount, validityMonths } = terms
  const purchase = await insertPurchase(tx, sold, { validUntil: expiryOf(now, validityMonths), now })
  const pass = await grantPass(
    tx,
    {
      userId: member.id,
      packageId: bought.id,
      credits: classCount,
      validityMonths,
      cause: { purchaseId: purchase.id, soldBy },
    },
    now,
  )
  await mailReceipt(tx, sold, purchase)
  return { purchase, pass }
}

async function insertPurchase(
  tx: Tx,
  { member, bought, terms, paid }: Sold,
  { validUntil, now }: { validUntil: Temporal.Instant; now: Temporal.Instant },
) {
  const { id: userId, firstName, lastName, email, phone } = member
  const { amountPence, classCount } = terms
  return await tx
    .insert(purchases)
    .values({
      ...paid,
      userId,
      buyer: { firstName, lastName, contact: email ?? phone ?? '' },
      packageId: bought.id,
      amountPence,
      classCount,
      validUntil,
      purchasedAt: now,
    })
    .returning()
    .then(onlyRow)
}

/** Writes the purchase of a gift voucher, and mails its receipt. The caller makes the voucher. */
export async function completeGift(tx: Tx, sold: Sold, now: Temporal.Instant): Promise<PurchaseRow> {
  const purchase = await insertPurchase(tx, sold, { validUntil: voucherExpiry(now), now })
  await mailReceipt(tx, sold, purchase)
  return purchase
}

async function mailReceipt(tx: Tx, { member, method, isOnPremises }: Sold, purchase: PurchaseRow): Promise<void> {
  const { lines } = purchase
  await queueMail(tx, 'receipt', {
    to: recipient(member),
    packageName: packageNameOf(purchase),
    classCount: purchase.classCount,
    amount: toDecimal(purchase.amountPence),
    // A single line repeats what the receipt says.
    lines: lines.length > 1 ? shownLines(purchase) : [],
    method,
    paidAt: purchase.purchasedAt.toString(),
    expiresAt: purchase.validUntil.toString(),
    purchaseId: purchase.id,
    receiptNumber: purchase.receiptNumber,
    isOnPremises,
    beginRequestedAt: purchase.beginRequestedAt?.toString() ?? null,
    isVoucher: isGift(purchase),
  })
}
