import { and, eq, isNull } from 'drizzle-orm'
import { recipient } from '../../accounts/server/accounts.ts'
import { users } from '../../accounts/tables.ts'
import { recordAdminChange } from '../../audit/server/audit.ts'
import { toPounds } from '../../foundation/money.ts'
import { refuse } from '../../foundation/refusal.ts'
import { queueMail } from '../../messages/server/messages.ts'
import { packageOnRecord } from '../../packages/server/packages.ts'
import { passOfPurchaseForUpdate, takeBackPass } from '../../passes/server/passes.ts'
import type { Database, Tx } from '../../server/database/database.ts'
import { paymentRefusals } from '../contract.ts'
import { refundOf } from '../rules.ts'
import { type PurchaseRow, purchases } from '../tables.ts'
import type { Provider } from './provider.ts'

/**
 * Decides a refund: the pass is taken back by a ledger line, the purchase marked, the member told, and the money on
 * its way by a job. The pass is locked, so of two refunds at once one is decided, and a booking comes before or after.
 */
export async function refundPurchase(tx: Tx, admin: { id: string }, id: number, now: Temporal.Instant): Promise<void> {
  const pass = await passOfPurchaseForUpdate(tx, id)
  const purchase = (await purchaseForUpdate(tx, id)) ?? refuse(paymentRefusals.purchase_not_found)
  const means = refundOf(purchase, pass, now)
  if ('refusal' in means) refuse(means.refusal)
  if (!pass) refuse(paymentRefusals.refund_without_pass)

  const causedBy = { by: 'admin' as const, id: admin.id }
  await takeBackPass(tx, pass, { causedBy, reason: 'The purchase was refunded', now })
  await tx.update(purchases).set({ refundedAt: now, refundedPence: means.pence }).where(eq(purchases.id, id))
  await tx.enqueue('send-refund', { purchaseId: id })
  const bought = await packageOnRecord(tx, purchase.packageId)
  const [member] = await tx.select().from(users).where(eq(users.id, pass.userId))
  const amount = toPounds(means.pence)
  if (member) {
    const paid = toPounds(purchase.amountPence)
    await queueMail(tx, 'purchase-refunded', { to: recipient(member), packageName: bought.name, paid, amount })
  }
  const subject = { kind: 'purchase' as const, id }
  const changes = { package: { after: bought.name }, refunded: { after: amount } }
  await recordAdminChange(tx, admin, { action: 'refunded', subject, changes }, now)
}

/**
 * Sends a refund that was decided. May run twice and after any crash: the provider is asked first whether it has this
 * refund already.
 */
export async function sendRefund(
  database: Database,
  provider: Provider,
  purchaseId: number,
  now: Temporal.Instant,
): Promise<void> {
  const [purchase] = await database.db.select().from(purchases).where(eq(purchases.id, purchaseId))
  if (!purchase?.refundedPence || purchase.refundSentAt) return
  await provider.refund({
    intentId: purchase.paymentIntentId,
    purchaseId,
    amount: purchase.refundedPence,
  })
  await database.transaction((tx) =>
    tx
      .update(purchases)
      .set({ refundSentAt: now })
      .where(and(eq(purchases.id, purchaseId), isNull(purchases.refundSentAt))),
  )
}

async function purchaseForUpdate(tx: Tx, id: number): Promise<PurchaseRow | undefined> {
  const [row] = await tx.select().from(purchases).where(eq(purchases.id, id)).for('update')
  return row
}
