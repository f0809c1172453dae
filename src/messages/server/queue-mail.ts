import { sql } from 'drizzle-orm'
import type { Tx } from '#platform/database/database.ts'
import { changeJobs, eraseFromJobs, JOB_DATA } from '#platform/jobs/job-tables.ts'
import type { MailJob, MailName, Mails } from '../mail.ts'

/**
 * Queues a mail in the transaction of its cause: it is sent exactly when that commits, at least once,
 * however long the mail server is away.
 */
export async function queueMail<M extends MailName>(tx: Tx, mail: M, data: Mails[M]): Promise<void> {
  await queueMails(tx, mail, [data])
}

/** The same for many: one statement, however many they are. */
export async function queueMails<M extends MailName>(tx: Tx, mail: M, all: readonly Mails[M][]): Promise<void> {
  // A name and its own data: of a pair that is still general the compiler cannot know it.
  await tx.enqueue('mail', ...all.map((data) => ({ mail, data }) as MailJob))
}

/** So many jobs are written by one statement. */
const A_STATEMENT = 1000

/** The same in a queue beside the usual one: a message to thousands keeps nobody waiting for a link or a confirmation. */
export async function queueMailsToMany<M extends MailName>(tx: Tx, mail: M, all: readonly Mails[M][]): Promise<void> {
  for (let from = 0; from < all.length; from += A_STATEMENT) {
    const some = all.slice(from, from + A_STATEMENT)
    await tx.enqueue('mail-to-many', ...some.map((data) => ({ mail, data }) as MailJob))
  }
}

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
