import { type Browser, chromium, type Page } from '@playwright/test'
import { findChromium } from '#testing/chromium.ts'
import { type Bench, type FilledSite, openSite } from '../lib/bench.ts'
import { addClasses, addMembers, FIRST_DAY, type SignedIn } from '../lib/fill.ts'
import { median } from '../lib/rounds.ts'
import type { Cost } from '../lib/table.ts'

/** Lighthouse's throttling of a phone: slow 4G, 4× slower CPU. */
const SLOW_4G = { offline: false, latency: 562.5, downloadThroughput: 184_320, uploadThroughput: 84_375 }
const CPU_SLOWDOWN = 4
const PHONE = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true }
/** INP, and the time from the response to a write to the paint of its toast. Google calls 200 ms good. */
const MAX_PRESS_MS = 100
const MAX_SHIFT = 0.01
const ROWS_ROUNDS = 10
const PRESS_ROUNDS = 5

type People = { member: SignedIn; owner: SignedIn }
type Site = FilledSite<People>

/** A member who may book one class a day, and the owner. */
function openStudio(bench: Bench, name: string, checkout?: string) {
  return openSite<People>(bench, {
    name,
    checkout,
    async fillWith(client, secrets) {
      const [member, owner] = (await addMembers(client, 20, secrets)) as [SignedIn, SignedIn]
      await client.query('update users set is_admin = true where id = $1', [owner.id])
      await addClasses(client, { days: ROWS_ROUNDS + 1, aDay: 1 })
      return { member, owner }
    },
  })
}

/** The day of a round, with one class. */
const bookingPage = (round: number) => `/booking?date=${FIRST_DAY.add({ days: round })}`

async function openBrowser(): Promise<Browser> {
  const { executablePath, args, env } = await findChromium()
  return await chromium.launch({ executablePath, args, env })
}

/** An empty phone that is signed in. */
async function openPhone(browser: Browser, origin: string, { cookie }: SignedIn, isSlowNetwork: boolean) {
  const context = await browser.newContext({ ...PHONE, baseURL: origin })
  const [name = '', value = ''] = cookie.split('=')
  await context.addCookies([
    { name, value, url: origin },
    { name: 'signed-in', value: 'yes', url: origin },
  ])
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  if (isSlowNetwork) {
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', SLOW_4G)
  }
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  return { page, close: () => context.close() }
}

const bookButton = (page: Page) => page.getByRole('button', { name: /^Book Reformer Pilates Duo at/ })

async function book(page: Page): Promise<void> {
  await bookButton(page).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('checkbox', { name: /cancellation policy/ }).check()
  await dialog.getByRole('checkbox', { name: /terms and conditions/ }).check()
  await dialog.getByRole('button', { name: 'Confirm Booking' }).click()
  await page.getByText('Booking Confirmed').first().waitFor()
}

async function cancel(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Cancel Reformer Pilates Duo on/ })
    .first()
    .click()
  await page.getByText('Booking cancelled successfully').first().waitFor()
}

type Waits = Record<'the first class of a day' | 'its booking' | 'the dashboard', number>

/**
 * Measures how long a member with a slow phone and an empty cache waits for the first class of a day, for its booking,
 * and for the dashboard, here and before.
 */
export async function measureRows(bench: Bench): Promise<Cost[]> {
  await using stack = new AsyncDisposableStack()
  const sites = [stack.use(await openStudio(bench, 'rows'))]
  if (bench.against) sites.push(stack.use(await openStudio(bench, 'rows_before', bench.against)))
  const browser = stack.adopt(await openBrowser(), (opened) => opened.close())
  bench.print('Waiting for rows on a slow phone.')
  const waits = sites.map((): Waits[] => [])
  // In turns, so that load affects both sides alike. The first round is a warm-up.
  for (let round = 0; round <= ROWS_ROUNDS; round++) {
    for (const [i, site] of sites.entries()) {
      const measured = await waitForRows(browser, site, round)
      if (round > 0) waits[i]?.push(measured)
    }
  }
  return (['the first class of a day', 'its booking', 'the dashboard'] as const).map((what) => {
    const [here = 0, before] = waits.map((all) => median(all.map((wait) => wait[what])))
    const then = before === undefined ? '' : ` (before: ${before.toFixed(0)} ms, ${(here / before).toFixed(2)} ×)`
    return { what: `a slow phone waits for ${what}`, cost: `${here.toFixed(0)} ms${then}`, limit: '', isKept: true }
  })
}

async function waitForRows(browser: Browser, { origin, filled }: Site, round: number): Promise<Waits> {
  const open = async (path: string, look: (page: Page) => Promise<unknown>) => {
    const phone = await openPhone(browser, origin, filled.member, true)
    const startedAt = performance.now()
    await phone.page.goto(path, { waitUntil: 'commit' })
    await look(phone.page)
    return { ...phone, startedAt, ms: performance.now() - startedAt }
  }
  const booking = await open(bookingPage(round), (page) => bookButton(page).waitFor())
  await book(booking.page)
  const booked = performance.now() - booking.startedAt
  await booking.close()
  const upcoming = (page: Page) => page.getByRole('heading', { name: 'Upcoming classes' }).waitFor()
  const dashboard = await open('/dashboard', upcoming)
  await dashboard.close()
  return { 'the first class of a day': booking.ms, 'its booking': booked, 'the dashboard': dashboard.ms }
}

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

/** The slowest press (INP) and its element, the time from response to toast (0 if there was none), and CLS. */
type Visit = { slowest: number; pressed: string; toast: number; shift: number }
type Journey = { name: string; path: string; as: SignedIn; press: (page: Page) => Promise<void> }
/** Its toast has no limit, because the page is still loading. */
const CANCEL_DURING_LOAD = 'cancel it while the page loads'

/** Measures INP and toasts on a slow phone while a class is booked and cancelled and the admin's lists are opened. */
export async function measurePresses(bench: Bench): Promise<Cost[]> {
  await using stack = new AsyncDisposableStack()
  const { origin, filled } = stack.use(await openStudio(bench, 'presses'))
  const browser = stack.adopt(await openBrowser(), (opened) => opened.close())
  bench.print('Pressing on a slow phone.')
  const visits = new Map<string, Visit[]>()
  for (let round = 0; round <= PRESS_ROUNDS; round++) {
    for (const { name, path, as, press } of journeysOf(filled, round)) {
      const { page, close } = await openPhone(browser, origin, as, false)
      await page.addInitScript(MEASURE_SCRIPT)
      await page.goto(path)
      await press(page)
      const visit: Visit = await page.evaluate('window.measured()')
      await close()
      // The first round is a warm-up.
      if (round > 0) visits.set(name, [...(visits.get(name) ?? []), visit])
    }
  }
  return [...visits].map(([name, all]) => {
    const middle = (of: (visit: Visit) => number) => median(all.map(of))
    const [press, toast, shift] = [middle((one) => one.slowest), middle((one) => one.toast), middle((one) => one.shift)]
    const hasToastLimit = name !== CANCEL_DURING_LOAD
    const pressed = all.find(({ slowest }) => slowest >= press)?.pressed
    return {
      what: `presses to ${name}`,
      cost: `${press} ms to the next paint (${pressed}), toast after ${toast} ms, CLS ${shift}`,
      limit: `at most ${MAX_PRESS_MS} ms${hasToastLimit ? ' each' : ''}, CLS ${MAX_SHIFT}`,
      isKept: press <= MAX_PRESS_MS && (!hasToastLimit || toast <= MAX_PRESS_MS) && shift <= MAX_SHIFT,
    }
  })
}

function journeysOf({ member, owner }: People, round: number): Journey[] {
  const booking = { path: bookingPage(round), as: member, press: book }
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
    { name: 'open the admin’s lists', path: '/admin', as: owner, press: openLists },
  ]
}

/** Of the admin's bar on a phone. */
const IN_MORE = ['Packages', 'Health Updates', 'Analytics']

async function openLists(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Recent Bookings' }).waitFor()
  for (const tab of ['Users', 'Classes', 'Bookings', 'Packages', 'Health Updates', 'Analytics']) {
    if (IN_MORE.includes(tab)) await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('link', { name: tab, exact: true }).filter({ visible: true }).first().click()
    await page.getByRole('region', { name: tab, exact: true }).waitFor()
    const loading = page.getByRole('main').getByRole('status').filter({ hasText: 'Loading' })
    await loading.first().waitFor({ state: 'detached' })
  }
}
