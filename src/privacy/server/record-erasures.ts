import { asc } from 'drizzle-orm'
import type { Reader, Tx } from '#platform/database/database.ts'
import { erasures } from '../tables.ts'

/**
 * Writes down, by their ids and nothing else, who was erased; what keeps the journal beside the backups hears of it. Ids
 * that stand there already keep their date.
 */
export async function recordErasures(tx: Tx, ids: readonly string[], now: Temporal.Instant): Promise<void> {
  if (ids.length === 0) return
  await tx
    .insert(erasures)
    .values(ids.map((userId) => ({ userId, erasedAt: now })))
    .onConflictDoNothing()
  await tx.enqueue('write-erasures', {})
}

/** The ids of everybody who was erased, in the order of erasing. */
export async function erasedIds(reader: Reader): Promise<string[]> {
  const rows = await reader
    .select({ id: erasures.userId })
    .from(erasures)
    .orderBy(asc(erasures.erasedAt), asc(erasures.userId))
  return rows.map(({ id }) => id)
}
