import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from '@playwright/test'
import { z } from 'zod'
import { readArticles } from '#content/build/front-matter.ts'
import { freePort } from '#platform/database/embedded/cluster.ts'
import { findChromium } from '#testing/chromium.ts'
import type { Person } from '#testing/person.ts'
import { check } from './lib/check.ts'
import { demoClass, demoMember, post } from './lib/demo-member.ts'
import { median } from './lib/rounds.ts'
import { DemoSite } from './storm/demo-site.ts'

const CLI = join(import.meta.dirname, 'tools/node_modules/lighthouse/cli/index.js')
const RUNS = 3
const FIGURES = ['performance', 'accessibility', 'best-practices', 'seo', 'lcp', 'tbt', 'cls'] as const
/** Scores of 100, LCP and total blocking time in milliseconds, CLS. */
type Run = Record<(typeof FIGURES)[number], number>
/** Minimum scores; maximum milliseconds and shift. */
type Limits = Partial<Run>
const PUBLIC: Limits = { performance: 98, accessibility: 100, 'best-practices': 100, seo: 100, lcp: 1600, cls: 0 }
/** Not indexed, which lowers their SEO score. */
const MEMBERS: Limits = { performance: 95, accessibility: 100, 'best-practices': 100, cls: 0 }
/** Never a first visit, so only CLS counts. */
const STILL: Limits = { accessibility: 100, 'best-practices': 100, cls: 0 }

const PUBLIC_PAGES: Record<string, Limits> = {
  '/': PUBLIC,
  '/harrogate-reformer-pilates-classes': PUBLIC,
  '/pricing': PUBLIC,
  '/blog': PUBLIC,
  [`/blog/${readArticles()[0]?.slug}`]: PUBLIC,
}
const MEMBER_PAGES: Record<string, Limits> = { '/booking': MEMBERS, '/dashboard': MEMBERS, '/health': STILL }
const ADMIN_PAGES: Record<string, Limits> = { '/admin': STILL }

/** The part of Lighthouse's report that we read. */
const Score = z.number().nullable()
const Report = z.object({
  runtimeError: z.object({ message: z.string() }).optional(),
  finalDisplayedUrl: z.string(),
  categories: z.record(
    z.string(),
    z.object({ score: Score, auditRefs: z.array(z.object({ id: z.string(), weight: z.number() })) }),
  ),
  audits: z.record(z.string(), z.object({ title: z.string(), score: Score, numericValue: z.number().optional() })),
})

/**
 * Runs Lighthouse on a page with its mobile throttling and an empty cache, and prints what it found wrong.
 *
 * @param port the browser's debugging port; its cookies are sent
 */
async function auditOnce(url: string, port: number): Promise<Run> {
  const args = [CLI, url, `--port=${port}`, '--output=json', '--quiet']
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 100_000_000 })
  const { categories, audits, runtimeError, finalDisplayedUrl } = Report.parse(JSON.parse(stdout))
  if (runtimeError) throw new Error(`${url}: ${runtimeError.message}`)
  if (finalDisplayedUrl !== url) throw new Error(`${url} led to ${finalDisplayedUrl}`)
  for (const name of ['accessibility', 'best-practices', 'seo']) {
    for (const { id, weight } of categories[name]?.auditRefs ?? []) {
      // Pages behind the login must not be indexed.
      const isWrong = weight > 0 && (audits[id]?.score ?? 1) < 1 && id !== 'is-crawlable'
      if (isWrong) console.log(`${url}: ${id}: ${audits[id]?.title}`)
    }
  }
  const points = (name: string) => Math.round((categories[name]?.score ?? 0) * 100)
  const value = (name: string) => audits[name]?.numericValue ?? Number.POSITIVE_INFINITY
  return {
    performance: points('performance'),
    accessibility: points('accessibility'),
    'best-practices': points('best-practices'),
    seo: points('seo'),
    lcp: value('largest-contentful-paint'),
    tbt: value('total-blocking-time'),
    cls: value('cumulative-layout-shift'),
  }
}

function missedBy(path: string, run: Run, limits: Limits): string[] {
  return FIGURES.flatMap((name) => {
    const [is, limit = is] = [run[name], limits[name]]
    const isMissed = ['lcp', 'tbt', 'cls'].includes(name) ? is > limit : is < limit
    return isMissed ? [`${path}: ${name} ${is}`] : []
  })
}

/**
 * `npm run lab -- lighthouse [<path> …]`: Lighthouse on a phone, the median of three runs, for public pages, those of a
 * member with a booking, and the admin's. Exits with 1 when a limit is missed.
 */
const paths = process.argv.slice(2)
await check(async (onFinished) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'studio-lighthouse-'))
  onFinished(() => rm(dataDir, { recursive: true, force: true }))
  const site = await DemoSite.prepare(dataDir)
  onFinished(() => site.stop())
  await site.start()
  const { admin, member } = await demoMember(site.origin, 6)
  const date = Temporal.Now.plainDateISO().add({ days: 2 }).toString()
  const { id } = await demoClass(admin, 'Looked at', date, 6)
  await post(member, '/api/bookings', { classId: id })
  const port = await freePort()
  const { executablePath, args, env } = await findChromium()
  // Lighthouse uses the browser's own profile, whose cookies decide who is signed in.
  const browser = await chromium.launchPersistentContext(join(dataDir, 'browser'), {
    executablePath,
    env,
    args: [...args, `--remote-debugging-port=${port}`],
  })
  onFinished(() => browser.close())
  const measured: Record<string, Run> = {}
  const missed: string[] = []
  const audit = async (pages: Record<string, Limits>, person?: Person) => {
    await browser.clearCookies()
    const cookies = [...(person?.cookies ?? [])].map(([name, value]) => ({ name, value, url: site.origin }))
    await browser.addCookies(cookies)
    for (const [path, limits] of Object.entries(pages)) {
      if (paths.length > 0 && !paths.includes(path)) continue
      const runs: Run[] = []
      for (let i = 0; i < RUNS; i++) runs.push(await auditOnce(site.origin + path, port))
      const middle = (name: keyof Run) => [name, Number(median(runs.map((run) => run[name])).toFixed(4))]
      const run: Run = Object.fromEntries(FIGURES.map(middle))
      measured[path] = run
      missed.push(...missedBy(path, run, limits))
    }
  }
  await audit(PUBLIC_PAGES)
  await audit(MEMBER_PAGES, member)
  await audit(ADMIN_PAGES, admin)
  console.table(measured)
  return missed
}, 'Everything is within its limit.')
