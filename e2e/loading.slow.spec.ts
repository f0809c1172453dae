import type { Locator, Page } from '@playwright/test'
import { installNextFrame, type LayoutShifts, watchLayoutShifts } from './layout-shifts.ts'
import { callApi, expect, type Site, signIn, test } from './site.ts'
import { holdRequests } from './traffic.ts'

type Screen = { path: string | ((site: Site) => Promise<string>); shows: string | RegExp; asks: string[] }

/** What members see first, and what each screen asks for besides who is looking. Visitors' pages: first-load.slow.spec.ts. */
const SCREENS: Record<string, Screen> = {
  home: { path: '/', shows: /Hello|Welcome|Rosalind/, asks: ['/api/user/bookings/upcoming'] },
  pricing: { path: '/pricing', shows: '12 Class Pass', asks: ['/api/packages', '/api/user/passes'] },
  dashboard: {
    path: '/dashboard',
    shows: 'Upcoming classes',
    asks: ['/api/user/bookings/upcoming', '/api/user/passes', '/api/user/payments', '/api/user/waitlist'],
  },
  'dashboard, detailed': {
    path: '/dashboard?view=detailed',
    shows: 'Upcoming Bookings',
    asks: [
      '/api/user/bookings',
      '/api/user/bookings/upcoming',
      '/api/user/passes',
      '/api/user/payments',
      '/api/user/waitlist',
    ],
  },
  booking: {
    path: '/booking',
    shows: /with Eleanor Marsh|No classes scheduled/,
    asks: ['/api/classes', '/api/user/bookings', '/api/user/waitlist'],
  },
  health: {
    path: '/health',
    shows: 'Back to Home',
    asks: ['/api/health/emergency-contact', '/api/health/questionnaire'],
  },
  checkout: {
    path: async (site) => {
      const [sold] = await callApi(await site.admin(), 'GET', '/api/packages')
      return `/checkout?packageId=${sold.id}&amount=${Number(sold.price)}`
    },
    shows: 'Name on card',
    asks: ['/api/create-payment-intent', '/api/packages', '/api/payment-setup'],
  },
}

/**
 * Every font that a page may use is there, in the place of its stand-in, before its scripts are: what moves then, moves because of
 * what they draw.
 */
async function openWithFonts(page: Page, path: string, shifts: LayoutShifts) {
  const scripts = await holdRequests(page, '**/assets/*.js')
  await page.goto(path, { waitUntil: 'domcontentloaded' })
  await page.evaluate(async () => {
    // The stand-ins are fonts of the visitor's machine, which has some of them.
    await Promise.allSettled([...document.fonts].map((font) => font.load()))
  })
  await shifts.expectOnlyFontShifts('by its fonts')
  await scripts.release()
}

for (const [name, { path, shows, asks }] of Object.entries(SCREENS)) {
  test(`${name}: its first data comes in one round of calls, and nothing moves while it loads`, async ({
    page,
    site,
  }) => {
    // Not new here: of who never booked the dashboard asks afterwards what there is still to do.
    const member = await site.member({ firstName: 'Rosalind', health: true, credits: 2 })
    await site.book(member, await site.class({ at: '2026-12-10 10:00' }))
    await signIn(page, member)
    const address = typeof path === 'string' ? path : await path(site)
    const shifts = await watchLayoutShifts(page)
    const arrive = async () => {
      await expect(page.getByText(shows).filter({ visible: true }).first()).toBeVisible()
      await expect(page.getByText('Logout').first()).toBeAttached()
    }

    await page.setViewportSize({ width: 1440, height: 900 })
    // Nobody is answered until all have been asked: a second round would never begin.
    const calls = await holdRequests(page, '**/api/**')
    await openWithFonts(page, address, shifts)
    const all = ['/api/auth/user', ...asks]
    await expect.poll(calls.paths).toEqual(all)
    await calls.release()
    await arrive()
    expect(calls.paths()).toEqual(all)
    await shifts.expectNoShifts('at 1440 px')

    await page.unroute('**/api/**')
    await page.setViewportSize({ width: 390, height: 844 })
    await openWithFonts(page, address, shifts)
    await arrive()
    await shifts.expectNoShifts('at 390 px')
  })
}

test('this very check finds a line that comes late and pushes the rest down', async ({ page }) => {
  const shifts = await watchLayoutShifts(page)
  // Asked for once React has the page: until then it would throw away a line that it has not put there, before it is painted.
  const packages = page.waitForResponse('**/api/packages')
  await page.goto('/pricing')
  await (await packages).finished()
  // What has not been painted yet cannot move.
  await page.evaluate(() => nextFrame())
  await page.evaluate(() => {
    const line = Object.assign(document.createElement('p'), { textContent: 'Late' })
    line.style.height = '100px'
    document.querySelector('main')?.prepend(line)
  })
  await expect(shifts.expectNoShifts('by the line')).rejects.toThrow('by the line')
})

/** 100 ms of a screen that draws sixty times a second. A watch would measure how busy the machine is. */
const MAX_FRAMES = 6

test.describe('within 100 ms of a click something is seen', () => {
  /** Clicks, and answers how many frames were drawn until there was an element with this attribute or of these words. */
  async function countFramesUntil(page: Page, button: Locator, seen: { selector: string; words?: string }) {
    await page.evaluate(installNextFrame)
    await button.evaluate((element, { selector, words }) => {
      const isSeen = () =>
        [...document.querySelectorAll(selector)].some((e) => e.checkVisibility() && e.textContent.includes(words ?? ''))
      const result = new Promise<number>((resolve) => {
        const begin = () => {
          let frames = 0
          const count = (): void => {
            frames += 1
            nextFrame().then(count)
          }
          nextFrame().then(count)
          const look = () => {
            if (isSeen()) resolve(frames)
          }
          new MutationObserver(look).observe(document, {
            attributes: true,
            characterData: true,
            childList: true,
            subtree: true,
          })
        }
        element.addEventListener('click', begin, { capture: true, once: true })
      })
      Object.assign(globalThis, { framesUntilSeen: () => result })
    }, seen)
    await button.click()
    return await page.evaluate(() =>
      (globalThis as unknown as { framesUntilSeen: () => Promise<number> }).framesUntilSeen(),
    )
  }
  const busyAfter = (page: Page, name: string | RegExp) =>
    countFramesUntil(page, page.getByRole('button', { name }), { selector: 'button[aria-busy=true]' })

  test('Login', async ({ page }) => {
    await holdRequests(page, '**/api/login')
    await page.goto('/auth')
    await page.getByLabel('Username').fill('nobody@people.example')
    await page.getByLabel('Password').fill('secret')
    expect(await busyAfter(page, 'Login')).toBeLessThanOrEqual(MAX_FRAMES)
  })

  test('Create Account', async ({ page }) => {
    await holdRequests(page, '**/api/register')
    await page.goto('/auth?tab=register')
    for (const [label, text] of [
      ['Email', 'nora@people.example'],
      ['First name', 'Nora'],
      ['Last name', 'Newcome'],
      ['Password', 'six-or-more'],
      ['Confirm password', 'six-or-more'],
    ] as const)
      await page.getByLabel(label, { exact: true }).fill(text)
    expect(await busyAfter(page, 'Create Account')).toBeLessThanOrEqual(MAX_FRAMES)
  })

  test('Cancel', async ({ page, site }) => {
    const member = await site.member({ health: true, credits: 1 })
    await site.book(member, await site.class({ at: '2026-12-10 10:30' }))
    await signIn(page, member)
    await holdRequests(page, '**/api/bookings/*/cancel')
    await page.goto('/dashboard')
    expect(await busyAfter(page, /^Cancel/)).toBeLessThanOrEqual(MAX_FRAMES)
  })

  test('Confirm Booking', async ({ page, site }) => {
    const { title } = await site.class({ at: '2026-12-10 11:30' })
    await signIn(page, await site.member({ health: true, credits: 1 }))
    await holdRequests(page, '**/api/bookings', 'POST')
    await page.goto('/booking?date=2026-12-10')
    await page.getByRole('button', { name: `Book ${title}` }).click()
    for (const name of [/cancellation policy/, /terms and conditions/])
      await page.getByRole('checkbox', { name }).check()
    expect(await busyAfter(page, 'Confirm Booking')).toBeLessThanOrEqual(MAX_FRAMES)
  })

  test('a day of the week', async ({ page, site }) => {
    await signIn(page, await site.member())
    await page.goto('/booking')
    await expect(page.getByRole('button', { name: /13 December/ })).toBeVisible()
    const pressed = { selector: '[aria-pressed=true]', words: '13' }
    expect(
      await countFramesUntil(page, page.getByRole('button', { name: /13 December/ }), pressed),
    ).toBeLessThanOrEqual(MAX_FRAMES)
    await expect(page.getByRole('button', { name: /13 December/ })).toHaveAttribute('aria-pressed', 'true')
  })

  test('a week whose classes are not here yet', async ({ page, site }) => {
    await signIn(page, await site.member())
    await page.goto('/booking')
    await expect(page.getByText(/Class has started|Available|FULL/).first()).toBeVisible()
    await holdRequests(page, '**/api/classes?*')
    const loading = { selector: 'main *', words: 'Loading classes...' }
    expect(await countFramesUntil(page, page.getByRole('button', { name: 'Next week' }), loading)).toBeLessThanOrEqual(
      MAX_FRAMES,
    )
  })
})

for (const [reducedMotion, running, offset] of [
  ['no-preference', 1, /^(?!0px)/],
  ['reduce', 0, /^0px$/],
] as const)
  test(`the mark is drawn while one waits: ${reducedMotion === 'reduce' ? 'who wants no motion sees it whole' : 'again and again'}`, async ({
    page,
    site,
  }) => {
    await page.emulateMedia({ reducedMotion })
    await signIn(page, await site.member())
    await page.goto('/booking')
    await holdRequests(page, '**/api/classes?*')
    await page.getByRole('button', { name: 'Next week' }).click()
    const mark = page.getByRole('status').filter({ hasText: 'Loading classes...' }).locator('svg')
    await expect(mark).toBeVisible()
    const animations = () => mark.evaluate((svg) => svg.getAnimations().filter((a) => a.playState === 'running').length)
    await expect.poll(animations).toBe(running)
    await expect(mark.locator('path')).toHaveCSS('stroke-dashoffset', offset)
  })
