import { makeAdmin } from '../accounts/server/accounts.ts'
import { systemClock } from '../foundation/clock.ts'
import { openDatabase } from './database/database.ts'
import { prepareDatabase } from './prepare-database.ts'
import { readSettings, SettingsError } from './settings.ts'

/** `npm run admin -- <email>`: makes or promotes an admin and prints a one-time link to set the password. */
async function main(): Promise<void> {
  const [email] = process.argv.slice(2)
  if (!email || !/^[^\s@]+@[^\s@]+$/.test(email))
    throw new SettingsError(['say who: npm run admin -- owner@studio.example'])
  const settings = readSettings(process.env)
  const say = (sentence: string) => console.log(sentence)
  const { url, stop } = await prepareDatabase(settings, say, { besideOwner: true, ownerLabel: 'npm run admin' })
  const database = openDatabase(url, { connections: 1 })
  try {
    const { made, token } = await database.transaction((tx) => makeAdmin(tx, email, systemClock.now()))
    say(`${email} ${made ? 'is a new admin' : 'is now an admin'}.`)
    say(`Set the password within two hours: ${settings.appUrl}/auth?reset=${encodeURIComponent(token)}`)
  } finally {
    await database.close()
    await stop()
  }
}

main().catch((error) => {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
})
