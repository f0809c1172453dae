import { keepReminders, type Reminded, remindedOf } from '../../booking/server/booking.ts'
import { type Connection, migrationsIn } from '../../platform/database/backup/catalog.ts'
import { dropRestoredJobs } from '../../platform/database/backup/restored.ts'
import type { Tx } from '../../platform/database/database.ts'
import { erasedIds, recordErasures } from '../../privacy/server/privacy.ts'
import { hasQueue, isPromised } from './what-is-kept.ts'

/** What the database that is being replaced knows of the time after the backup, and must not be forgotten. */
export type Since = { erased: string[]; doneJobs: string[]; reminded: Reminded[] }

/** Reads it before it is gone, in the transaction that replaces it. */
export async function knownSince(connection: Connection, tx: Tx, now: Temporal.Instant): Promise<Since> {
  const ran = (await migrationsIn(connection))?.map(({ name }) => name) ?? []
  const isRecent = ran.some((name) => name >= '0034')
  return {
    erased: isRecent ? await erasedIds(tx) : [],
    doneJobs: await doneJobs(
      connection,
      ran.some((name) => name >= '0035'),
    ),
    reminded: isRecent ? await remindedOf(tx, now) : [],
  }
}

/** Of the jobs that people were promised; the queue forgets a job a day after it is done. A mail that was given up is not done. */
async function doneJobs(connection: Connection, keepsUndelivered: boolean): Promise<string[]> {
  if (!(await hasQueue(connection))) return []
  const { rows } = await connection.query<{ id: string }>(
    `select id from pgboss.job where ${isPromised} and state in ('completed', 'cancelled')
     ${keepsUndelivered ? 'and id not in (select id from undelivered_mails)' : ''}`,
  )
  return rows.map(({ id }) => id)
}

/** Tells the restored database: nobody who was erased is back, no mail that was sent goes again, nobody is reminded twice. */
export async function bringForward(tx: Tx, since: Since, now: Temporal.Instant): Promise<void> {
  await recordErasures(tx, since.erased, now)
  await dropRestoredJobs(tx, since.doneJobs)
  await keepReminders(tx, since.reminded)
}
