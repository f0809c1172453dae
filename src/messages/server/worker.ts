import type { Worker } from '../../server/jobs/jobs.ts'
import type { Mailer } from './delivery.ts'
import { renderMail } from './render-mail.ts'

/** Does the mail queue's jobs: writes each mail and hands it over under its job's id. */
export function mailWorker(mailer: Mailer, appUrl: string): Worker<'mail'> {
  return async (job, jobId) => mailer.deliver(await renderMail(job, appUrl), jobId)
}
