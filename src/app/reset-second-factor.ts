import { endSessionsOf, findByEmail, resetFactors } from '#accounts/server/accounts.ts'
import { openDatabase } from '#platform/database/database.ts'
import { startJobs } from '#platform/jobs/jobs.ts'
import { studio } from '#studio.ts'
import { queuePlans } from './queues.ts'
import type { Settings } from './settings.ts'
import { SettingsError } from './settings-error.ts'

/**
 * For somebody who has lost passkeys, app and recovery codes: removes all of them and ends the sessions, so that the next
 * sign-in, with the password, sets up anew. On record, and mailed to them. Answers what to say.
 */
export async function resetSecondFactor(
  url: string,
  email: string,
  { mode, now }: { mode: Settings['mode']; now: Temporal.Instant },
): Promise<string[]> {
  const onError = (error: Error) => console.error(error.message)
  const jobs = await startJobs(url, { plans: queuePlans, timeZone: studio.timeZone, onError })
  const database = openDatabase(url, { connections: 1, enqueue: jobs.enqueue })
  try {
    return await database.transaction(async (tx) => {
      const user = await findByEmail(tx, email)
      if (!user) throw new SettingsError([`nobody has the address ${email}`])
      const removed = await resetFactors(tx, user, { mode, now })
      const ended = await endSessionsOf(tx, user.id)
      return [
        `${email} has no second step any more: ${removed} ${removed === 1 ? 'was' : 'were'} removed, with all recovery codes, and ${ended} ${ended === 1 ? 'session was' : 'sessions were'} ended.`,
        user.isAdmin
          ? 'They sign in with their password, and are asked to set up a new second step before anything else.'
          : 'They sign in with their password. They are no admin.',
      ]
    })
  } finally {
    await database.close()
    await jobs.stop()
  }
}
