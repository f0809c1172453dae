import pg from 'pg'
import { brokenInvariants } from '#testing/invariants.ts'
import { check, type OnFinished } from './lib/check.ts'
import { fillWithMembers } from './lib/fill.ts'
import { type LiveSite, startLiveSite } from './lib/live-site.ts'
import { startOwnPostgres } from './lib/own-postgres.ts'
import { crosswise } from './releases/crosswise.ts'
import { checkOut, newestTag } from './releases/previous-release.ts'

/**
 * `npm run lab -- releases [<commit>]`: runs an older release (the newest tag, or that commit) on this one's schema,
 * alone and next to this one, while members book, cancel, move and wait. Exits with 1 on any fault.
 */
const MEMBERS = 24
const CALLS_EACH = 60

const print = (sentence: string) => console.log(sentence)

async function compare(onFinished: OnFinished): Promise<string[]> {
  const faults: string[] = []
  const previous = await checkOut(process.argv[2] ?? newestTag())
  onFinished(previous.close)
  print(`Previous release: ${previous.name}`)
  const postgres = await startOwnPostgres()
  onFinished(postgres.stop)
  const databaseUrl = await postgres.database('releases')
  const { secrets, members, classIds } = await fillWithMembers(databaseUrl, { members: MEMBERS, days: 6, aDay: 5 })
  const start = async (name: string, checkout?: string): Promise<LiveSite> => {
    const site = await startLiveSite({
      name,
      databaseUrl,
      folder: postgres.folder,
      secrets,
      // An older release refuses a newer schema otherwise.
      ...(checkout && { checkout, env: { NEWER_SCHEMA: 'allow' } }),
    })
    onFinished(site.stop)
    return site
  }
  const act = async (what: string, sites: readonly LiveSite[]) => {
    const origins = sites.map(({ origin }) => origin)
    const { calls, granted, busy, faults: found } = await crosswise(origins, members, classIds, CALLS_EACH)
    const broken = await findBrokenRules(databaseUrl)
    print(
      `${what}: ${calls} calls, ${granted} granted, ${busy} got 503, ${found.length} faults, ${broken.length} rules broken`,
    )
    if (granted === 0) faults.push(`${what}: nothing was granted`)
    faults.push(...found, ...broken)
  }

  const before = await start('before', previous.folder)
  await act('The previous release on the new schema', [before])
  const now = await start('now')
  await act('Both together', [before, now])
  await before.stop()
  await act('The new release alone', [now])
  return faults
}

async function findBrokenRules(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query('select deadlocks from pg_stat_database where datname = current_database()')
    const deadlocks = rows[0].deadlocks > 0 ? [`${rows[0].deadlocks} deadlocks`] : []
    return [...(await brokenInvariants(client)), ...deadlocks]
  } finally {
    await client.end()
  }
}

await check(compare, 'Both releases agree.')
