import { eq } from 'drizzle-orm'
import type { Tx } from '#platform/database/database.ts'
import { expiryAfter, frozenDaysOf } from '../rules.ts'
import { type PassRow, passes } from '../tables.ts'

/** Keeps a (locked) pass from paying while its payment is disputed. */
export async function freezePass(tx: Tx, pass: PassRow, now: Temporal.Instant): Promise<void> {
  if (pass.frozenAt) return
  await tx.update(passes).set({ frozenAt: now }).where(eq(passes.id, pass.id))
}

/** Lets a frozen (locked) pass pay again, extended by the frozen days that were not paused, to the end of a day. */
export async function thawPass(tx: Tx, pass: PassRow, now: Temporal.Instant): Promise<void> {
  if (!pass.frozenAt) return
  const frozenDays = [...pass.frozenDays, ...frozenDaysOf(pass, pass.frozenAt, now)]
  const expiresAt = expiryAfter(pass, { frozenDays })
  await tx.update(passes).set({ frozenAt: null, frozenDays, expiresAt, usableSince: now }).where(eq(passes.id, pass.id))
}
