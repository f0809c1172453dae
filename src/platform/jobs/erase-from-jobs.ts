import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../database/database.ts'
import type { QueueName } from './queues.ts'

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
