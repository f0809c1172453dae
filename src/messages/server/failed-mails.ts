import type { Reader } from '../../platform/database/database.ts'
import { failedJobs } from '../../platform/jobs/queue-figures.ts'

/** How many mails the mail server did not take and are tried again, and how many were given up. */
export async function failedMails(reader: Reader): Promise<{ retrying: number; givenUp: number }> {
  return await failedJobs(reader, 'mail')
}
