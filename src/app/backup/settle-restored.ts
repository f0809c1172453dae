import { endLinesOfStartedClasses, forgetCancellations, isTooLate } from '#booking/server/booking.ts'
import type { MailJob } from '#messages/mail.ts'
import { lookAgainAtPayments } from '#payments/server/payments.ts'
import { settleRestore, takeRestoredJobs } from '#platform/database/backup/records.ts'
import { type Database, openDatabase } from '#platform/database/database.ts'
import { type Jobs, startJobs } from '#platform/jobs/jobs.ts'
import { prepareJobs } from '#platform/jobs/prepare-jobs.ts'
import { eraseAgain } from '#privacy/server/privacy.ts'
import { studio } from '#studio.ts'
import { queuePlans } from '../queues.ts'

/**
 * Does what follows from a restore: erases again those who were erased since the backup, ends waiting lists of classes that
 * started in the meantime, makes the studio's cancellations of its last minute final, takes up the jobs that waited in it
 * but for offers and reminders that come too late, and has payments
 * asked about. Done at the end of a restore and, should that have been cut short, before a site opens; a few
 * short questions when there is nothing to do.
 *
 * @returns how many were erased again
 */
export async function settleRestored(database: Database, jobs: Jobs, now: Temporal.Instant): Promise<number> {
  const erased = await eraseAgain(database, now)
  await database.transaction(async (tx) => {
    if (!(await settleRestore(tx, now))) return
    await endLinesOfStartedClasses(tx, now)
    await forgetCancellations(tx)
    const waiting = await takeRestoredJobs(tx)
    // What is in the queue `mail` is a mail.
    const isOver = ({ queue, data }: (typeof waiting)[number]) => queue === 'mail' && isTooLate(data as MailJob, now)
    await jobs.takeUp(
      tx,
      waiting.filter((job) => !isOver(job)),
    )
    await lookAgainAtPayments(tx, now)
  })
  return erased
}

/** The same where no site is open. */
export async function settleBeside(url: string, now: Temporal.Instant): Promise<number> {
  await prepareJobs(url, queuePlans)
  const onError = (error: Error) => console.error(error.message)
  const jobs = await startJobs(url, { plans: queuePlans, timeZone: studio.timeZone, onError })
  const database = openDatabase(url, { enqueue: jobs.enqueue, connections: 2 })
  try {
    return await settleRestored(database, jobs, now)
  } finally {
    await jobs.stop()
    await database.close()
  }
}
