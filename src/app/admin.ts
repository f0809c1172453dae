import { parseArgs } from 'node:util'
import { eq } from 'drizzle-orm'
import { makeAdmin } from '#accounts/server/accounts.ts'
import { takenPlaces } from '#booking/tables.ts'
import { endAddress } from '#calendar/server/calendar.ts'
import { emailAddress } from '#foundation/fields.ts'
import { systemClock } from '#foundation/instants.ts'
import { passes } from '#passes/tables.ts'
import { openDatabase, type Tx } from '#platform/database/database.ts'
import { studio } from '#studio.ts'
import { describeAdmin, resetSecondFactor } from './admin-commands.ts'
import { prepareDatabase } from './prepare-database.ts'
import { SettingsError, settingsOfCommand } from './settings.ts'

/**
 * `npm run admin -- <email> [--name "Jo Hart"] [--keep-password]` creates or promotes an admin and prints a one-time
 * link to set the password. `npm run admin -- <email> --reset-second-factor` only removes the second factor: see
 * `admin-commands.ts`.
 */
async function main(): Promise<void> {
  const { email, names, keepPassword, mustResetFactor } = readArguments(process.argv.slice(2))
  const settings = settingsOfCommand()
  const print = (sentence: string) => console.log(sentence)
  const { url, stop } = await prepareDatabase(settings, print, { canShareServer: true, ownerLabel: 'npm run admin' })
  if (mustResetFactor) {
    const { mode } = settings
    const output = resetSecondFactor(url, email, { mode, now: systemClock.now() }).finally(stop)
    for (const sentence of await output) print(sentence)
    return
  }
  const database = openDatabase(url, { connections: 1 })
  try {
    const { made, holds } = await database.transaction(async (tx) => {
      const done = await makeAdmin(tx, email, systemClock.now(), { keepPassword, names })
      // A stranger who registered the address may know the secret calendar address.
      if (done.isReclaimed) await endAddress(tx, done.userId)
      return { made: done, holds: await holdingsOf(tx, done.userId) }
    })
    for (const sentence of describeAdmin(email, made, holds, { keepPassword })) print(sentence)
    print(
      `Set the password within ${studio.policies.passwordLinkHours} hours: ${settings.appUrl}/auth#reset=${made.token}`,
    )
  } finally {
    await database.close()
    await stop()
  }
}

function readArguments(args: string[]) {
  const usage = new SettingsError([
    'name an account: npm run admin -- owner@studio.example [--name "Jo Hart"] [--keep-password | --reset-second-factor]',
  ])
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        name: { type: 'string', default: '' },
        'keep-password': { type: 'boolean', default: false },
        'reset-second-factor': { type: 'boolean', default: false },
      },
    })
    const [email, ...more] = positionals
    const read = emailAddress('').safeParse(email)
    if (!read.success || more.length > 0) throw usage
    const [firstName = '', ...rest] = values.name.trim().split(/\s+/)
    const names = { firstName, lastName: rest.join(' ') }
    return {
      email: read.data,
      names,
      keepPassword: values['keep-password'],
      mustResetFactor: values['reset-second-factor'],
    }
  } catch {
    throw usage
  }
}

async function holdingsOf(tx: Tx, userId: string) {
  return {
    passes: await tx.$count(passes, eq(passes.userId, userId)),
    bookings: await tx.$count(takenPlaces, eq(takenPlaces.userId, userId)),
  }
}

main().catch((error) => {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
})
