import { sql } from 'drizzle-orm'
import type { Tx } from '#platform/database/database.ts'
import { eraseFromJobs, JOB_DATA, updateJobs } from '#platform/jobs/job-tables.ts'
import type { ByPhone, MailJob, MailName, Mails } from '../mail.ts'
import { addCall } from './calls.ts'

/** Jobs per statement. */
const BATCH_SIZE = 1000

/** Queues a mail in the transaction that causes it: sent at least once after the commit, and never without one. */
export async function queueMail<M extends MailName>(tx: Tx, mail: M, data: Queued<M>): Promise<void> {
  await queueMails(tx, mail, [data])
}

/** A mail's data, perhaps for a member without an email address. */
export type Queued<M extends MailName> = Omit<Mails[M], 'to'> & { to: Mails[M]['to'] | ByPhone }

/**
 * Queues many mails of one kind; for a member without an address the owner gets a call to make. `mail-to-many` is for
 * bulk messages, which must not delay other mails.
 */
export async function queueMails<M extends MailName>(
  tx: Tx,
  mail: M,
  all: readonly Queued<M>[],
  queue: 'mail' | 'mail-to-many' = 'mail',
): Promise<void> {
  // The compiler cannot pair a generic name with its data.
  const jobs = all.filter(({ to }) => to.email !== null).map((data) => ({ mail, data }) as MailJob)
  for (let from = 0; from < jobs.length; from += BATCH_SIZE) {
    await tx.enqueue(queue, ...jobs.slice(from, from + BATCH_SIZE))
  }
  for (const { to, ...data } of all) if ('userId' in to) await addCall(tx, mail, data, to)
}

/** The same transaction, but it queues no jobs; the mails among them are in `mails`. */
export function withoutJobs(tx: Tx): Tx & { mails: readonly MailJob[] } {
  const mails: MailJob[] = []
  const enqueue: Tx['enqueue'] = async (queue, ...jobs) => {
    // The compiler cannot pair a generic queue with its jobs.
    if (queue === 'mail') mails.push(...(jobs as MailJob[]))
  }
  return Object.assign<Tx, object>(Object.create(tx), { enqueue, mails }) as Tx & { mails: readonly MailJob[] }
}

/** The only mail that an erased member still gets. Its job is deleted once sent (`worker.ts`). */
export const ERASURE_MAIL: MailJob['mail'] = 'account-erased'

/** Erases a member's name from mails to the owner that name them without an address. */
export async function eraseNameFromMails(tx: Tx, name: string): Promise<void> {
  await updateJobs(tx, 'mail', {
    about: sql`${JOB_DATA} #>> '{data,member,name}' = ${name} and ${JOB_DATA} #>> '{data,member,email}' is null`,
    changed: sql`jsonb_set(${JOB_DATA}, '{data,member,name}', '"A former member"')`,
  })
}

/** Erases an address from queued, running and finished mail jobs, and the member from mails to the owner. */
export async function eraseQueuedMails(tx: Tx, address: string): Promise<void> {
  const lowerCase = address.toLowerCase()
  await eraseFromJobs(tx, ['mail', 'mail-to-many'], {
    about: sql`lower(${JOB_DATA} #>> '{data,to,email}') = ${lowerCase} and ${JOB_DATA} ->> 'mail' <> ${ERASURE_MAIL}`,
    mentions: lowerCase,
    emptied: sql`jsonb_build_object('mail', ${JOB_DATA} ->> 'mail', 'data', '{"to": {"email": "", "firstName": ""}}'::jsonb)`,
  })
  await updateJobs(tx, 'mail', {
    about: sql`lower(${JOB_DATA} #>> '{data,member,email}') = ${lowerCase}`,
    changed: sql`jsonb_set(${JOB_DATA}, '{data,member}', 'null')`,
  })
}

/** Whether the recipient was erased after the mail was queued. */
export const isForgotten = (job: MailJob) => job.data.to.email === ''
