import { sql } from 'drizzle-orm'
import type { Reader } from '../database/database.ts'
import type { QueueName } from './queues.ts'

/** What waits in a queue: how many jobs, and for how many seconds the oldest has. */
export type QueueDepth = { queue: string; jobs: number; oldestSeconds: number }

/** The depth of every queue in which something waits, be it for its turn or for another try. */
export async function queueDepths(reader: Reader): Promise<QueueDepth[]> {
  const { rows } = await reader.execute<QueueDepth>(sql`
    select name as queue, count(*)::int as jobs, extract(epoch from now() - min(created_on))::float as "oldestSeconds"
    from pgboss.job where state < 'active' group by name`)
  return rows
}

/** How many jobs of a queue have failed and wait for another try, and how many were given up. */
export async function failedJobs(reader: Reader, queue: QueueName): Promise<{ retrying: number; givenUp: number }> {
  const { rows } = await reader.execute<{ state: string; jobs: number }>(sql`
    select state, count(*)::int as jobs from pgboss.job
    where name = ${queue} and state in ('retry', 'failed') group by state`)
  const jobsIn = (state: string) => rows.find((row) => row.state === state)?.jobs ?? 0
  return { retrying: jobsIn('retry'), givenUp: jobsIn('failed') }
}
