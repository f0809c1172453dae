import { desc, isNull, sql } from 'drizzle-orm'
import type { Reader, Tx } from '#platform/database/database.ts'
import { countFrom, limitToPage } from '#platform/database/paging.ts'
import { isConfirmed, reasonToHold } from '../rules.ts'
import { retentionHold, retentionRuns } from '../tables.ts'
import { countDue } from './due-members.ts'

/**
 * Whether the retention job must wait for the owner because a clock may be wrong. Saves the reason for Needs attention.
 *
 * @param now by the clock that decides what is due
 * @param processNow by the system clock
 */
export async function isRunHeld(tx: Tx, now: Temporal.Instant, processNow: Temporal.Instant): Promise<boolean> {
  const databaseAt = await databaseNow(tx)
  const { due, members } = await countDue(tx, now)
  const lastRunAt = await lastRun(tx)
  const reason = reasonToHold({ now, processNow, databaseNow: databaseAt, lastRunAt, due, members })
  if (!reason) {
    await endHold(tx)
    return false
  }
  const [hold] = await tx.select({ confirmedAt: retentionHold.confirmedAt }).from(retentionHold).for('update')
  if (hold?.confirmedAt && isConfirmed(hold.confirmedAt, now)) return false
  const found = { reason, triedAt: now, databaseAt, lastRunAt, due, members, confirmedAt: null }
  await tx
    .insert(retentionHold)
    .values({ ...found, heldAt: now })
    .onConflictDoUpdate({ target: retentionHold.oneRow, set: found })
  return true
}

export async function endHold(tx: Tx): Promise<void> {
  await tx.delete(retentionHold)
}

/** The run that waits for the owner, if any. */
export async function heldRetention(reader: Reader): Promise<typeof retentionHold.$inferSelect | undefined> {
  const [hold] = await reader.select().from(retentionHold).where(isNull(retentionHold.confirmedAt))
  return hold
}

/** The owner confirms that the date is right; the job runs now. */
export async function confirmRetention(tx: Tx, now: Temporal.Instant): Promise<void> {
  await tx.update(retentionHold).set({ confirmedAt: now }).where(isNull(retentionHold.confirmedAt))
  await tx.enqueue('apply-retention', {})
}

async function databaseNow(reader: Reader): Promise<Temporal.Instant> {
  const { rows } = await reader.execute<{ at: string }>(sql`select clock_timestamp()::text as at`)
  return Temporal.Instant.from(String(rows[0]?.at))
}

/** The run that was saved last, whatever its clock. */
async function lastRun(reader: Reader): Promise<Temporal.Instant | null> {
  const [run] = await reader
    .select({ at: retentionRuns.ranAt })
    .from(retentionRuns)
    .orderBy(desc(retentionRuns.id))
    .limit(1)
  return run?.at ?? null
}

/** Runs of the retention job, newest first. */
export async function retentionRunsOf(reader: Reader, page: { limit?: number; offset?: number }) {
  const found = reader
    .select()
    .from(retentionRuns)
    .orderBy(desc(retentionRuns.ranAt), desc(retentionRuns.id))
    .$dynamic()
  limitToPage(found, page)
  return await found
}

export async function countRetentionRuns(reader: Reader, page: { offset?: number }) {
  return await countFrom(reader, reader.select({ id: retentionRuns.id }).from(retentionRuns).$dynamic(), page.offset)
}
