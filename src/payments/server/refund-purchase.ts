import { recordAdminChange } from '#audit/server/audit.ts'
import { toPence } from '#foundation/amounts.ts'
import { type Pence, toDecimal } from '#foundation/money.ts'
import { refuse } from '#foundation/refusal.ts'
import { takeCredits } from '#passes/server/passes.ts'
import type { PassRow } from '#passes/tables.ts'
import type { Tx } from '#platform/database/database.ts'
import { onlyRow } from '#platform/database/only-row.ts'
import { DESK_METHODS, paymentRefusals } from '../contract.ts'
import { type Refundable, refundOf, refusalBeside } from '../rules.ts'
import { type PaymentIntentRow, type PurchaseRow, refunds } from '../tables.ts'
import { endPass, lockPassToEnd } from './end-pass.ts'
import { buyerOf, notifyOfRefund } from './notices.ts'
import { disputesOf, findPurchase, intentForUpdate, purchaseRowForUpdate } from './queries.ts'

type Admin = { id: string }

/** A refund beside the rule: how much (pounds), why, and how many credits go with it. Without an amount: by the rule. */
export type RefundOrder = { amount?: string | number | null; reason?: string | null; credits?: number | null }

type RefundTerms = { origin: 'rule' | 'owner'; pence: Pence; reason: string | null; credits: number }

/**
 * Decides a refund: credits are taken by a ledger line, the member told, and the money on its way by a job; of a sale at
 * the desk it has been given back there. All that was paid takes the whole pass and cancels its bookings. Pass and payment are locked, so of two refunds at once one is
 * decided first, and a booking or a dispute comes before or after.
 */
export async function refundPurchase(
  tx: Tx,
  admin: Admin,
  id: number,
  order: RefundOrder,
  now: Temporal.Instant,
): Promise<void> {
  const pass = await lockPassToEnd(tx, id, now)
  const { intent, purchase } = await purchaseForUpdate(tx, id)
  const isDisputed = intent !== undefined && (await disputesOf(tx, intent.id)).some(({ status }) => status === 'open')
  const terms = termsOf(order, { ...purchase, isDisputed }, pass, now)
  const buyer = await buyerOf(tx, purchase)
  const isWhole = terms.origin === 'rule' || purchase.refundedPence + terms.pence === purchase.amountPence

  await decide(tx, purchase, { ...terms, credits: isWhole ? (pass?.creditsRemaining ?? 0) : terms.credits }, now)
  const causedBy = { by: 'admin' as const, id: admin.id }
  if (isWhole) await endPass(tx, id, { causedBy, reason: 'The purchase was refunded', now })
  else if (pass) {
    const reason = 'Part of the purchase was refunded'
    await takeCredits(tx, pass, { credits: terms.credits, causedBy, reason, now })
  }
  const feePence = terms.origin === 'rule' ? purchase.amountPence - terms.pence : 0
  const ended = isWhole || !pass || pass.refundedAt !== null
  const left = terms.credits > 0 ? 'fewer_credits' : 'kept'
  const paid = paidWith(purchase, intent)
  await notifyOfRefund(tx, buyer, paid, { amountPence: terms.pence, feePence, pass: ended ? 'ended' : left })
  await keepOnRecord(tx, admin, { id, packageName: buyer.bought.name, terms }, now)
}

function termsOf(
  { amount, reason, credits }: RefundOrder,
  purchase: Refundable,
  pass: PassRow | undefined,
  now: Temporal.Instant,
): RefundTerms {
  if (amount == null) {
    const terms = refundOf(purchase, pass, now)
    if ('refusal' in terms) refuse(terms.refusal)
    return { origin: 'rule', pence: terms.pence, reason: null, credits: 0 }
  }
  const pence = toPence(amount)
  const refusal = refusalBeside(purchase, pence)
  if (refusal) refuse(refusal)
  const wanted = credits ?? 0
  if (wanted > (pass?.creditsRemaining ?? 0)) refuse(paymentRefusals.insufficient_credits)
  return { origin: 'owner', pence, reason: reason ?? null, credits: wanted }
}

function paidWith({ amountPence, deskMethod }: PurchaseRow, intent: PaymentIntentRow | undefined) {
  if (deskMethod) return { pence: amountPence, method: DESK_METHODS[deskMethod], deskMethod }
  return { pence: intent?.paidPence ?? amountPence, method: intent?.method ?? null }
}

async function decide(tx: Tx, purchase: PurchaseRow, terms: RefundTerms, now: Temporal.Instant): Promise<void> {
  const isDone = purchase.deskMethod !== null
  const refund = await tx
    .insert(refunds)
    .values({
      paymentIntentId: purchase.paymentIntentId,
      purchaseId: purchase.id,
      origin: terms.origin,
      amountPence: terms.pence,
      ...(isDone ? { status: 'succeeded', sentAt: now, settledAt: now } : { status: 'decided' }),
      reason: terms.reason,
      creditsTaken: terms.credits,
      createdAt: now,
    })
    .returning({ id: refunds.id })
    .then(onlyRow)
  if (!isDone) await tx.enqueue('send-refund', { refundId: refund.id })
}

async function keepOnRecord(
  tx: Tx,
  admin: Admin,
  { id, packageName, terms }: { id: number; packageName: string; terms: RefundTerms },
  now: Temporal.Instant,
): Promise<void> {
  const changes = {
    package: { after: packageName },
    refunded: { after: toDecimal(terms.pence) },
    ...(terms.reason === null ? {} : { reason: { after: terms.reason } }),
    ...(terms.credits === 0 ? {} : { credits: { after: -terms.credits } }),
  }
  await recordAdminChange(tx, admin, { action: 'refunded', subject: { kind: 'purchase', id }, changes }, now)
}

/** Locks a purchase's payment (a sale at the desk has none: the purchase itself), and reads the purchase as it is then. */
export async function purchaseForUpdate(
  tx: Tx,
  id: number,
): Promise<{ intent: PaymentIntentRow | undefined; purchase: PurchaseRow }> {
  const found = (await findPurchase(tx, id)) ?? refuse(paymentRefusals.purchase_not_found)
  const intent = found.paymentIntentId === null ? undefined : await intentForUpdate(tx, found.paymentIntentId)
  const purchase = await (intent ? findPurchase(tx, id) : purchaseRowForUpdate(tx, id))
  return { intent, purchase: purchase ?? refuse(paymentRefusals.purchase_not_found) }
}
