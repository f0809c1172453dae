import { eq } from 'drizzle-orm'
import { endOfDay, studioDate } from '#foundation/instants.ts'
import type { Tx } from '#platform/database/database.ts'
import { creditLedger, type PassRow, passes } from '../tables.ts'
import { type CausedBy, causeColumns } from './credits.ts'

/** Keeps a (locked) pass from paying while its payment is disputed. Frozen already, it stays frozen since then. */
export async function freezePass(tx: Tx, pass: PassRow, now: Temporal.Instant): Promise<void> {
  if (pass.frozenAt) return
  await tx.update(passes).set({ frozenAt: now }).where(eq(passes.id, pass.id))
}

/** Lets a (locked) frozen pass pay again; the time it was frozen is added to its expiry, which stays the end of a day. */
export async function thawPass(tx: Tx, pass: PassRow, now: Temporal.Instant): Promise<void> {
  if (!pass.frozenAt) return
  const expiresAt = endOfDay(studioDate(pass.expiresAt.add(pass.frozenAt.until(now))))
  await tx.update(passes).set({ frozenAt: null, expiresAt }).where(eq(passes.id, pass.id))
}

/** Takes credits of a (locked) pass whose money went back. */
export async function takeCredits(
  tx: Tx,
  pass: PassRow,
  { credits, causedBy, reason, now }: { credits: number; causedBy: CausedBy; reason: string; now: Temporal.Instant },
): Promise<void> {
  if (credits === 0) return
  const line = { passId: pass.id, kind: 'refund' as const, credits: -credits, reason, at: now }
  await tx.insert(creditLedger).values({ ...line, ...causeColumns(causedBy) })
}

/** Voids a (locked) unused pass whose sale was recorded by mistake: it can be sold again, even if only once per member. */
export async function voidSoldPass(
  tx: Tx,
  pass: PassRow,
  { admin, now }: { admin: { id: string }; now: Temporal.Instant },
): Promise<void> {
  if (pass.creditsRemaining > 0) {
    await tx.insert(creditLedger).values({
      passId: pass.id,
      kind: 'correction',
      credits: -pass.creditsRemaining,
      reason: 'The sale was voided',
      ...causeColumns({ by: 'admin', id: admin.id }),
      at: now,
    })
  }
  await tx
    .update(passes)
    .set({ voidedAt: pass.voidedAt ?? now, refundedAt: now })
    .where(eq(passes.id, pass.id))
}
