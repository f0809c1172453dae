import { availableParallelism, loadavg } from 'node:os'
import { withCleanUp } from './lib/clean-up.ts'
import { FIRST_DAY, fillWithMembers, type SignedIn } from './lib/fill.ts'
import { type LiveSite, startLiveSite } from './lib/live-site.ts'
import { startOwnPostgres } from './lib/own-postgres.ts'
import { type Cost, tableOf } from './lib/table.ts'
import { measureMemberPage } from './page-cost/member-page.ts'
import { measurePublicPage } from './page-cost/public-page.ts'

const PUBLIC = ['/', '/pricing']
/** Classes of a full day. */
const CLASSES = { days: 14, aDay: 8 }
const TITLE = 'Reformer Pilates Duo'

/**
 * `npm run lab -- page-cost`: compares a public page's rate with a bare node:http that sends the same bytes, and
 * measures a member's page in milliseconds of processor time. Exits with 1 when a limit is missed.
 */
async function main(): Promise<number> {
  console.log(
    `Node ${process.versions.node}, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)} at the start.`,
  )
  const postgres = await startOwnPostgres()
  const costs: Cost[] = []
  let site: LiveSite | undefined
  const measure = async () => {
    const databaseUrl = await postgres.database('page_cost')
    const { secrets, members, classIds } = await fillWithMembers(databaseUrl, { members: 2, ...CLASSES })
    site = await startLiveSite({ name: 'page_cost', databaseUrl, folder: postgres.folder, secrets })
    const [member] = members as [SignedIn]
    for (const classId of classIds.slice(0, 3)) await book(site, member, classId)
    for (const path of PUBLIC) costs.push(...(await measurePublicPage(site, path)))
    for (const path of [`/booking?date=${FIRST_DAY}`, '/dashboard'])
      costs.push(await measureMemberPage(site, { path, member, words: TITLE }))
  }
  await withCleanUp(measure, async () => {
    await site?.stop()
    await postgres.stop()
  })
  console.log(`\n${tableOf(costs)}`)
  return costs.every(({ isKept }) => isKept) ? 0 : 1
}

async function book({ origin }: LiveSite, { cookie }: SignedIn, classId: number): Promise<void> {
  const response = await fetch(`${origin}/api/bookings`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ classId }),
  })
  if (response.status !== 201) throw new Error(`a booking returned ${response.status}`)
}

process.exitCode = await main()
