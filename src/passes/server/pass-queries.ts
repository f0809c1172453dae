import { and, asc, eq, gt, inArray, isNull, ne, or, type SQLWrapper, sql } from 'drizzle-orm'
import { refuse } from '#foundation/refusal.ts'
import { toPackage } from '#packages/server/packages.ts'
import { packages } from '#packages/tables.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { passRefusals } from '../contract.ts'
import { creditLedger, type PassRow, passes } from '../tables.ts'

/** A member's passes, first to expire first. @param options.ofPurchases a query for the ids of purchases */
export async function passesOf(
  reader: Reader,
  userId: string,
  options: { passId?: number; ofPurchases?: SQLWrapper; activeAt?: Temporal.Instant } = {},
) {
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
    ...pass,
    isEnded: Boolean(pass.refundedAt ?? pass.voidedAt),
    paused: [...pass.paused],
    package: toPackage(held),
    classPass: toPackage(held),
  }))
}

/** One pass of a member. */
export async function passOf(reader: Reader, userId: string, passId: number) {
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

/** These passes, in no order, without locking them. */
export async function findPasses(reader: Reader, ids: number[]): Promise<PassRow[]> {
  return ids.length > 0 ? await reader.select().from(passes).where(inArray(passes.id, ids)) : []
}

/** The sum of each pass's correction lines; passes without any are left out. */
export async function correctionsOf(reader: Reader, passIds: number[]): Promise<Map<number, number>> {
  if (passIds.length === 0) return new Map()
  const sums = await reader
    .select({ passId: creditLedger.passId, credits: sql<number>`sum(${creditLedger.credits})::int` })
    .from(creditLedger)
    .where(and(inArray(creditLedger.passId, passIds), eq(creditLedger.kind, 'correction')))
    .groupBy(creditLedger.passId)
  return new Map(sums.map(({ passId, credits }) => [passId, credits]))
}

/** Locks one pass. */
export async function passForUpdate(tx: Tx, id: number): Promise<PassRow> {
  const [pass] = await tx.select().from(passes).where(eq(passes.id, id)).for('no key update')
  return pass ?? refuse(passRefusals.pass_not_found)
}

/** Locks the pass of a purchase; undefined once the member is erased. */
export async function passOfPurchaseForUpdate(tx: Tx, purchaseId: number): Promise<PassRow | undefined> {
  const [pass] = await tx.select().from(passes).where(eq(passes.purchaseId, purchaseId)).for('no key update')
  return pass
}

/**
 * Locks members' passes by ascending id and returns them as they are once locked, first to expire first: the second of
 * two bookings for one credit sees it spent.
 */
export async function passesForUpdate(tx: Tx, ...userIds: string[]): Promise<PassRow[]> {
  const locked = await tx
    .select()
    .from(passes)
    .where(sql`${passes.userId} = any(${sql.param(userIds)}::text[])`)
    .orderBy(asc(passes.id))
    .for('no key update')
    .prepare('passes_for_update')
    .execute()
  return inOrderOfExpiry(locked)
}

/** The same passes, not locked. */
export async function passesOfMembers(reader: Reader, userIds: readonly string[]): Promise<PassRow[]> {
  return inOrderOfExpiry(
    await reader
      .select()
      .from(passes)
      .where(inArray(passes.userId, [...userIds])),
  )
}

const inOrderOfExpiry = (rows: PassRow[]) =>
  rows.sort((a, b) => Temporal.Instant.compare(a.expiresAt, b.expiresAt) || a.id - b.id)

/**
 * How many credits of each pass may be spent without a press: as many as it has now and had at each of these moments,
 * less what was spent without one since, and none if it was extended, resumed or thawed since the first.
 */
export async function freeCreditsOf(
  reader: Reader,
  held: readonly Pick<PassRow, 'id' | 'creditsRemaining' | 'usableSince'>[],
  moments: readonly [Temporal.Instant, Temporal.Instant],
): Promise<Map<number, number>> {
  if (held.length === 0) return new Map()
  const [first, second] = moments.map(String)
  const since = (moment: string | undefined) =>
    sql<number>`coalesce(sum(${creditLedger.credits}) filter (where ${creditLedger.at} > ${moment}::timestamptz), 0)::int`
  const rows = await reader
    .select({ passId: creditLedger.passId, first: since(first), second: since(second) })
    .from(creditLedger)
    .where(
      and(
        inArray(
          creditLedger.passId,
          held.map(({ id }) => id),
        ),
        gt(creditLedger.at, moments[0]),
        // What was spent without a press leaves new credits as they are.
        or(ne(creditLedger.kind, 'booking'), ne(creditLedger.causedBy, 'system')),
      ),
    )
    .groupBy(creditLedger.passId)
  const moved = new Map(rows.map(({ passId, ...since }) => [passId, since]))
  return new Map(
    held.map(({ id, creditsRemaining, usableSince }) => {
      if (usableSince && Temporal.Instant.compare(usableSince, moments[0]) > 0) return [id, 0]
      const { first = 0, second = 0 } = moved.get(id) ?? {}
      return [id, creditsRemaining - Math.max(0, first, second)]
    }),
  )
}

/** Locks the passes of several members by ascending id, so that transactions cannot deadlock. */
export async function lockPassesOf(tx: Tx, userIds: string[]): Promise<void> {
  await passesForUpdate(tx, ...userIds)
}
