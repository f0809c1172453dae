import { and, asc, eq, gt, inArray, isNull, type SQLWrapper } from 'drizzle-orm'
import { refuse } from '#foundation/refusal.ts'
import { toPackage } from '#packages/server/packages.ts'
import { packages } from '#packages/tables.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { type Pass, passRefusals } from '../contract.ts'
import { type PassRow, passes } from '../tables.ts'

/** A member's passes, first to expire first. @param options.ofPurchases a query for the ids of purchases */
export async function passesOf(
  reader: Reader,
  userId: string,
  options: { passId?: number; ofPurchases?: SQLWrapper; activeAt?: Temporal.Instant } = {},
): Promise<Pass[]> {
  const rows = await reader
    .select({ pass: passes, package: packages })
    .from(passes)
    .innerJoin(packages, eq(packages.id, passes.packageId))
    .where(
      and(
        eq(passes.userId, userId),
        options.passId === undefined ? undefined : eq(passes.id, options.passId),
        options.ofPurchases && inArray(passes.purchaseId, options.ofPurchases),
        options.activeAt ? and(gt(passes.creditsRemaining, 0), gt(passes.expiresAt, options.activeAt)) : undefined,
      ),
    )
    .orderBy(asc(passes.expiresAt), asc(passes.id))
  return rows.map(({ pass, package: held }) => ({
    id: pass.id,
    userId: pass.userId,
    packageId: pass.packageId,
    creditsRemaining: pass.creditsRemaining,
    creditsTotal: pass.creditsTotal,
    expiresAt: pass.expiresAt.toString(),
    createdAt: pass.createdAt.toString(),
    frozenAt: pass.frozenAt?.toString() ?? null,
    isEnded: Boolean(pass.refundedAt ?? pass.voidedAt),
    paused: [...pass.paused],
    package: toPackage(held),
    classPass: toPackage(held),
  }))
}

/** One pass of a member. */
export async function passOf(reader: Reader, userId: string, passId: number): Promise<Pass> {
  const [pass] = await passesOf(reader, userId, { passId })
  return pass ?? refuse(passRefusals.pass_not_found)
}

/** Whether a member holds a pass for a package that was not refunded; used, expired and gifted ones count. */
export async function hasPassFor(reader: Reader, userId: string, packageId: number): Promise<boolean> {
  const [held] = await reader
    .select({ id: passes.id })
    .from(passes)
    .where(and(eq(passes.userId, userId), eq(passes.packageId, packageId), isNull(passes.refundedAt)))
    .limit(1)
  return held !== undefined
}

/** Locks one pass. */
export async function passForUpdate(tx: Tx, id: number): Promise<PassRow> {
  const [pass] = await tx.select().from(passes).where(eq(passes.id, id)).for('no key update')
  return pass ?? refuse(passRefusals.pass_not_found)
}
