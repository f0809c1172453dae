import type { Browser, CDPSession, Page } from '@playwright/test'
import { PUBLIC_PAGES } from '#public-pages.ts'
import { watchLayoutShifts } from './layout-shifts.ts'
import { waitForHydration } from './member.ts'
import { expect, test } from './site.ts'
import { holdRequests } from './traffic.ts'

/** What a public page may transfer on a phone, everything included. Source: docs/testing.md#what-a-page-weighs */
const MAX_BYTES = 450_000
/** Of it, compressed script. Source: docs/testing.md#what-a-page-weighs */
const MAX_SCRIPT_BYTES = 130_000
const PHONE = { width: 390, height: 844 }
/** The sharpest phones: they take the largest pictures. */
const PHONE_DENSITY = 3
const DESKTOP = { width: 1440, height: 900 }

/** What a visitor's page asks of the server besides its files. Nothing says that there is a session: nobody asks who it is. */
const API_CALLS: Record<string, string[]> = { '/pricing': ['/api/packages'] }

for (const path of PUBLIC_PAGES) {
  test(`${path} is light on a phone, asks only its own origin and only for what it needs, moves no more than late fonts move it, and is all reached with Tab`, async ({
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
    expect(script).toBeLessThanOrEqual(MAX_SCRIPT_BYTES)
    expect(script).toBeGreaterThan(100_000)
    expect(phone.fonts).toBeGreaterThan(1)
    // One letter outside the small ones fetches a whole one.
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

test.describe('before its scripts have come', () => {
  test('a page lets nobody wait in vain: the last click on what needs them is carried out when they are there', async ({
    page,
  }) => {
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

  test('what is typed stays, and scripts are asked for after everything that is seen first', async ({
    browser,
    site,
  }) => {
    // A page whose clock nobody holds: it knows when things happened.
    const context = await browser.newContext({ baseURL: site.origin })
    const page = await context.newPage()
    const scripts = await holdRequests(page, '**/assets/*.js')
    await page.goto('/blog')
    await expect.poll(scripts.calls).toBeGreaterThan(0)
    await page.getByLabel('Email').fill('early@people.example')
    await scripts.release()
    await waitForHydration(page)
    await expect(page.getByLabel('Email')).toHaveValue('early@people.example')
    const [loaded, asked] = await page.evaluate(() => {
      const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
      const scripts = performance.getEntries().filter(({ name }) => name.endsWith('.js'))
      return [visit?.loadEventStart, Math.min(...scripts.map(({ startTime }) => startTime))]
    })
    expect(loaded).toBeGreaterThan(0)
    expect(asked).toBeGreaterThan(loaded as number)
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

/**
 * Opens a page with nothing kept: first its words are painted, then its fonts come, then its scripts; then every picture
 * is looked at. Sees that nothing moves meanwhile.
 */
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
  // Lazy pictures load when they come near the screen.
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
    // Headers are counted with the answer: what is wanted is the file.
    transfers.script -= response.encodedDataLength
  })
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    transfers.bytes += encodedDataLength
    if (scripts.has(requestId)) transfers.script += encodedDataLength
  })
  return transfers
}

/** Presses Tab until everything that can be used must have had the focus. */
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
