import type { Browser, CDPSession, Page } from '@playwright/test'
import { PRERENDERED } from '../src/prerendered.ts'
import { expect, test } from './site.ts'
import { hold } from './traffic.ts'

/** What a public page may transfer on a phone, everything included. Source: the engineering notes, section 3. */
const MOST_BYTES = 450_000
/** Of it, compressed script. Source: the engineering notes, section 3. */
const MOST_SCRIPT = 120_000
const MOST_SHIFT = 0.01
const PHONE = { width: 390, height: 844 }
/** The sharpest phones: they take the largest pictures. */
const PHONE_DENSITY = 3
const DESKTOP = { width: 1440, height: 900 }

for (const path of PRERENDERED) {
  test(`${path} is light on a phone, stays on its own origin and does not move when its fonts come late`, async ({
    browser,
    site,
  }) => {
    const phone = await firstVisit(browser, site.origin + path, PHONE, PHONE_DENSITY)
    const desktop = await firstVisit(browser, site.origin + path, DESKTOP, 1)
    const measured = `${path}: ${Math.round(phone.bytes / 1000)} kB at 390 px, ${phone.script} B of it script, shift ${phone.shift} and ${desktop.shift}`
    test.info().annotations.push({ type: 'measured', description: measured })
    if (process.env.SAY_SIZES) console.log(measured)
    expect(phone.bytes).toBeLessThanOrEqual(MOST_BYTES)
    expect(phone.script).toBeLessThanOrEqual(MOST_SCRIPT)
    expect(phone.script).toBeGreaterThan(100_000)
    expect([...new Set([...phone.origins, ...desktop.origins])]).toEqual([site.origin])
    expect(phone.shift, phone.moved.join('\n')).toBeLessThanOrEqual(MOST_SHIFT)
    expect(desktop.shift, desktop.moved.join('\n')).toBeLessThanOrEqual(MOST_SHIFT)
    expect(phone.fonts).toBeGreaterThan(1)
  })
}

test.describe('before its scripts have come', () => {
  test('a page lets nobody wait in vain: the last click on what needs them is carried out when they are there', async ({
    page,
  }) => {
    const scripts = await hold(page, '**/assets/*.js')
    await page.goto('/')
    await page.getByRole('link', { name: 'Book Now' }).first().click()
    await expect.poll(scripts.calls).toBeGreaterThan(0)
    await expect(page).toHaveURL('/')
    await scripts.go()
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
    const scripts = await hold(page, '**/assets/*.js')
    await page.goto('/blog')
    await expect.poll(scripts.calls).toBeGreaterThan(0)
    await page.getByLabel('Email').fill('early@people.example')
    await scripts.go()
    await expect(page.getByText('Login').first()).toBeAttached()
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

/** Opens a page with nothing kept, lets its fonts arrive only after the first paint, then looks at every picture. */
async function firstVisit(browser: Browser, url: string, viewport: typeof PHONE, deviceScaleFactor: number) {
  const context = await browser.newContext({ viewport, deviceScaleFactor })
  const page = await context.newPage()
  const transfers = await countTransfers(await context.newCDPSession(page))
  const { letFontsIn, fonts } = await holdFonts(page)
  await page.addInitScript(recordShifts)
  await page.goto(url, { waitUntil: 'domcontentloaded' })
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
  letFontsIn()
  await page.evaluate('document.fonts.ready.then(() => {})')
  // Lazy pictures load when they come near the screen.
  for (const picture of await page.locator('img:visible').all()) {
    await picture.scrollIntoViewIfNeeded()
    await picture.evaluate((img: unknown) => (img as { decode(): Promise<void> }).decode())
  }
  await page.waitForLoadState('networkidle')
  const { shift, moved } = await page.evaluate(() => {
    const { shift, moved } = globalThis as unknown as { shift: number; moved: string[] }
    return { shift, moved }
  })
  await context.close()
  return { ...transfers, shift: Number(shift.toFixed(4)), moved, fonts: fonts() }
}

async function countTransfers(devtools: CDPSession) {
  const transfers = { bytes: 0, script: 0, origins: new Set<string>() }
  const scripts = new Set<string>()
  await devtools.send('Network.enable')
  devtools.on('Network.requestWillBeSent', ({ request }) => {
    if (!request.url.startsWith('data:')) transfers.origins.add(new URL(request.url).origin)
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

async function holdFonts(page: Page) {
  let count = 0
  let letFontsIn = () => {}
  const painted = new Promise<void>((resolve) => {
    letFontsIn = resolve
  })
  await page.route('**/*.woff2', async (route) => {
    count += 1
    await painted
    await route.continue()
  })
  return { letFontsIn, fonts: () => count }
}

/** Runs in the page, before anything of its own. */
function recordShifts() {
  type Shift = { value: number; hadRecentInput: boolean; sources: { node?: { textContent: string | null } }[] }
  const page = globalThis as unknown as { shift: number; moved: string[] }
  page.shift = 0
  page.moved = []
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries() as unknown as Shift[]) {
      if (hadRecentInput) continue
      page.shift += value
      for (const { node } of sources) page.moved.push(`${value.toFixed(4)} ${node?.textContent?.slice(0, 40)}`)
    }
  }).observe({ type: 'layout-shift', buffered: true } as unknown as { type: 'mark' })
}
