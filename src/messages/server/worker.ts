import { mailFacts } from '#facts/server/facts.ts'
import type { Clock } from '#foundation/instants.ts'
import type { Database, Reader, Tx } from '#platform/database/database.ts'
import { forgetJob } from '#platform/jobs/job-tables.ts'
import type { Attempt, Worker } from '#platform/jobs/jobs.ts'
import { initialFacts } from '#studio.ts'
import type { MailJob } from '../mail.ts'
import { isGivenUp, isPastItsClass } from '../rules.ts'
import { DeliveryError, type Mailer } from './delivery.ts'
import type { TokenOf } from './link-tokens.ts'
import { ERASURE_MAIL, isForgotten, queueMails } from './queue-mail.ts'
import { renderMail } from './render-mail.ts'
import { clearRefusal, refusalOf, saveUndelivered } from './undelivered.ts'

type Outcome = { status: 'handed_over' | 'failed' | 'left_out'; reason?: string }

type Options = {
  database: Database
  clock: Clock
  tokenOf: TokenOf
  mode: 'demo' | 'live'
  /** Whether a mail is out of date. Reminders and closure mails are then not sent; other mails mention it. */
  isOutdated: (reader: Reader, job: MailJob) => Promise<boolean>
  /** The mail without what is no longer true of it; undefined if nothing is left to say. */
  stillTrue: (reader: Reader, job: MailJob) => Promise<MailJob | undefined>
  /** Whether to send the mail at all. */
  mayStillSend: (reader: Reader, job: MailJob) => Promise<boolean>
  /** A voucher's code and its card as PDF, for an email; null if the voucher can no longer be redeemed. */
  voucherOf?: (job: MailJob) => Promise<{ code: string; message: string | null; pdf: Buffer } | null | undefined>
  /** Records the outcome of bulk messages. */
  recordOutcome: (tx: Pick<Tx, 'update'>, job: MailJob, outcome: Outcome, now: Temporal.Instant) => Promise<void>
  /** A mail is no longer tried. */
  onGivenUp?: (tx: Tx, job: MailJob) => Promise<void>
  /** Reports errors that did not prevent the delivery. */
  onError: (error: Error) => void
}

const FIRST: Attempt = { tries: 1, isLast: false }

/** Renders and delivers queued mails. One that is refused for good or has no tries left is saved as undelivered. */
export function mailWorker(mailer: Mailer, appUrl: string, options: Options): Worker<'mail' | 'mail-to-many'> {
  const { database, clock, mode, tokenOf, isOutdated, mayStillSend, onError } = options
  const note = (tx: Pick<Tx, 'update'>, job: MailJob, outcome: Outcome) =>
    options.recordOutcome(tx, job, outcome, clock.now())
  return async (queued, jobId, attempt = FIRST) => {
    if (isForgotten(queued)) return
    const address = queued.data.to.email
    const [job, maySend, isStale, wasRefused, facts] = await database.transaction((tx) =>
      Promise.all([
        options.stillTrue(tx, queued),
        mayStillSend(tx, queued),
        isOutdated(tx, queued),
        refusalOf(tx, address),
        mailFacts(tx, mode),
      ]),
    )
    if (!job) return
    if (!maySend) return await note(database.db, job, { status: 'left_out' })
    if (isPastItsClass(job, 'email', clock.now())) return
    if (isStale && job.mail === 'class-reminder') return
    if (isStale && job.mail === 'studio-closed') return await replaceStudioClosed(database, job)
    // A site that still has the example's owner notifies nobody.
    if (mode === 'live' && address === initialFacts.ownerEmail)
      return await note(database.db, job, { status: 'left_out' })
    const voucher = await options.voucherOf?.(job)
    if (voucher === null) return await note(database.db, job, { status: 'left_out' })
    try {
      const complete = voucher ? withCode(job, voucher) : job
      const mail = await renderMail(complete, appUrl, { facts, tokenOf, isOutdated: isStale })
      if (voucher) mail.attachments = [cardFile(voucher.pdf)]
      await mailer.deliver(mail, jobId)
    } catch (error) {
      if (!(error instanceof DeliveryError) || !isGivenUp(error.refused, attempt)) throw error
      const { reason, refused } = error
      const given = { jobId, job, reason, isAddressRefused: refused === 'address' }
      // Do not keep the address of an erased member.
      if (job.mail === ERASURE_MAIL) await forgetJob(database.db, 'mail', jobId)
      else {
        await database.transaction(async (tx) => {
          await saveUndelivered(tx, given, clock.now())
          await options.onGivenUp?.(tx, job)
          await note(tx, job, { status: 'failed', reason })
        })
      }
      onError(error)
      return
    }
    // Errors after the delivery must not send the mail again.
    await note(database.db, job, { status: 'handed_over' }).catch(onError)
    if (wasRefused) await clearRefusal(database.db, address).catch(onError)
    if (job.mail === ERASURE_MAIL) await forgetJob(database.db, 'mail', jobId).catch(onError)
  }
}

/** Code and message are only in the email that leaves, never in the stored job. */
function withCode(job: MailJob, { code, message }: { code: string; message: string | null }): MailJob {
  return job.mail === 'voucher' || job.mail === 'voucher-to-print'
    ? ({ ...job, data: { ...job.data, code, message } } as MailJob)
    : job
}

const cardFile = (pdf: Buffer) => ({
  filename: 'voucher.pdf',
  content: pdf.toString('base64'),
  contentType: 'application/pdf',
  encoding: 'base64' as const,
})

/** The studio is open again on these days. The bookings stay cancelled, so their members are emailed about that. */
async function replaceStudioClosed(database: Database, { data }: MailJob<'studio-closed'>): Promise<void> {
  const instead = data.booked.map((booked) => ({
    to: data.to,
    class: booked,
    outcome: booked.isCreditLost ? ('no_pass' as const) : ('credit_returned' as const),
    reason: 'decided' as const,
    paidBy: booked.paidBy,
  }))
  await database.transaction((tx) => queueMails(tx, 'booking-cancelled', instead))
}
