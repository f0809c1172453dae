import type { Reader } from '#platform/database/database.ts'
import { jobsToRetry } from '#platform/jobs/queue-states.ts'
import { undeliveredMails } from '../tables.ts'

/** How many mails the mail server did not take: those that are tried again, and those given up, which wait for the owner. */
export async function failedMails(reader: Reader): Promise<{ retrying: number; givenUp: number }> {
  const [single, toMany, givenUp] = await Promise.all([
    jobsToRetry(reader, 'mail'),
    jobsToRetry(reader, 'mail-to-many'),
    reader.$count(undeliveredMails),
  ])
  return { retrying: single + toMany, givenUp }
}
