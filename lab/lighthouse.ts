import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { readArticles } from '#content/build/front-matter.ts'
import { freePort } from '#platform/database/embedded/cluster.ts'
import { findChromium } from '#testing/chromium.ts'
import type { Person } from '#testing/person.ts'
import { auditOnce, type Measured, medianOf, type Run } from './lib/audit.ts'
import { withCleanUp } from './lib/clean-up.ts'
import { demoClass, demoMember, post } from './lib/demo-member.ts'
import { DemoSite } from './storm/demo-site.ts'

const RUNS = 3
/** Minimum scores; maximum milliseconds and shift. */
type Limits = Partial<Run>
const PUBLIC: Limits = { performance: 98, accessibility: 100, 'best-practices': 100, seo: 100, lcp: 1600, cls: 0 }
/** Not indexed, which lowers their SEO score. */
const MEMBERS: Limits = { performance: 95, accessibility: 100, 'best-practices': 100, cls: 0 }
/** Never a first visit, so only CLS counts. */
const STILL: Limits = { accessibility: 100, 'best-practices': 100, cls: 0 }

type Page = { path: string; limits: Limits }
const PUBLIC_PAGES: Page[] = [
  '/',
  '/harrogate-reformer-pilates-classes',
  '/pricing',
  '/blog',
  `/blog/${readArticles()[0]?.slug}`,
].map((path) => ({ path, limits: PUBLIC }))
const MEMBER_PAGES: Page[] = [
  { path: '/booking', limits: MEMBERS },
  { path: '/dashboard', limits: MEMBERS },
  { path: '/health', limits: STILL },
]
const ADMIN_PAGES: Page[] = [{ path: '/admin', limits: STILL }]

/**
 * `npm run lab -- lighthouse [<path> …]`: Lighthouse on a phone, the median of three runs, for public pages, those of a
 * member with a booking, and the admin's. Exits with 1 when a limit is missed.
 */
async function main(paths: readonly string[]): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), 'studio-lighthouse-'))
  const site = await DemoSite.prepare(dataDir)
  const measured = new Map<Page, Measured>()
  const measure = async () => {
    await site.start()
    const { admin, member } = await withBooking(site.origin)
    const port = await freePort()
    const { executablePath, args, env } = await findChromium()
    // Lighthouse uses the browser's own profile, whose cookies decide who is signed in.
    const browser = await chromium.launchPersistentContext(join(dataDir, 'browser'), {
      executablePath,
      env,
      args: [...args, `--remote-debugging-port=${port}`],
    })
    const audit = async (pages: readonly Page[], person?: Person) => {
      await browser.clearCookies()
      const cookies = [...(person?.cookies ?? [])].map(([name, value]) => ({ name, value, url: site.origin }))
      await browser.addCookies(cookies)
      for (const page of pages) {
        if (paths.length > 0 && !paths.includes(page.path)) continue
        const runs: Measured[] = []
        for (let i = 0; i < RUNS; i++) runs.push(await auditOnce(site.origin + page.path, port))
        const median = medianOf(runs)
        measured.set(page, median)
        console.log(page.path, rounded(median))
      }
    }
    await withCleanUp(
      async () => {
        await audit(PUBLIC_PAGES)
        await audit(MEMBER_PAGES, member)
        await audit(ADMIN_PAGES, admin)
      },
      () => browser.close(),
    )
  }
  await withCleanUp(measure, async () => {
    await site.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
  console.table(Object.fromEntries([...measured].map(([{ path }, run]) => [path, rounded(run)])))
  const missed = [...measured].flatMap(([{ path, limits }, run]) =>
    missedBy(run, limits).map((name) => `${path}: ${name} ${run[name]}`),
  )
  for (const [{ path, limits }, { faults }] of measured) {
    // Pages that must not be indexed are no fault.
    const shown = faults.filter((fault) => limits.seo !== undefined || !fault.startsWith('is-crawlable'))
    for (const fault of shown) console.log(`${path}: ${fault}`)
  }
  console.log(missed.length === 0 ? 'Everything is within its limit.' : `Missed: ${missed.join(', ')}`)
  return missed.length === 0 ? 0 : 1
}

/** A member with a booking on the dashboard. */
async function withBooking(origin: string) {
  const people = await demoMember(origin, 6)
  const date = Temporal.Now.plainDateISO().add({ days: 2 }).toString()
  const { id } = await demoClass(people.admin, 'Looked at', date, 6)
  await post(people.member, '/api/bookings', { classId: id })
  return people
}

function missedBy(run: Run, limits: Limits): (keyof Run)[] {
  const names = Object.keys(limits) as (keyof Run)[]
  const isMost = (name: keyof Run) => name === 'lcp' || name === 'tbt' || name === 'cls'
  const by = (name: keyof Run) => (isMost(name) ? 1 : -1) * (run[name] - (limits[name] ?? run[name]))
  return names.filter((name) => by(name) > 0)
}

const rounded = ({ faults: _, lcp, tbt, cls, ...points }: Measured) => ({
  ...points,
  'LCP (s)': Number((lcp / 1000).toFixed(2)),
  'TBT (ms)': Math.round(tbt),
  CLS: Number(cls.toFixed(4)),
})

process.exitCode = await main(process.argv.slice(2))
