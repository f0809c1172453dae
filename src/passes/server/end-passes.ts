import { and, asc, eq, gt, inArray, isNull, lt } from 'drizzle-orm'
import { recordAdminChange } from '#audit/server/audit.ts'
import { packageEvenDeleted } from '#packages/server/packages.ts'
import type { Tx } from '#platform/database/database.ts'
import { creditLedger, type PassRow, passes } from '../tables.ts'
import { type CausedBy, causeColumns, writeOff } from './credits.ts'
import { passForUpdate } from './pass-queries.ts'

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

/** Voids an unused (locked) pass whose sale was a mistake, so that even a once-only package can be sold again. */
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

async function correctToZero(
  tx: Tx,
  { id: passId, creditsRemaining }: PassRow,
  { admin, reason, now }: { admin: { id: string }; reason: string; now: Temporal.Instant },
): Promise<void> {
  const line = { passId, kind: 'correction' as const, credits: -creditsRemaining, reason, at: now }
  await tx.insert(creditLedger).values({ ...line, ...causeColumns({ by: 'admin', id: admin.id }) })
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
