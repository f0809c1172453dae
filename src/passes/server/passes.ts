import { and, asc, eq, gt, inArray, isNull, lt, sql } from 'drizzle-orm'
import { recordAdminChange } from '#audit/server/audit.ts'
import { packageEvenDeleted } from '#packages/server/packages.ts'
import { onlyRow, type Reader, type Tx } from '#platform/database/database.ts'
import { expiryAfter, expiryOf, frozenDaysOf } from '../rules.ts'
import { creditLedger, type PassRow, passes } from '../tables.ts'
import { type CausedBy, causeColumns, writeOff } from './credits.ts'
import { passForUpdate } from './pass-queries.ts'

export {
  actingFor,
  type Cause,
  type CausedBy,
  copyPassesFor,
  forfeitCredits,
  holdCredit,
  ledgerOf,
  recordAttendance,
  releaseCredit,
  returnAsGoodwill,
  returnCredits,
  spendCredit,
  spendCredits,
  spendCreditsAgain,
  undoExtension,
} from './credits.ts'
export { giftedPassesForUpdate, grantPasses, membersWithOtherPasses, voidPasses } from './grant-passes.ts'
export { hasPassFor, passesOf, passForUpdate, passOf } from './pass-queries.ts'
export { pause, withPause } from './pauses.ts'

/** Gives a member a pass with credits, bought or gifted. */
export async function grantPass(
  tx: Tx,
  grant: {
    userId: string
    packageId: number
    credits: number
    validityMonths: number
    cause:
      | { purchaseId: number; soldBy: CausedBy }
      | { giftedBy: CausedBy; reason?: string }
      /** The purchase of the voucher; null once that is erased. */
      | { voucherOf: number | null }
  },
  now: Temporal.Instant,
): Promise<PassRow> {
  const { cause } = grant
  const purchaseId = 'purchaseId' in cause ? cause.purchaseId : 'voucherOf' in cause ? cause.voucherOf : null
  const causedBy = 'giftedBy' in cause ? cause.giftedBy : 'soldBy' in cause ? cause.soldBy : { by: 'member' as const }
  const pass = await tx
    .insert(passes)
    .values({
      userId: grant.userId,
      packageId: grant.packageId,
      purchaseId,
      creditsTotal: grant.credits,
      expiresAt: expiryOf(now, grant.validityMonths),
      createdAt: now,
    })
    .returning()
    .then(onlyRow)
  await Promise.all([
    tx.insert(creditLedger).values({
      passId: pass.id,
      kind: 'giftedBy' in cause ? 'gift' : 'voucherOf' in cause ? 'voucher' : 'purchase',
      credits: grant.credits,
      reason: ('giftedBy' in cause && cause.reason) || null,
      ...causeColumns(causedBy),
      at: now,
    }),
    tx.enqueue('book-for-member', { userId: grant.userId }),
  ])
  return { ...pass, creditsRemaining: grant.credits }
}

/**
 * Locks a member's passes by ascending id and returns them as they are once locked, first to expire first: the second of two
 * bookings for one credit sees it spent.
 */
export async function passesForUpdate(tx: Tx, userId: string): Promise<PassRow[]> {
  const locked = await tx
    .select()
    .from(passes)
    .where(eq(passes.userId, userId))
    .orderBy(asc(passes.id))
    .for('no key update')
    .prepare('passes_for_update')
    .execute()
  return locked.sort((a, b) => Temporal.Instant.compare(a.expiresAt, b.expiresAt) || a.id - b.id)
}

/** Locks the passes of several members by ascending id, so that transactions cannot deadlock. */
export async function lockPassesOf(tx: Tx, userIds: string[]): Promise<void> {
  await tx
    .select({ id: passes.id })
    .from(passes)
    .where(inArray(passes.userId, userIds))
    .orderBy(asc(passes.id))
    .for('no key update')
}

/** These passes, in no order, without locking them. */
export async function findPasses(reader: Reader, ids: number[]): Promise<PassRow[]> {
  return ids.length > 0 ? await reader.select().from(passes).where(inArray(passes.id, ids)) : []
}

/** Voids a pass by a correction line; from then on it takes no credit back. */
export async function voidPass(tx: Tx, passId: number, admin: { id: string }, now: Temporal.Instant): Promise<void> {
  const pass = await passForUpdate(tx, passId)
  if (!pass.voidedAt) await tx.update(passes).set({ voidedAt: now }).where(eq(passes.id, passId))
  if (pass.creditsRemaining === 0) return
  await correctToZero(tx, pass, { admin, reason: 'The pass was voided', now })
  const held = await packageEvenDeleted(tx, pass.packageId)
  const changes = { package: { before: held.name }, credits: { before: pass.creditsRemaining, after: 0 } }
  const subject = { kind: 'user' as const, id: pass.userId }
  await recordAdminChange(tx, admin, { action: 'pass_deleted', subject, changes }, now)
}

async function correctToZero(
  tx: Tx,
  { id: passId, creditsRemaining }: PassRow,
  { admin, reason, now }: { admin: { id: string }; reason: string; now: Temporal.Instant },
): Promise<void> {
  const line = { passId, kind: 'correction' as const, credits: -creditsRemaining, reason, at: now }
  await tx.insert(creditLedger).values({ ...line, ...causeColumns({ by: 'admin', id: admin.id }) })
}

/** Locks the pass of a purchase; undefined once the member is erased. */
export async function passOfPurchaseForUpdate(tx: Tx, purchaseId: number): Promise<PassRow | undefined> {
  const [pass] = await tx.select().from(passes).where(eq(passes.purchaseId, purchaseId)).for('no key update')
  return pass
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

/** Takes the remaining credits of a (locked) pass whose money was returned, and marks it as refunded. */
export async function endRefundedPass(
  tx: Tx,
  pass: PassRow,
  { causedBy, reason, now }: { causedBy: CausedBy; reason: string; now: Temporal.Instant },
): Promise<void> {
  await takeCredits(tx, pass, { credits: pass.creditsRemaining, causedBy, reason, now })
  await tx.update(passes).set({ refundedAt: now }).where(eq(passes.id, pass.id))
}

/** Writes off the credits of expired passes, except frozen ones. Returns how many passes. */
export async function expirePasses(tx: Tx, now: Temporal.Instant): Promise<number> {
  const expired = await tx
    .select({ id: passes.id, creditsRemaining: passes.creditsRemaining })
    .from(passes)
    .where(and(lt(passes.expiresAt, now), gt(passes.creditsRemaining, 0), isNull(passes.frozenAt)))
    .orderBy(asc(passes.id))
    .for('no key update')
  if (expired.length === 0) return 0
  await writeOff(tx, expired, now)
  return expired.length
}

/** Locks the passes of purchases by ascending id. */
export async function lockPassesOfPurchases(tx: Tx, purchaseIds: number[]): Promise<void> {
  const bought = inArray(passes.purchaseId, purchaseIds)
  await tx.select({ id: passes.id }).from(passes).where(bought).orderBy(asc(passes.id)).for('no key update')
}

/** Detaches (locked) passes from purchases that are erased. */
export async function detachPurchases(tx: Tx, purchaseIds: number[]): Promise<void> {
  await tx.update(passes).set({ purchaseId: null }).where(inArray(passes.purchaseId, purchaseIds))
}

/** Erases members' passes with ledgers and bookings. */
export async function erasePasses(tx: Tx, userIds: string[]): Promise<void> {
  await tx.delete(passes).where(inArray(passes.userId, userIds))
}

/** Keeps a (locked) pass from paying while its payment is disputed. */
export async function freezePass(tx: Tx, pass: PassRow, now: Temporal.Instant): Promise<void> {
  if (pass.frozenAt) return
  await tx.update(passes).set({ frozenAt: now }).where(eq(passes.id, pass.id))
}

/**
 * Lets a frozen (locked) pass pay again. Its expiry is extended by the frozen time, to the end of a day; days on which it was
 * paused too have been added already.
 */
export async function thawPass(tx: Tx, pass: PassRow, now: Temporal.Instant): Promise<void> {
  if (!pass.frozenAt) return
  const frozenDays = [...pass.frozenDays, ...frozenDaysOf(pass, pass.frozenAt, now)]
  const expiresAt = expiryAfter(pass, { frozenDays })
  await tx.update(passes).set({ frozenAt: null, frozenDays, expiresAt }).where(eq(passes.id, pass.id))
}

/** Takes credits from a (locked) pass whose money was returned. */
export async function takeCredits(
  tx: Tx,
  pass: PassRow,
  { credits, causedBy, reason, now }: { credits: number; causedBy: CausedBy; reason: string; now: Temporal.Instant },
): Promise<void> {
  if (credits === 0) return
  const line = { passId: pass.id, kind: 'refund' as const, credits: -credits, reason, at: now }
  await tx.insert(creditLedger).values({ ...line, ...causeColumns(causedBy) })
}

/** Voids an unused (locked) pass whose sale was recorded by mistake, so that even a once-only package can be sold again. */
export async function voidSoldPass(
  tx: Tx,
  pass: PassRow,
  { admin, now }: { admin: { id: string }; now: Temporal.Instant },
): Promise<void> {
  if (pass.creditsRemaining > 0) await correctToZero(tx, pass, { admin, reason: 'The sale was voided', now })
  await tx
    .update(passes)
    .set({ voidedAt: pass.voidedAt ?? now, refundedAt: now })
    .where(eq(passes.id, pass.id))
}
