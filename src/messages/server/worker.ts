import type { Worker } from '../../platform/jobs/jobs.ts'
import type { MailJob } from '../mail.ts'
import { completeMail } from './complete-mail.ts'
import type { Mailer } from './delivery.ts'
import type { TokenOf } from './link-tokens.ts'
import { renderMail } from './render-mail.ts'

/**
 * Does the mail queue's jobs: writes each mail and hands it over under its job's id.
 *
 * @param means.isOvertaken whether what a mail says is no longer so: a reminder is then left out, every other mail says it
 */
export function mailWorker(
  mailer: Mailer,
  appUrl: string,
  { tokenOf, isOvertaken }: { tokenOf: TokenOf; isOvertaken: (job: MailJob) => Promise<boolean> },
): Worker<'mail'> {
  return async (queued, jobId) => {
    const job = completeMail(queued)
    const overtaken = await isOvertaken(job)
    if (overtaken && job.mail === 'class-reminder') return
    await mailer.deliver(await renderMail(job, appUrl, { tokenOf, isOvertaken: overtaken }), jobId)
  }
}
