import { type Bench, compareWithBefore, openSite } from '../lib/bench.ts'
import { fillStudio, type StudioSize } from '../lib/fill-studio.ts'
import { alternate, BRIEF, nearestRank } from '../lib/rounds.ts'
import { startSender } from '../lib/sender.ts'
import { type Cost, costOf } from '../lib/table.ts'

/** 5,000 users, 50,008 classes, 200,032 bookings. */
const LARGE: StudioSize = { members: 5000, days: 3572, aDay: 14 }
/** 50 users, with as many classes a day, so that a month's list is as long. */
const SMALL: StudioSize = { members: 50, days: 84, aDay: 14 }

/** 95th percentile of opening a tab, until the last of its requests, in milliseconds. */
const TAB_MS = 300
/** Highest cost of a list compared with 50 users. */
const MAX_COST_TO_SMALL = 2
const OPENINGS = { atLeast: 20, atMost: 100, seconds: 5 }
const WARM_UP = 5
/** Requests per round. */
const PER_ROUND = 10

/** Measures opening each tab of a large studio, and its lists compared with those of a studio of 50 users. */
export async function measureAdminTabs(bench: Bench): Promise<Cost[]> {
  await using large = await openSide(bench, 'admin_large', LARGE)
  await using small = await openSide(bench, 'admin_small', SMALL)
  await using before = bench.against ? await openSide(bench, 'admin_large_before', LARGE, bench.against) : undefined
  const costs: Cost[] = []
  for (const { tab, paths, list } of tabs()) {
    bench.print(`Opening ${tab}.`)
    costs.push(await opening(tab, paths, large))
    const request = (side: Side, requested: string[]) => () => side.run({ paths: requested, times: PER_ROUND })
    if (list) {
      const comparison = await alternate(BRIEF, request(large, [list]), request(small, [list]))
      costs.push(costOf(`${tab}: its list, compared with 50 users`, comparison, { atMost: MAX_COST_TO_SMALL }))
    }
    const known = before ? await answered(before, paths) : []
    if (before && known.length > 0) {
      costs.push(await compareWithBefore(tab, request(large, known), request(before, known), BRIEF))
    }
  }
  return costs
}

async function opening(tab: string, paths: string[], { run }: Side): Promise<Cost> {
  await run({ paths, times: WARM_UP })
  const times: number[] = []
  const startedAt = performance.now()
  const isTimeUp = () => performance.now() - startedAt > OPENINGS.seconds * 1000
  while (times.length < OPENINGS.atLeast || (times.length < OPENINGS.atMost && !isTimeUp())) {
    times.push(await run({ paths, times: 1 }))
  }
  const ms95 = nearestRank(times, 0.95)
  return {
    what: `${tab}: first rows, 95 of 100 openings`,
    cost: `${ms95.toFixed(0)} ms`,
    limit: `at most ${TAB_MS} ms`,
    isKept: ms95 <= TAB_MS,
  }
}

/** The paths that the older checkout has too. */
async function answered(side: Side, paths: string[]): Promise<string[]> {
  const known: string[] = []
  for (const path of paths) {
    const isKnown = await side.run({ paths: [path], times: 1 }).then(
      () => true,
      () => false,
    )
    if (isKnown) known.push(path)
  }
  return known
}

/** The requests that the first rows of each tab wait for, as in `src/pages/admin`. */
function tabs(): { tab: string; paths: string[]; list?: string }[] {
  const today = Temporal.Now.plainDateISO()
  const day = (days: number) => today.add({ days }).toString()
  const page = 'limit=25&offset=0'
  const first = today.with({ day: 1 })
  const year = first.subtract({ months: 11 })
  const month = `from=${first}&to=${first.add({ months: 1 }).subtract({ days: 1 })}`
  const listed = (tab: string, list: string) => ({ tab, paths: [list], list })
  return [
    {
      tab: 'Overview',
      paths: [
        '/api/admin/set-up',
        '/api/admin/attention',
        `/api/admin/sessions?from=${day(0)}&to=${day(1)}`,
        '/api/admin/overview',
        '/api/admin/bookings?limit=5',
      ],
    },
    { tab: 'Overview, Worth a look', paths: ['/api/admin/prompts'] },
    { tab: 'Analytics', paths: ['/api/admin/analytics'] },
    { tab: 'Analytics, Over time', paths: [`/api/admin/report?from=${year}&to=${today}`] },
    listed('Users', `/api/admin/users?${page}`),
    {
      tab: 'Classes',
      paths: ['/api/closures', `/api/classes?${month}`, `/api/admin/classes/people?${month}`],
      list: `/api/classes?${month}`,
    },
    { tab: 'Packages', paths: ['/api/admin/packages'] },
    listed('Packages, Purchases', `/api/admin/purchases?${page}`),
    listed('Bookings', `/api/admin/bookings?${page}`),
    listed('Bookings, today first', `/api/admin/bookings?${page}&from=${today}&order=earliest`),
    listed('Bookings, before today', `/api/admin/bookings?${page}&to=${day(-1)}&order=latest`),
    listed('Health Updates', `/api/admin/health-updates?${page}`),
    { tab: 'Messages', paths: [`/api/classes?from=${day(1)}&to=${day(1)}`, `/api/admin/messages?${page}`] },
    { tab: 'Studio settings', paths: ['/api/admin/studio'] },
    { tab: 'Bring members over', paths: ['/api/admin/invitations'] },
    listed('Security record', `/api/admin/security?${page}`),
  ]
}

/** Sends a screen's requests concurrently, so many times; returns the milliseconds. */
type Opening = { paths: readonly string[]; times: number }
type Side = AsyncDisposable & { run(opening: Opening): Promise<number> }

async function openSide(bench: Bench, name: string, size: StudioSize, checkout?: string): Promise<Side> {
  await using started = new AsyncDisposableStack()
  const fillWith = (...[client, secrets]: Parameters<Parameters<typeof openSite>[1]['fillWith']>) =>
    fillStudio(client, size, secrets)
  const site = started.use(await openSite(bench, { name, checkout, fillWith }))
  const sender = started.use(await startSender())
  const stop = started.move()
  const run = async ({ paths, times }: Opening) => {
    const requests = paths.map((path) => ({ method: 'GET', path, cookie: site.filled.cookie }))
    const sending = { origins: [site.origin], requests, atOnce: paths.length, statuses: [200], times }
    return (await sender.run(sending)).ms
  }
  return { run, [Symbol.asyncDispose]: () => stop.disposeAsync() }
}
