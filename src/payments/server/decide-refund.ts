import { eq } from 'drizzle-orm'
import { recordAdminChange } from '#audit/server/audit.ts'
import { toDecimal } from '#foundation/money.ts'
import { refuse } from '#foundation/refusal.ts'
import { packageOnRecord } from '#packages/server/packages.ts'
import { passOfPurchaseForUpdate, takeCredits } from '#passes/server/passes.ts'
import type { Tx } from '#platform/database/database.ts'
import { paymentRefusals } from '../contract.ts'
import { decisionOf } from '../rules.ts'
import { type RefundRow, refunds } from '../tables.ts'
import { refundsOf } from './queries.ts'
import { purchaseForUpdate } from './refund-purchase.ts'

/**
 * The owner says what follows from a refund: how many credits go with a part that was refunded at the provider, or that
 * one that failed has been dealt with. Once.
 *
 * @returns the purchase's id
 */
export async function decideRefund(
  tx: Tx,
  admin: { id: string },
  refundId: number,
  { credits }: { credits?: number | null },
  now: Temporal.Instant,
): Promise<number> {
  const purchaseId = (await findRefund(tx, refundId))?.purchaseId ?? refuse(paymentRefusals.refund_not_found)
  const pass = await passOfPurchaseForUpdate(tx, purchaseId)
  const { intent, purchase } = await purchaseForUpdate(tx, purchaseId)
  // What was given back at the desk leaves no question.
  if (!intent) refuse(paymentRefusals.refund_already_decided)
  const all = await refundsOf(tx, intent.id)
  const refund = all.find(({ id }) => id === refundId) ?? refuse(paymentRefusals.refund_not_found)
  const decision = decisionOf(refund, { all, isPassLeft: pass !== undefined && !pass.refundedAt })
  if (!decision) refuse(paymentRefusals.refund_already_decided)

  const taken = decision === 'credits' ? (credits ?? 0) : 0
  if (taken > (pass?.creditsRemaining ?? 0)) refuse(paymentRefusals.insufficient_credits)
  const cause = { causedBy: { by: 'admin' as const, id: admin.id }, reason: 'Part of the purchase was refunded' }
  if (pass) await takeCredits(tx, pass, { credits: taken, ...cause, now })
  const creditsTaken = decision === 'credits' ? taken : refund.creditsTaken
  await tx.update(refunds).set({ answeredAt: now, creditsTaken }).where(eq(refunds.id, refundId))
  const changes = {
    package: { after: (await packageOnRecord(tx, purchase.packageId)).name },
    refunded: { after: toDecimal(refund.amountPence) },
    credits: { after: -taken },
  }
  const subject = { kind: 'purchase' as const, id: purchaseId }
  await recordAdminChange(tx, admin, { action: 'refund_decided', subject, changes }, now)
  return purchaseId
}

async function findRefund(tx: Tx, id: number): Promise<RefundRow | undefined> {
  const [row] = await tx.select().from(refunds).where(eq(refunds.id, id))
  return row
}
