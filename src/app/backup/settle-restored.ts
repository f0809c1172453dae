import {
  clearWaitingListsOfStartedClasses,
  endDueHolds,
  endOffersPast,
  forgetOwnCancellations,
  textEndingHolds,
} from '#booking/server/booking.ts'
import type { MailJob } from '#messages/mail.ts'
import { isPastItsClass } from '#messages/rules.ts'
import { forgetQueuedTexts } from '#messages/server/messages.ts'
import { schedulePollOfPayments } from '#payments/server/payments.ts'
import { settleRestore, takeRestoredJobs } from '#platform/database/backup/records.ts'
import { type Database, openDatabase } from '#platform/database/database.ts'
import { type Jobs, startJobs } from '#platform/jobs/jobs.ts'
import { prepareJobs } from '#platform/jobs/prepare-jobs.ts'
import { eraseRestoredMembers } from '#privacy/server/privacy.ts'
import { forgetCancellations } from '#schedule/server/schedule.ts'
import { studio } from '#studio.ts'
import { queuePlans } from '../queues.ts'

/**
 * Completes a restore: erases members again who were erased since the backup, ends waiting lists of classes that have
 * started and offers that ran out, makes cancellations of the last minute final, queues the jobs that waited in it
 * except late offers and reminders, and schedules a check of payments. Runs at the end of a restore and, in case that
 * was interrupted, before a site opens; a few short queries when there is nothing to do.
 *
 * @returns how many members were erased again
 */
export async function settleRestored(database: Database, jobs: Jobs, now: Temporal.Instant): Promise<number> {
  const erased = await eraseRestoredMembers(database, now)
  const isRestored = await database.transaction(async (tx) => {
    if (!(await settleRestore(tx, now))) return false
    await clearWaitingListsOfStartedClasses(tx, now)
    await endOffersPast(tx, now)
    await forgetCancellations(tx)
    await forgetOwnCancellations(tx)
    // Texts about holds that end soon may have been sent since the backup.
    await textEndingHolds(tx, now)
    await forgetQueuedTexts(tx)
    const waiting = await takeRestoredJobs(tx)
    // Jobs of the queue `mail` are emails.
    const isOver = ({ queue, data }: (typeof waiting)[number]) =>
      queue === 'mail' && isPastItsClass(data as MailJob, 'email', now)
    await jobs.insertKept(
      tx,
      waiting.filter((job) => !isOver(job)),
    )
    await schedulePollOfPayments(tx, now)
    return true
  })
  if (isRestored) await endDueHolds(database, now, { isQuiet: true })
  return erased
}

/** Completes a restore while no site is running. */
export async function settleOffline(url: string, now: Temporal.Instant): Promise<number> {
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
