import { recipient } from '#accounts/server/accounts.ts'
import type { UserRow } from '#accounts/tables.ts'
import { toDecimal } from '#foundation/money.ts'
import { queueMail } from '#messages/server/messages.ts'
import type { PackageRow } from '#packages/tables.ts'
import { type CausedBy, grantPass } from '#passes/server/passes.ts'
import type { PassRow } from '#passes/tables.ts'
import type { Tx } from '#platform/database/database.ts'
import { onlyRow } from '#platform/database/only-row.ts'
import { type PurchaseRow, purchases } from '../tables.ts'

/** What was sold to whom, at which terms, and how it was paid. */
export type Sold = {
  member: UserRow
  bought: PackageRow
  terms: { amountPence: number; classCount: number; validityMonths: number }
  paid: Pick<typeof purchases.$inferInsert, 'paymentIntentId' | 'deskMethod' | 'note' | 'beginRequestedAt'>
  /** What the receipt says it was paid with; null where it says nothing. */
  method: string | null
  soldBy: CausedBy
  /** Sold face to face, where the law knows no right to cancel. */
  isOnPremises: boolean
}

/** Writes a purchase with its pass and first ledger line, and mails the receipt. The member is locked. */
export async function completePurchase(
  tx: Tx,
  { member, bought, terms, paid, method, soldBy, isOnPremises }: Sold,
  now: Temporal.Instant,
): Promise<{ purchase: PurchaseRow; pass: PassRow }> {
  const { amountPence, classCount, validityMonths } = terms
  const purchase = await tx
    .insert(purchases)
    .values({ ...paid, userId: member.id, packageId: bought.id, amountPence, purchasedAt: now })
    .returning()
    .then(onlyRow)
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
  await queueMail(tx, 'receipt', {
    to: recipient(member),
    packageName: bought.name,
    classCount,
    amount: toDecimal(amountPence),
    method,
    paidAt: now.toString(),
    expiresAt: pass.expiresAt.toString(),
    purchaseId: purchase.id,
    receiptNumber: purchase.receiptNumber,
    isOnPremises,
    beginRequestedAt: purchase.beginRequestedAt?.toString() ?? null,
  })
  return { purchase, pass }
}
