import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium, type Page } from '@playwright/test'
import { findChromium } from '#testing/chromium.ts'
import type { Person } from '#testing/person.ts'
import { withCleanUp } from './lib/clean-up.ts'
import { demoClass, demoMember } from './lib/demo-member.ts'
import { DemoSite } from './storm/demo-site.ts'

const ROUNDS = 10
/** Lighthouse's throttling of a phone: slow 4G, 4× slower CPU. */
const SLOW_4G = { offline: false, latency: 562.5, downloadThroughput: 184_320, uploadThroughput: 84_375 }
const CPU_SLOWDOWN = 4
const PHONE = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true }

type Side = { name: string; site: DemoSite; member: Person; titles: string[]; date: string }
type Waits = { row: number; booked: number; dashboard: number }

/**
 * `npm run lab -- first-rows [--against <folder>]`: measures how long a member with a slow phone and an empty cache
 * waits for the first class of a day, for its booking, and for the dashboard.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { against: { type: 'string' } } })
  const folder = await mkdtemp(join(tmpdir(), 'studio-first-rows-'))
  const toStop: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
  await withCleanUp(
    async () => {
      const sides: Side[] = []
      for (const [name, checkout] of Object.entries({ here: undefined, before: values.against })) {
        if (name === 'before' && !checkout) continue
        const site = await DemoSite.prepare(join(folder, name), checkout && resolve(checkout))
        toStop.unshift(() => site.stop())
        await site.start()
        sides.push(await prepare(name, site))
      }
      const { executablePath, args, env } = await findChromium()
      const browser = await chromium.launch({ executablePath, args, env })
      toStop.unshift(() => browser.close())
      const waits = new Map<Side, Waits[]>(sides.map((side) => [side, []]))
      // In turns, so that load affects both sides alike.
      for (let round = 0; round <= ROUNDS; round += 1) {
        for (const side of sides) {
          const measured = await visit(browser, side, round)
          // The first round is a warm-up.
          if (round > 0) waits.get(side)?.push(measured)
        }
      }
      const medians = Object.fromEntries([...waits].map(([{ name }, all]) => [name, mediansOf(all)]))
      console.table(medians)
      const { here, before } = medians
      if (here && before) console.table({ 'here / before': mapOf((name) => (here[name] / before[name]).toFixed(2)) })
    },
    async () => {
      for (const stop of toStop) await stop()
    },
  )
}

/** A member who may book, and a class for each round on an otherwise empty day. */
async function prepare(name: string, site: DemoSite): Promise<Side> {
  const date = Temporal.Now.plainDateISO().add({ days: 20 }).toString()
  const { admin, member } = await demoMember(site.origin, ROUNDS + 2)
  const titles = Array.from({ length: ROUNDS + 1 }, (_, round) => `Measured ${round}`)
  for (const [round, title] of titles.entries()) await demoClass(admin, title, date, 7 + round)
  return { name, site, member, titles, date }
}

async function visit(browser: Browser, { site, member, titles, date }: Side, round: number): Promise<Waits> {
  const title = titles[round] ?? ''
  const open = async (path: string, look: (page: Page) => Promise<unknown>) => {
    const context = await browser.newContext({ ...PHONE, baseURL: site.origin })
    const cookies = [...member.cookies].map(([name, value]) => ({ name, value, url: site.origin }))
    await context.addCookies(cookies)
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', SLOW_4G)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
    const startedAt = performance.now()
    await page.goto(path, { waitUntil: 'commit' })
    await look(page)
    const wait = performance.now() - startedAt
    return { page, wait, close: () => context.close() }
  }
  const book = (page: Page) => page.getByRole('button', { name: `Book ${title} at` })
  const booking = await open(`/booking?date=${date}`, (page) => book(page).waitFor())
  const startedAt = performance.now()
  await book(booking.page).click()
  const dialog = booking.page.getByRole('dialog')
  await dialog.getByRole('checkbox', { name: /cancellation policy/ }).check()
  await dialog.getByRole('checkbox', { name: /terms and conditions/ }).check()
  await dialog.getByRole('button', { name: 'Confirm Booking' }).click()
  const toasts = booking.page.getByRole('region', { name: /Notifications/ })
  await toasts.getByText('Booking Confirmed').first().waitFor()
  const booked = booking.wait + performance.now() - startedAt
  await booking.close()
  const dashboard = await open('/dashboard', (page) =>
    page.getByRole('heading', { name: 'Upcoming classes' }).waitFor(),
  )
  await dashboard.close()
  return { row: booking.wait, booked, dashboard: dashboard.wait }
}

const NAMES = ['row', 'booked', 'dashboard'] as const
const mapOf = <T>(of: (name: (typeof NAMES)[number]) => T) =>
  Object.fromEntries(NAMES.map((name) => [name, of(name)])) as Record<(typeof NAMES)[number], T>

/** Milliseconds, rounded. */
function mediansOf(waits: readonly Waits[]): Waits {
  return mapOf((name) => {
    const sorted = waits.map((wait) => wait[name]).sort((a, b) => a - b)
    return Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0)
  })
}

await main()
