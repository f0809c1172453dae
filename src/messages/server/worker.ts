import { factsNow } from '#facts/server/facts.ts'
import type { Clock } from '#foundation/instants.ts'
import type { Database, Tx } from '#platform/database/database.ts'
import { forgetJob } from '#platform/jobs/job-tables.ts'
import type { Attempt, Worker } from '#platform/jobs/jobs.ts'
import { studio } from '#studio.ts'
import type { MailJob } from '../mail.ts'
import { isGivenUp } from '../rules.ts'
import { type Mailer, NotDelivered } from './delivery.ts'
import type { TokenOf } from './link-tokens.ts'
import { FAREWELL, isForgotten, queueMails } from './queue-mail.ts'
import { renderMail } from './render-mail.ts'
import { clearRefusal, keepUndelivered, refusalOf } from './undelivered.ts'

type Outcome = { status: 'handed_over' | 'failed' | 'left_out'; reason?: string }

type Means = {
  database: Database
  clock: Clock
  tokenOf: TokenOf
  /** Whether what a mail says is no longer so: a reminder and an email about closed days are then left out, every other mail says it. */
  isOvertaken: (job: MailJob) => Promise<boolean>
  /** Whether it is still to be sent at all. */
  isStillWanted: (job: MailJob) => Promise<boolean>
  /** Notes what became of it, where somebody keeps that. */
  noteOutcome: (tx: Pick<Tx, 'update'>, job: MailJob, outcome: Outcome, now: Temporal.Instant) => Promise<void>
  /** Told what did not keep a mail from being sent. */
  onError: (error: Error) => void
}

const FIRST: Attempt = { tries: 1, isLast: false }

/**
 * Does the mail queue's jobs: writes each mail and hands it over under its job's id. One that is refused for good, or was
 * tried to the end, is kept for the owner.
 */
export function mailWorker(mailer: Mailer, appUrl: string, means: Means): Worker<'mail' | 'mail-to-many'> {
  const { database, clock, tokenOf, isOvertaken, isStillWanted, onError } = means
  const note = (tx: Pick<Tx, 'update'>, job: MailJob, outcome: Outcome) =>
    means.noteOutcome(tx, job, outcome, clock.now())
  return async (queued, jobId, attempt = FIRST) => {
    if (isForgotten(queued)) return
    const job = completeMail(queued)
    if (!(await isStillWanted(job))) return await note(database.db, job, { status: 'left_out' })
    const overtaken = await isOvertaken(job)
    if (overtaken && job.mail === 'class-reminder') return
    if (overtaken && job.mail === 'studio-closed') return await replaceStudioClosed(database, job)
    const address = job.data.to.email
    const wasRefused = await refusalOf(database.db, address)
    try {
      const facts = await factsNow(database.db)
      await mailer.deliver(await renderMail(job, appUrl, { facts, tokenOf, isOvertaken: overtaken }), jobId)
    } catch (error) {
      if (!(error instanceof NotDelivered) || !isGivenUp(error.refused, attempt)) throw error
      const { reason, refused } = error
      const given = { jobId, job, reason, isAddressRefused: refused === 'address' }
      // Whoever was erased is not kept after all, as an address.
      if (job.mail === FAREWELL) await forgetJob(database.db, 'mail', jobId)
      else {
        await database.transaction(async (tx) => {
          await keepUndelivered(tx, given, clock.now())
          await note(tx, job, { status: 'failed', reason })
        })
      }
      onError(error)
      return
    }
    // The mail has gone: what fails from here on must not send it again.
    await note(database.db, job, { status: 'handed_over' }).catch(onError)
    if (wasRefused) await clearRefusal(database.db, address).catch(onError)
    if (job.mail === FAREWELL) await forgetJob(database.db, 'mail', jobId).catch(onError)
  }
}

/** The days are open again, so the email is dropped. Bookings do not come back by that: their members are told so instead. */
async function replaceStudioClosed(database: Database, { data }: MailJob<'studio-closed'>): Promise<void> {
  const instead = data.booked.map((booked) => ({
    to: data.to,
    class: booked,
    outcome: booked.isCreditLost ? ('no_pass' as const) : ('credit_returned' as const),
    reason: 'decided' as const,
  }))
  await database.transaction((tx) => queueMails(tx, 'booking-cancelled', instead))
}

/**
 * A job as this release writes it. One that the release before queued lacks what its mail says only now: what was true of
 * every such mail then is filled in.
 */
function completeMail(job: MailJob): MailJob {
  switch (job.mail) {
    case 'purchase-refunded': {
      const { paid, amount } = job.data
      const fee = Number(paid) - Number(amount)
      const then = { fee: fee > 0 ? fee.toFixed(2) : null, method: null, pass: 'ended' as const }
      return { ...job, data: { ...then, ...job.data } }
    }
    case 'payment-returned': {
      const then = { currency: studio.currency, method: null, because: 'held' as const }
      return { ...job, data: { ...then, ...job.data } }
    }
    case 'payment-returned-notice': {
      const because = job.data.member ? ('held' as const) : ('member_gone' as const)
      const then = { currency: studio.currency, because }
      return { ...job, data: { ...then, ...job.data } }
    }
    default:
      return job
  }
}
