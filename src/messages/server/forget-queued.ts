import { sql } from 'drizzle-orm'
import type { Tx } from '#platform/database/database.ts'
import { changeJobs, eraseFromJobs, JOB_DATA } from '#platform/jobs/erase-from-jobs.ts'
import type { MailJob } from '../mail.ts'

/** The one mail that an erased person still gets. Its job goes when it has left (`worker.ts`). */
export const FAREWELL: MailJob['mail'] = 'account-erased'

/**
 * Forgets the address of somebody who is erased in all mail that waits, is under way or has gone: a finished job would
 * otherwise be kept for a day. What the studio's owner is told about them loses their name and address.
 */
export async function forgetQueued(tx: Tx, address: string): Promise<void> {
  const theirs = address.toLowerCase()
  await eraseFromJobs(tx, ['mail', 'mail-to-many'], {
    about: sql`lower(${JOB_DATA} #>> '{data,to,email}') = ${theirs} and ${JOB_DATA} ->> 'mail' <> ${FAREWELL}`,
    mentions: theirs,
    emptied: sql`jsonb_build_object('mail', ${JOB_DATA} ->> 'mail', 'data', '{"to": {"email": "", "firstName": ""}}'::jsonb)`,
  })
  await changeJobs(tx, 'mail', {
    about: sql`lower(${JOB_DATA} #>> '{data,member,email}') = ${theirs}`,
    changed: sql`jsonb_set(${JOB_DATA}, '{data,member}', 'null')`,
  })
}

/** Whether a mail's recipient was erased while it was under way. */
export const isForgotten = (job: MailJob) => job.data.to.email === ''
