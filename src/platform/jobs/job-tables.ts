import { type SQL, sql } from 'drizzle-orm'
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

/** What a job carries, as SQL: for a condition on it. */
export const JOB_DATA = sql`data`

/**
 * Takes jobs about somebody who is erased out of the queues, those that are done or given up as well. One that is under way
 * is left with nothing to do: whoever does it has read it already, and would find nobody if it came again.
 *
 * @param about a condition on {@link JOB_DATA}
 * @param mentions a text, in small letters, by which a job that is done is removed wherever it stands in it
 * @param emptied what is left of a job that is under way
 */
export async function eraseFromJobs(
  tx: Tx,
  queues: readonly QueueName[],
  { about, mentions, emptied }: { about: SQL; mentions: string; emptied: SQL },
): Promise<void> {
  const named = sql.join(
    queues.map((queue) => sql`${queue}`),
    sql`, `,
  )
  // What a restore has brought and no queue has taken up yet.
  await tx.execute(sql`delete from restored_jobs where queue in (${named}) and ${about}`)
  if (!(await areThereJobs(tx))) return
  await tx.execute(sql`delete from pgboss.job where name in (${named}) and state <> 'active' and ${about}`)
  await tx.execute(sql`
    delete from pgboss.job where name in (${named}) and state in ('completed', 'cancelled')
      and strpos(lower(data::text), ${mentions}) > 0`)
  await tx.execute(
    sql`update pgboss.job set data = ${emptied} where name in (${named}) and state = 'active' and ${about}`,
  )
}

/** Changes what jobs carry, whatever became of them. @param changed the new data, made of {@link JOB_DATA} */
export async function changeJobs(
  tx: Tx,
  queue: QueueName,
  { about, changed }: { about: SQL; changed: SQL },
): Promise<void> {
  if (!(await areThereJobs(tx))) return
  await tx.execute(sql`update pgboss.job set data = ${changed} where name = ${queue} and ${about}`)
}

/** Removes one job, also while it is done: nothing is left to be called done. */
export async function forgetJob(tx: Pick<Tx, 'execute'>, queue: QueueName, id: string): Promise<void> {
  await tx.execute(sql`delete from pgboss.job where name = ${queue} and id = ${id}::uuid`)
}

/** A database that was just restored has no queues until the site starts on it. */
async function areThereJobs(tx: Tx): Promise<boolean> {
  const { rows } = await tx.execute<{ there: boolean }>(sql`select to_regclass('pgboss.job') is not null as there`)
  return rows[0]?.there === true
}
