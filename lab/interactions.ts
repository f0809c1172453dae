import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { findChromium } from '#testing/chromium.ts'
import type { Person } from '#testing/person.ts'
import { check } from './lib/check.ts'
import { demoClass, demoMember } from './lib/demo-member.ts'
import { DemoSite } from './storm/demo-site.ts'

/** INP limit; Google calls 200 ms good. */
const MAX_PRESS_MS = 100
/** Time between the response to a write and the paint of its toast. */
const MAX_TOAST_MS = 100
/** The toast of this step has no limit, because the page is still loading. */
const CANCEL_DURING_LOAD = 'cancel it while the page loads'
/** CLS limit. */
const MAX_SHIFT = 0.01
const ROUNDS = 5
const CPU_SLOWDOWN = 4
const PHONE = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true }

/** Runs in the page. Events with an `interactionId` are presses; layout shifts right after input do not count. */
const MEASURE_SCRIPT = `
  const presses = new Map()
  let shift = 0
  const record = (entry) => {
    if (entry.entryType === 'layout-shift') {
      if (!entry.hadRecentInput) shift += entry.value
    } else if (entry.interactionId && entry.duration > (presses.get(entry.interactionId)?.slowest ?? 0)) {
      const pressed = entry.name + ' ' + entry.target?.textContent?.slice(0, 30)
      presses.set(entry.interactionId, { slowest: entry.duration, pressed })
    }
  }
  const observer = new PerformanceObserver((list) => list.getEntries().forEach(record))
  observer.observe({ type: 'event', durationThreshold: 16, buffered: true })
  observer.observe({ type: 'layout-shift', buffered: true })
  let respondedAt
  let toast = 0
  const send = window.fetch
  window.fetch = async (...request) => {
    const response = await send(...request)
    if ((request[1]?.method ?? 'GET') !== 'GET') respondedAt = performance.now()
    return response
  }
  const painted = () => { toast = Math.round(performance.now() - respondedAt) }
  const toastObserver = new MutationObserver(() => {
    if (respondedAt === undefined || !document.querySelector('.toast')) return
    toastObserver.disconnect()
    requestAnimationFrame(() => setTimeout(painted))
  })
  toastObserver.observe(document, { childList: true, subtree: true })
  window.measured = () => {
    observer.takeRecords().forEach(record)
    const [slowest] = [...presses.values()].sort((a, b) => b.slowest - a.slowest)
    return { slowest: 0, pressed: 'nothing', ...slowest, toast, shift: Number(shift.toFixed(4)) }
  }`

/**
 * One visit: the slowest press (INP) and its element, the time from response to toast (0 if there was none), and CLS.
 */
type Visit = { slowest: number; pressed: string; toast: number; shift: number }
type Journey = { name: string; path: string; as: Person; press: (page: Page) => Promise<void> }

/**
 * `npm run lab -- interactions`: measures INP and toasts on a slow phone while a class is booked and cancelled and the
 * admin's lists are opened. Median of five visits. Exits with 1 when a limit is missed.
 */
await check(async (onFinished) => {
  const site = await DemoSite.prepare(await mkdtemp(join(tmpdir(), 'studio-interactions-')))
  onFinished(() => site.stop())
  await site.start()
  const { executablePath, args, env } = await findChromium()
  const browser = await chromium.launch({ executablePath, args, env })
  onFinished(() => browser.close())
  const visits = new Map<string, Visit[]>()
  const { admin, member } = await demoMember(site.origin, ROUNDS + 2)
  const date = Temporal.Now.plainDateISO().add({ days: 20 }).toString()
  for (let round = 0; round <= ROUNDS; round += 1) {
    const title = `Pressed ${round}`
    await demoClass(admin, title, date, 7 + round)
    for (const journey of journeysFor({ admin, member, title, date })) {
      const visit = await measureVisit(browser, site.origin, journey)
      // The first round is a warm-up.
      if (round > 0) visits.set(journey.name, [...(visits.get(journey.name) ?? []), visit])
    }
  }
  const medians = new Map([...visits].map(([name, all]) => [name, medianVisit(all)]))
  console.table(Object.fromEntries(medians))
  return [...medians].flatMap(([name, { slowest, pressed, toast, shift }]) => [
    ...(slowest > MAX_PRESS_MS ? [`${name}: ${slowest} ms until the next paint (${pressed})`] : []),
    ...(toast > MAX_TOAST_MS && name !== CANCEL_DURING_LOAD
      ? [`${name}: the toast appeared ${toast} ms after the response`]
      : []),
    ...(shift > MAX_SHIFT ? [`${name}: CLS ${shift}`] : []),
  ])
}, 'Everything is within its limit.')

type Scene = { admin: Person; member: Person; title: string; date: string }
function journeysFor({ admin, member, title, date }: Scene): Journey[] {
  const book = async (page: Page) => {
    await page.getByRole('button', { name: `Book ${title} at` }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('checkbox', { name: /cancellation policy/ }).check()
    await dialog.getByRole('checkbox', { name: /terms and conditions/ }).check()
    await dialog.getByRole('button', { name: 'Confirm Booking' }).click()
    await page.getByText('Booking Confirmed').first().waitFor()
  }
  const cancel = async (page: Page) => {
    await page
      .getByRole('button', { name: `Cancel ${title} on` })
      .first()
      .click()
    await page.getByText('Booking cancelled successfully').first().waitFor()
  }
  const booking = { path: `/booking?date=${date}`, as: member, press: book }
  return [
    { name: 'book a class', ...booking },
    { name: CANCEL_DURING_LOAD, path: '/dashboard', as: member, press: cancel },
    { name: 'book it again', ...booking },
    {
      name: 'cancel it',
      path: '/dashboard',
      as: member,
      press: async (page) => {
        await page.waitForLoadState('networkidle')
        await cancel(page)
      },
    },
    {
      name: 'the admin’s lists',
      path: '/admin',
      as: admin,
      press: async (page) => {
        await page.getByRole('heading', { name: 'Recent Bookings' }).waitFor()
        for (const tab of ['Users', 'Classes', 'Bookings', 'Packages', 'Health Updates', 'Analytics']) {
          await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: tab, exact: true }).click()
          await page.getByRole('region', { name: tab, exact: true }).waitFor()
          const loading = page.getByRole('main').getByRole('status').filter({ hasText: 'Loading' })
          await loading.first().waitFor({ state: 'detached' })
        }
      },
    },
  ]
}

async function measureVisit(browser: Browser, origin: string, { path, as, press }: Journey): Promise<Visit> {
  const context = await browser.newContext({ ...PHONE, baseURL: origin })
  await context.addCookies([...as.cookies].map(([name, value]) => ({ name, value, url: origin })))
  const page = await context.newPage()
  await page.addInitScript(MEASURE_SCRIPT)
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  await page.goto(path)
  await press(page)
  const measured: Visit = await page.evaluate('window.measured()')
  await context.close()
  return measured
}

function medianVisit(visits: readonly Visit[]): Visit {
  const sorted = visits.toSorted((a, b) => a.slowest - b.slowest)
  const middle = sorted[sorted.length >> 1] ?? { slowest: 0, pressed: 'nothing' }
  const median = (of: (visit: Visit) => number) => visits.map(of).sort((a, b) => a - b)[visits.length >> 1] ?? 0
  return {
    slowest: middle.slowest,
    pressed: middle.pressed,
    toast: median(({ toast }) => toast),
    shift: median(({ shift }) => shift),
  }
}
