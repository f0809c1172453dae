import { sql } from 'drizzle-orm'
import type { Tx } from './database.ts'

/** For the rest of the transaction the records' own triggers let go of lines as old as `until`, and of no others. */
export async function allowErasingRecords(tx: Tx, until: Temporal.Instant): Promise<void> {
  await tx.execute(sql`select set_config('studio.records_end', ${until.toString()}, true)`)
}
