import { desc, isNull, sql } from 'drizzle-orm'
import type { Reader, Tx } from '#platform/database/database.ts'
import { countedFrom, paged } from '#platform/database/paging.ts'
import type { RetentionRun } from '../contract.ts'
import { cutoffsAt, isConfirmed, reasonToHold } from '../rules.ts'
import { retentionHold, retentionRuns } from '../tables.ts'
import { countDue } from './who-is-due.ts'

/**
 * Whether a run of the retention job must wait for the owner because a clock may be wrong. The reason is kept for Needs
 * attention; a confirmation covers the runs of the next day.
 *
 * @param now by the clock that decides what is over
 * @param processNow by the clock of this machine
 */
export async function isRunHeld(tx: Tx, now: Temporal.Instant, processNow: Temporal.Instant): Promise<boolean> {
  const databaseAt = await databaseNow(tx)
  const { due, members } = await countDue(tx, cutoffsAt(now), now)
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

/** Nothing is held any more: a run found no reason, or did what was confirmed. */
export async function endHold(tx: Tx): Promise<void> {
  await tx.delete(retentionHold)
}

/** The run that waits for the owner; undefined where none does. */
export async function heldRetention(reader: Reader): Promise<typeof retentionHold.$inferSelect | undefined> {
  const [hold] = await reader.select().from(retentionHold).where(isNull(retentionHold.confirmedAt))
  return hold
}

/** The owner says that the date is right: the job runs now. */
export async function confirmRetention(tx: Tx, now: Temporal.Instant): Promise<void> {
  await tx.update(retentionHold).set({ confirmedAt: now }).where(isNull(retentionHold.confirmedAt))
  await tx.enqueue('apply-retention', {})
}

async function databaseNow(reader: Reader): Promise<Temporal.Instant> {
  const { rows } = await reader.execute<{ at: string }>(sql`select clock_timestamp()::text as at`)
  return Temporal.Instant.from(String(rows[0]?.at))
}

/** The newest run is the one written last, whatever its clock said. */
async function lastRun(reader: Reader): Promise<Temporal.Instant | null> {
  const [run] = await reader
    .select({ at: retentionRuns.ranAt })
    .from(retentionRuns)
    .orderBy(desc(retentionRuns.id))
    .limit(1)
  return run?.at ?? null
}

/** What the runs of the retention job erased, the newest leading. */
export async function retentionRunsOf(
  reader: Reader,
  page: { limit?: number; offset?: number },
): Promise<RetentionRun[]> {
  const found = reader
    .select()
    .from(retentionRuns)
    .orderBy(desc(retentionRuns.ranAt), desc(retentionRuns.id))
    .$dynamic()
  paged(found, page)
  return (await found).map((run) => ({ ...run, ranAt: run.ranAt.toString() }))
}

/** How many runs there were. */
export async function countRetentionRuns(reader: Reader, page: { offset?: number }) {
  return await countedFrom(reader, reader.select({ id: retentionRuns.id }).from(retentionRuns).$dynamic(), page.offset)
}
