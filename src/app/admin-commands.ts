import { isStaff } from '#accounts/rules.ts'
import { endSessionsOf, findByEmail, type MakeAdminResult, resetFactors } from '#accounts/server/accounts.ts'
import { formatLongDate } from '#foundation/dates.ts'
import { studioDate } from '#foundation/instants.ts'
import { openDatabase } from '#platform/database/database.ts'
import { startJobs } from '#platform/jobs/jobs.ts'
import { studio } from '#studio.ts'
import { queuePlans } from './queues.ts'
import { type Settings, SettingsError } from './settings.ts'

/**
 * What `npm run admin` prints about the account that it found and what it changed.
 * @param holds what else the account has
 */
export function describeAdmin(
  email: string,
  made: MakeAdminResult,
  holds: { passes: number; bookings: number },
  { keepPassword }: { keepPassword: boolean },
): string[] {
  const { found, renamed } = made
  if (!found) {
    const output = [`${email} is a new admin.`]
    if (renamed)
      output.push(`${renamed} used this address as a username. That account now logs in with its own email address.`)
    return output
  }
  const joined = formatLongDate(studioDate(found.createdAt).toString())
  const output = [
    found.isAdmin ? `${email} is already an admin.` : `${email} is now an admin.`,
    `The account was registered on ${joined} as ${found.firstName} ${found.lastName} (username ${found.username}).`,
  ]
  if (found.emailVerifiedAt) {
    output.push('Its email address is confirmed, so its password has not changed.')
  } else if (keepPassword) {
    output.push('Its email address was never confirmed. As requested, its password and sessions have not changed.')
  } else {
    output.push(
      'Its email address was never confirmed, so a stranger may have registered it.',
      `Its password was removed and ${counted(made.sessionsEnded, 'session')} ended. (To keep both, use --keep-password.)`,
    )
    if (made.factorsRemoved) output.push(...describeRemovedFactors(made.factorsRemoved))
  }
  if (holds.passes + holds.bookings > 0) {
    const things = `${counted(holds.passes, 'pass', 'passes')} and ${counted(holds.bookings, 'booking')}`
    output.push(`It has ${things}, which have not changed. Check them in Users.`)
  }
  return output
}

function describeRemovedFactors({
  passkeys,
  hadApp,
  recoveryCodes,
}: NonNullable<MakeAdminResult['factorsRemoved']>): string[] {
  const things = [
    passkeys.length > 0 && counted(passkeys.length, 'passkey'),
    hadApp && counted(1, 'authenticator app'),
    recoveryCodes > 0 && counted(recoveryCodes, 'recovery code'),
  ].filter((thing) => thing !== false)
  if (things.length === 0) return []
  const isOne = things.length === 1 && things[0]?.startsWith('1 ')
  const list = new Intl.ListFormat('en-GB').format(things)
  return [`${list} ${isOne ? 'was' : 'were'} removed too.`]
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/**
 * For a user who lost every second factor: removes them all and ends the sessions, so that the next sign-in with the
 * password sets up a new one. Recorded, and emailed to the user. Returns what to print.
 */
export async function resetSecondFactor(
  url: string,
  email: string,
  { mode, now }: { mode: Settings['mode']; now: Temporal.Instant },
): Promise<string[]> {
  const onError = (error: Error) => console.error(error.message)
  const jobs = await startJobs(url, { plans: queuePlans, timeZone: studio.timeZone, notifies: true, onError })
  const database = openDatabase(url, { connections: 1, enqueue: jobs.enqueue })
  try {
    return await database.transaction(async (tx) => {
      const user = await findByEmail(tx, email)
      if (!user) throw new SettingsError([`no account has the address ${email}`])
      const removed = await resetFactors(tx, user, { mode, now })
      const ended = await endSessionsOf(tx, user.id)
      return [
        `${email} no longer has a second step: ${removed} ${removed === 1 ? 'was' : 'were'} removed, with all recovery codes, and ${ended} ${ended === 1 ? 'session was' : 'sessions were'} ended.`,
        isStaff(user)
          ? 'They can sign in with their password and must then set up a new second step.'
          : 'They can sign in with their password. They are not an admin or a teacher.',
      ]
    })
  } finally {
    await database.close()
    await jobs.stop()
  }
}
