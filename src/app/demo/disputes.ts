import { and, desc, eq, gt, isNotNull, ne } from 'drizzle-orm'
import { passes } from '#passes/tables.ts'
import { followPurchase } from '#payments/server/payments.ts'
import { purchases } from '#payments/tables.ts'
import type { Tx } from '#platform/database/database.ts'
import type { SeedContext } from './bank.ts'
import type { Joined } from './eight-weeks.ts'

/** What part of a payment comes back: a class that was not to the member's liking. */
const PART_PENCE = 2000

/**
 * Of what other members bought online last, one payment is disputed and of another a part went back at the provider: the owner
 * sees a pass on hold, and a decision to make.
 */
export async function seedDisputes(tx: Tx, { bank, now }: SeedContext, member: Joined): Promise<void> {
  const [disputed, partlyRefunded] = await tx
    .select({ intentId: purchases.paymentIntentId })
    .from(purchases)
    .innerJoin(passes, eq(passes.purchaseId, purchases.id))
    .where(
      and(
        ne(purchases.userId, member.row.id),
        isNotNull(purchases.paymentIntentId),
        gt(passes.expiresAt, now),
        gt(passes.creditsRemaining, 0),
      ),
    )
    .orderBy(desc(purchases.purchasedAt), desc(purchases.id))
    .limit(2)
  if (disputed?.intentId) {
    await bank.dispute(disputed.intentId)
    await followPurchase(tx, bank.provider, disputed.intentId, now)
  }
  if (partlyRefunded?.intentId) {
    await bank.refund(partlyRefunded.intentId, PART_PENCE)
    await followPurchase(tx, bank.provider, partlyRefunded.intentId, now)
  }
}
