import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Reader, Tx } from '../database/database.ts'
import type { QueueName } from './queues.ts'

const State = z.object({
  queue: z.string().transform((name) => name as QueueName),
  waiting: z.coerce.number(),
  oldestSeconds: z.coerce.number().nullable(),
  longestWaitSeconds: z.coerce.number().nullable(),
  failed: z.coerce.number(),
  reason: z.string().nullable(),
})
/**
 * How a queue stands: jobs that wait or are under way, the age of the oldest, how long one has waited at most without
 * being done (one that is under way for the first time does not wait), jobs that were given up since the last one went
 * well, and what the last failure said.
 */
export type QueueState = z.output<typeof State>

/** How every queue stands that has jobs waiting or given up. Ages by the database's clock, which pg-boss keeps. */
export async function queueStates(reader: Reader): Promise<QueueState[]> {
  const states = sql`
    with good as (select name, max(completed_on) as at from pgboss.job where state = 'completed' group by name),
    open as (
      select job.*, state = 'failed' as is_given_up from pgboss.job job left join good using (name)
      where state in ('created', 'retry', 'active') or (state = 'failed' and completed_on > coalesce(good.at, '-infinity'))
    )
    select name as queue,
      count(*) filter (where not is_given_up) as waiting,
      extract(epoch from now() - min(created_on) filter (where not is_given_up)) as "oldestSeconds",
      extract(epoch from now() - min(created_on) filter (
        where not is_given_up and (state <> 'active' or retry_count > 0))) as "longestWaitSeconds",
      count(*) filter (where is_given_up) as failed,
      (array_agg(output ->> 'message' order by started_on desc) filter (where output ->> 'message' is not null))[1] as reason
    from open group by name order by name`
  return z.array(State).parse(await reader.execute(states, 'objects'))
}

/** How many jobs of a queue have failed and wait for another try. */
export async function jobsToRetry(reader: Reader, queue: QueueName): Promise<number> {
  const failed = sql`select count(*)::int as jobs from pgboss.job where name = ${queue} and state = 'retry'`
  const [row] = z.array(z.object({ jobs: z.number() })).parse(await reader.execute(failed, 'objects'))
  return row?.jobs ?? 0
}

/** Makes due at once what waits for another try, and gives what was given up one more. Returns how many jobs. */
export async function hurry(tx: Tx, queue: QueueName): Promise<number> {
  const hurried = sql`
    update pgboss.job set state = 'retry', start_after = now(), completed_on = null
    where name = ${queue} and (state = 'failed' or (state = 'retry' and start_after > now())) returning id`
  return (await tx.execute(hurried, 'objects')).length
}
