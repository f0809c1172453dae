import { and, desc, eq, ilike, or, sql } from 'drizzle-orm'
import { users } from '../../accounts/tables.ts'
import { toPounds } from '../../foundation/money.ts'
import { packages } from '../../packages/tables.ts'
import { passes } from '../../passes/tables.ts'
import { countedFrom } from '../../server/database/counted-from.ts'
import type { Reader } from '../../server/database/database.ts'
import { likePattern } from '../../server/database/like-pattern.ts'
import type { Purchase } from '../contract.ts'
import { refundOf } from '../rules.ts'
import { purchases } from '../tables.ts'

type Wish = { id?: number; search?: string; limit?: number; offset?: number }

function matches({ id, search }: Wish) {
  const pattern = search ? likePattern(search) : undefined
  const name = sql`${users.firstName} || ' ' || ${users.lastName}`
  return and(
    id === undefined ? undefined : eq(purchases.id, id),
    pattern ? or(ilike(name, pattern), ilike(users.email, pattern), ilike(packages.name, pattern)) : undefined,
  )
}

/** What was sold, the newest first, each with what a refund would be now; `search` looks into members and packages. */
export async function allPurchases(reader: Reader, wish: Wish, now: Temporal.Instant): Promise<Purchase[]> {
  const page = reader
    .select({
      purchase: purchases,
      pass: passes,
      package: { id: packages.id, name: packages.name },
      user: { id: users.id, firstName: users.firstName, lastName: users.lastName },
    })
    .from(purchases)
    .innerJoin(packages, eq(packages.id, purchases.packageId))
    .leftJoin(users, eq(users.id, purchases.userId))
    .leftJoin(passes, eq(passes.purchaseId, purchases.id))
    .where(matches(wish))
    .orderBy(desc(purchases.purchasedAt), desc(purchases.id))
    .$dynamic()
  if (wish.limit !== undefined) page.limit(wish.limit)
  if (wish.offset !== undefined) page.offset(wish.offset)
  return (await page).map(({ purchase, pass, package: sold, user }) => {
    const means = refundOf(purchase, pass ?? undefined, now)
    return {
      id: purchase.id,
      user,
      package: sold,
      amount: toPounds(purchase.amountPence),
      purchasedAt: purchase.purchasedAt.toString(),
      refundedAt: purchase.refundedAt?.toString() ?? null,
      refundedAmount: purchase.refundedPence === null ? null : toPounds(purchase.refundedPence),
      refundSentAt: purchase.refundSentAt?.toString() ?? null,
      refund:
        'refusal' in means
          ? { amount: null, fee: null, reason: means.refusal.message }
          : { amount: toPounds(means.pence), fee: toPounds(purchase.amountPence - means.pence), reason: null },
    }
  })
}

/** How many purchases a search finds, counted no further than {@link countedFrom} says. */
export async function countPurchases(reader: Reader, wish: Wish) {
  const found = reader
    .select({ id: purchases.id })
    .from(purchases)
    .innerJoin(packages, eq(packages.id, purchases.packageId))
    .leftJoin(users, eq(users.id, purchases.userId))
    .where(matches(wish))
  return await countedFrom(reader, found, wish.offset)
}
