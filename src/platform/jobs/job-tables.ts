/**
 * All SQL that reads or changes pg-boss's tables. pg-boss's API cannot search the data of jobs, change a job in
 * progress, join a transaction that another connection has open, or read a backup's snapshot.
 */
import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Connection } from '../database/backup/catalog.ts'
import type { Reader, Tx } from '../database/database.ts'
import type { QueueName } from './queues.ts'

/** The pg-boss schema version that this SQL was written for; a test compares it with the installed one. */
export const WRITTEN_FOR_SCHEMA = 43

const State = z.object({
  queue: z.string().transform((name) => name as QueueName),
  waiting: z.coerce.number(),
  oldestSeconds: z.coerce.number().nullable(),
  longestWaitSeconds: z.coerce.number().nullable(),
  failed: z.coerce.number(),
  reason: z.string().nullable(),
})
/**
 * The state of a queue: jobs that wait or are in progress, the age of the oldest, the longest wait of a job that is not
 * done (a first try in progress does not wait), jobs given up since one last succeeded, and the last failure's message.
 */
export type QueueState = z.output<typeof State>

/** The state of every queue with jobs that wait or were given up. Ages by the database's clock, which pg-boss keeps. */
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
  const { rows } = await reader.execute<z.input<typeof State>>(states)
  return z.array(State).parse(rows)
}

/** How many jobs of a queue have failed and will be retried. */
export async function countJobsToRetry(reader: Reader, queue: QueueName): Promise<number> {
  const { rows } = await reader.execute<{ jobs: number }>(
    sql`select count(*)::int as jobs from pgboss.job where name = ${queue} and state = 'retry'`,
  )
  return rows[0]?.jobs ?? 0
}

/** Makes jobs that wait for a retry due within a minute, and retries those that were given up. Returns how many. */
export async function retryNow(tx: Tx, queue: QueueName): Promise<number> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    update pgboss.job set state = 'retry', start_after = now(), completed_on = null
    where name = ${queue} and (state = 'failed' or (state = 'retry' and start_after > now())) returning id`)
  return rows.length
}

/** A job's data as SQL, for a condition on it. */
export const JOB_DATA = sql`data`

/**
 * Removes jobs about a person who is erased, finished and failed ones too. A job in progress is emptied: its worker has
 * read it already, and must not find the person again on a retry.
 *
 * @param about a condition on {@link JOB_DATA}
 * @param mentions a lower-case text: finished jobs that contain it anywhere are removed
 * @param emptied the data that a job in progress keeps
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
  // Restored jobs that are not in a queue yet.
  await tx.execute(sql`delete from restored_jobs where queue in (${named}) and ${about}`)
  if (!(await hasJobs(tx))) return
  await tx.execute(sql`delete from pgboss.job where name in (${named}) and state <> 'active' and ${about}`)
  await tx.execute(sql`
    delete from pgboss.job where name in (${named}) and state in ('completed', 'cancelled')
      and strpos(lower(data::text), ${mentions}) > 0`)
  await tx.execute(
    sql`update pgboss.job set data = ${emptied} where name in (${named}) and state = 'active' and ${about}`,
  )
}

/** Changes the data of jobs in any state. @param changed the new data, made of {@link JOB_DATA} */
export async function updateJobs(tx: Tx, queue: QueueName, { about, changed }: { about: SQL; changed: SQL }) {
  if (!(await hasJobs(tx))) return
  await tx.execute(sql`update pgboss.job set data = ${changed} where name = ${queue} and ${about}`)
}

/** Deletes one job, even while it is in progress. */
export async function forgetJob(tx: Pick<Tx, 'execute'>, queue: QueueName, id: string): Promise<void> {
  await tx.execute(sql`delete from pgboss.job where name = ${queue} and id = ${id}::uuid`)
}

/** A restored database has no queues until the site starts on it. */
async function hasJobs(tx: Tx): Promise<boolean> {
  const { rows } = await tx.execute<{ exists: boolean }>(EXISTS)
  return rows[0]?.exists === true
}

const EXISTS = `select to_regclass('pgboss.job') is not null as exists`

/** Whether a site has ever run on the database, for a backup's connection. */
export async function hasQueue(connection: Connection): Promise<boolean> {
  const { rows } = await connection.query<{ exists: boolean }>(EXISTS)
  return rows[0]?.exists === true
}

const list = (words: readonly string[]) => words.map((word) => `'${word}'`).join(', ')

/** SQL for unfinished jobs, as `id, name, data, created_on`; also for those in progress, which may still fail. */
export const openJobs = (queues: readonly QueueName[]) =>
  `select id, name, data, created_on from pgboss.job
   where name in (${list(queues)}) and state in ('created', 'retry', 'active')`

/** SQL for the ids of jobs that are done. pg-boss deletes a job a day after that. */
export const doneJobs = (queues: readonly QueueName[]) =>
  `select id from pgboss.job where name in (${list(queues)}) and state in ('completed', 'cancelled')`
