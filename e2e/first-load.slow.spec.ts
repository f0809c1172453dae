import type { Browser, CDPSession, Page } from '@playwright/test'
import { PUBLIC_PAGES } from '#public-pages.ts'
import { watchLayoutShifts } from './layout-shifts.ts'
import { waitForHydration } from './member.ts'
import { expect, test } from './site.ts'
import { holdRequests } from './traffic.ts'

/** Everything a public page transfers on a phone. Source: docs/testing.md#what-a-page-weighs */
const MAX_BYTES = 450_000
/** Compressed script. Source: docs/testing.md#what-a-page-weighs */
const MAX_SCRIPT_BYTES = 130_000
/** With the form library. Source: docs/decisions/0009-one-form-library.md */
const MAX_AUTH_SCRIPT_BYTES = 140_000
/** The script that a page's HTML names, before the card provider's. Source: docs/testing.md#what-a-page-weighs */
const MEMBER_PAGES: Record<string, number> = {
  '/booking': 130_000,
  '/checkout': 130_000,
  '/dashboard': 150_000,
  '/health': 150_000,
}
const PHONE = { width: 390, height: 844 }
/** These phones load the largest pictures. */
const PHONE_DENSITY = 3
const DESKTOP = { width: 1440, height: 900 }

/** API requests of a visitor's page. Without a session it does not request the user. */
const API_CALLS: Record<string, string[]> = { '/pricing': ['/api/packages'] }

for (const path of PUBLIC_PAGES) {
  test(`${path} is small on a phone, requests only what it needs from its own origin, shifts only when fonts load, and works with Tab`, async ({
    browser,
    site,
  }) => {
    const phone = await firstVisit(browser, site.origin + path, PHONE, PHONE_DENSITY)
    await phone.page.waitForLoadState('networkidle')
    const { bytes, script } = phone.transfers
    const measured = `${path}: ${Math.round(bytes / 1000)} kB at 390 px, ${script} B of it script`
    test.info().annotations.push({ type: 'measured', description: measured })
    if (process.env.SAY_SIZES) console.log(measured)
    expect(bytes).toBeLessThanOrEqual(MAX_BYTES)
    expect(script).toBeLessThanOrEqual(path === '/auth' ? MAX_AUTH_SCRIPT_BYTES : MAX_SCRIPT_BYTES)
    expect(script).toBeGreaterThan(100_000)
    expect(phone.fonts).toBeGreaterThan(1)
    // A character outside the subset font would load the whole font.
    expect(await wholeFonts(phone.page)).toEqual([])
    await phone.page.context().close()

    const desktop = await firstVisit(browser, site.origin + path, DESKTOP, 1)
    for (const { origins, calls } of [phone.transfers, desktop.transfers]) {
      expect([...origins]).toEqual([site.origin])
      expect(calls).toEqual(API_CALLS[path] ?? [])
    }
    await expectAllReachedWithTab(desktop.page)
    await desktop.page.context().close()
  })
}

test('pages behind the login name little script', async ({ request, site }) => {
  const weights = await Promise.all(
    Object.keys(MEMBER_PAGES).map(async (path) => {
      const html = await (await request.get(path)).text()
      const files = new Set([...html.matchAll(/\/assets\/[\w.-]+\.js/g)].map(([file]) => file))
      const sizes = [...files].map(async (file) => {
        const response = await fetch(site.origin + file, { headers: { 'accept-encoding': 'br' } })
        const { length } = await response.text()
        // Tiny files are compressed as they are sent, without a length.
        return Number(response.headers.get('content-length') ?? length)
      })
      return [path, (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes)] as const
    }),
  )
  if (process.env.SAY_SIZES) console.log(Object.fromEntries(weights))
  for (const [path, bytes] of weights) {
    expect(bytes, path).toBeGreaterThan(100_000)
    expect(bytes, path).toBeLessThanOrEqual(MEMBER_PAGES[path] ?? 0)
  }
})

test.describe('before the scripts have loaded', () => {
  test('repeats the last click when the scripts have loaded', async ({ page }) => {
    const scripts = await holdRequests(page, '**/assets/*.js')
    await page.goto('/')
    await page.getByRole('link', { name: 'Book Now' }).first().click()
    await expect.poll(scripts.calls).toBeGreaterThan(0)
    await expect(page).toHaveURL('/')
    await scripts.release()
    await expect(page.getByRole('dialog', { name: 'Account Required' })).toBeVisible()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
  })

  test('keeps what was typed, and requests scripts after the visible content', async ({ browser, site }) => {
    // Its clock is not frozen, because the test compares times.
    const context = await browser.newContext({ baseURL: site.origin })
    const page = await context.newPage()
    const scripts = await holdRequests(page, '**/assets/*.js')
    await page.goto('/blog')
    await expect.poll(scripts.calls).toBeGreaterThan(0)
    await page.getByLabel('Email').fill('early@people.example')
    await scripts.release()
    await waitForHydration(page)
    await expect(page.getByLabel('Email')).toHaveValue('early@people.example')
    const [loadedAt, requestedAt] = await page.evaluate(() => {
      const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
      const scripts = performance.getEntries().filter(({ name }) => name.endsWith('.js'))
      return [visit?.loadEventStart, Math.min(...scripts.map(({ startTime }) => startTime))]
    })
    expect(loadedAt).toBeGreaterThan(0)
    expect(requestedAt).toBeGreaterThan(loadedAt as number)
    await page.getByRole('button', { name: 'Subscribe' }).click()
    await expect(page.getByRole('status').filter({ hasText: /./ })).toBeVisible()
    await context.close()
  })
})

const wholeFonts = (page: Page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => name)
      .filter((name) => /latin.*\.woff2$/.test(name)),
  )

/** Opens a page without cache, lets fonts, scripts and pictures load in this order, and expects no layout shifts. */
async function firstVisit(browser: Browser, url: string, viewport: typeof PHONE, deviceScaleFactor: number) {
  const context = await browser.newContext({ viewport, deviceScaleFactor })
  const page = await context.newPage()
  const transfers = await countTransfers(await context.newCDPSession(page))
  const shifts = await watchLayoutShifts(page)
  const fonts = await holdRequests(page, '**/*.woff2')
  const scripts = await holdRequests(page, '**/assets/*.js')
  await page.goto(url, { waitUntil: 'domcontentloaded' })
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
  await fonts.release()
  await page.evaluate(() => document.fonts.ready)
  await shifts.expectOnlyFontShifts(`by its fonts at ${viewport.width} px`)
  await scripts.release()
  await waitForHydration(page)
  await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toHaveCount(0)
  for (const picture of await page.locator('img:visible').all()) {
    await picture.scrollIntoViewIfNeeded()
    await picture.evaluate((img: HTMLImageElement) => img.decode())
  }
  await shifts.expectNoShifts(`by its scripts and pictures at ${viewport.width} px`)
  return { transfers, page, fonts: fonts.calls() }
}

async function countTransfers(devtools: CDPSession) {
  const transfers = { bytes: 0, script: 0, origins: new Set<string>(), calls: [] as string[] }
  const scripts = new Set<string>()
  await devtools.send('Network.enable')
  devtools.on('Network.requestWillBeSent', ({ request }) => {
    if (request.url.startsWith('data:')) return
    const { origin, pathname } = new URL(request.url)
    transfers.origins.add(origin)
    if (pathname.startsWith('/api/')) transfers.calls.push(pathname)
  })
  devtools.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (type !== 'Script') return
    scripts.add(requestId)
    // Subtracts the headers.
    transfers.script -= response.encodedDataLength
  })
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    transfers.bytes += encodedDataLength
    if (scripts.has(requestId)) transfers.script += encodedDataLength
  })
  return transfers
}

async function expectAllReachedWithTab(page: Page) {
  const usable = await page.evaluate(() => {
    const reached = new Set<Element>()
    addEventListener('focusin', ({ target }) => reached.add(target as Element))
    const all = document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary, [tabindex]')
    const usable = [...all].filter((e) => e.tabIndex >= 0 && !e.matches(':disabled') && e.checkVisibility())
    Object.assign(globalThis, { reached, usable })
    return usable.length
  })
  expect(usable).toBeGreaterThan(20)
  for (let i = 0; i <= usable; i++) await page.keyboard.press('Tab')
  const missed = await page.evaluate(() => {
    const { reached, usable } = globalThis as unknown as { reached: Set<Element>; usable: HTMLElement[] }
    return usable.filter((e) => !reached.has(e)).map((e) => e.outerHTML.slice(0, 120))
  })
  expect(missed).toEqual([])
}
