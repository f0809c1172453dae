import { desc } from 'drizzle-orm'
import type { Reader } from '#platform/database/database.ts'
import { countedFrom, paged } from '#platform/database/paging.ts'
import type { RetentionRun } from '../contract.ts'
import { retentionRuns } from '../tables.ts'

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
