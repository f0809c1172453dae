import type { Opening, TabSetup } from './drivers/open-tab.ts'
import { type Driver, startDriver } from './lib/driver.ts'
import { fillStudio, type StudioSize } from './lib/fill-studio.ts'
import { newSecrets, startLiveSite } from './lib/live-site.ts'
import { type OwnPostgres, runSql } from './lib/own-postgres.ts'
import { alternate, type Comparison } from './lib/rounds.ts'

/** 5,000 users, 50,008 classes, 200,032 bookings. */
const LARGE: StudioSize = { members: 5000, days: 3572, aDay: 14 }
/** 50 users; as many classes a day, so that a month's list is the same work on both sides. */
const SMALL: StudioSize = { members: 50, days: 84, aDay: 14 }

/** Openings of a tab on the large side. */
const OPENINGS = 100
const WARM_UP = 10
const ROUNDS = 31
/** Of requests in a round and side. */
const A_ROUND = 20

/** How long a tab of the admin's area takes to show its first rows: until the last of its calls is answered. */
export type TabCost = {
  tab: string
  /** Milliseconds within which 95 of 100 openings were answered. */
  ms95: number
  /** Where the tab is a list: its cost beside that of the small studio. */
  beside?: Comparison
}

/** Opens each of the seven tabs of a large studio, and asks its lists beside those of a studio with 50 users. */
export async function measureAdminTabs(postgres: OwnPostgres): Promise<TabCost[]> {
  const large = await openSide(postgres, 'admin_large', LARGE)
  const small = await openSide(postgres, 'admin_small', SMALL)
  try {
    const costs: TabCost[] = []
    for (const { tab, paths, list } of tabs()) {
      await large.run({ paths, times: WARM_UP })
      const times: number[] = []
      for (let i = 0; i < OPENINGS; i++) times.push(await large.run({ paths, times: 1 }))
      costs.push({ tab, ms95: nearestRank(times, 0.95), beside: list ? await compare(list, large, small) : undefined })
    }
    return costs
  } finally {
    await small.stop()
    await large.stop()
  }
}

/** What the screens ask when they are opened: keep it as `src/pages/admin` has it. */
function tabs(): { tab: string; paths: string[]; list?: string }[] {
  const today = Temporal.Now.plainDateISO()
  const day = (days: number) => today.add({ days }).toString()
  const page = 'limit=25&offset=0'
  const first = today.with({ day: 1 })
  const year = first.subtract({ months: 11 })
  const month = `/api/classes?from=${first}&to=${first.add({ months: 1 }).subtract({ days: 1 })}`
  return [
    {
      tab: 'Overview',
      paths: [`/api/admin/sessions?from=${day(0)}&to=${day(1)}`, '/api/admin/overview', '/api/admin/bookings?limit=5'],
    },
    { tab: 'Analytics', paths: ['/api/admin/analytics', `/api/admin/report?from=${year}&to=${today}`] },
    { tab: 'Users', paths: [`/api/admin/users?${page}`], list: `/api/admin/users?${page}` },
    { tab: 'Classes', paths: [month], list: month },
    {
      tab: 'Packages',
      paths: ['/api/admin/packages', `/api/admin/purchases?${page}`],
      list: `/api/admin/purchases?${page}`,
    },
    { tab: 'Bookings', paths: [`/api/admin/bookings?${page}`], list: `/api/admin/bookings?${page}` },
    {
      tab: 'Health Updates',
      paths: [`/api/admin/health-updates?${page}`],
      list: `/api/admin/health-updates?${page}`,
    },
  ]
}

type Side = Driver<Opening>

async function compare(path: string, large: Side, small: Side): Promise<Comparison> {
  const work = { paths: [path], times: A_ROUND }
  await alternate(
    WARM_UP,
    () => large.run(work),
    () => small.run(work),
  )
  return await alternate(
    ROUNDS,
    () => large.run(work),
    () => small.run(work),
  )
}

async function openSide(postgres: OwnPostgres, name: string, size: StudioSize): Promise<Side> {
  const databaseUrl = await postgres.database(name)
  const secrets = newSecrets()
  const { cookie } = await fillStudio(databaseUrl, size, secrets)
  await holdsWhatItShould(databaseUrl, size)
  const site = await startLiveSite({ name, databaseUrl, folder: postgres.folder, secrets })
  const driver = await startDriver<TabSetup, Opening>('open-tab', { origin: site.origin, cookie })
  return {
    run: driver.run,
    async stop() {
      await driver.stop()
      await site.stop()
    },
  }
}

async function holdsWhatItShould(databaseUrl: string, { members, days, aDay }: StudioSize): Promise<void> {
  const { rows } = await runSql(
    databaseUrl,
    `select (select count(*) from users)::int as users, (select count(*) from classes)::int as classes,
            (select count(*) from bookings)::int as bookings, (select count(*) from health_updates)::int as updates,
            (select count(*) from purchases)::int as purchases,
            (select count(*) from passes where credits_remaining <>
              (select coalesce(sum(credits), 0) from credit_ledger where pass_id = passes.id))::int as unexplained`,
  )
  const { users, classes, bookings, updates, purchases, unexplained } = rows[0]
  const isRight =
    users === members &&
    classes === days * aDay &&
    bookings === 4 * classes &&
    updates === 4 * users &&
    purchases === 4 * users &&
    unexplained === 0
  if (!isRight) throw new Error(`a studio of ${members} members holds ${JSON.stringify(rows[0])}`)
}

/** The smallest value that is not below this share of them. */
function nearestRank(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.ceil(share * sorted.length) - 1] ?? 0
}
