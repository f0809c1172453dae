import type { Locator, Page } from '@playwright/test'
import { installNextFrame, type LayoutShifts, watchLayoutShifts } from './layout-shifts.ts'
import { fillSignUpForm, waitForHydration } from './member.ts'
import { callApi, expect, type Site, signIn, test } from './site.ts'
import { holdRequests } from './traffic.ts'

type Screen = {
  path: string | ((site: Site) => Promise<string>)
  shows: string | RegExp
  requests: string[]
}

/**
 * What each screen of a member shows, and its requests apart from the user. /dashboard and /booking arrive with most of
 * their data. first-load.slow.spec.ts tests visitors' pages.
 */
const SCREENS: Record<string, Screen> = {
  home: { path: '/', shows: /Hello|Welcome|Rosalind/, requests: ['/api/user/bookings/upcoming'] },
  pricing: { path: '/pricing', shows: '12 Class Pass', requests: ['/api/packages', '/api/user/passes'] },
  dashboard: {
    path: '/dashboard',
    shows: 'Upcoming classes',
    requests: ['/api/user/news-offer', '/api/user/payments'],
  },
  'dashboard, detailed': {
    path: '/dashboard?view=detailed',
    shows: 'Upcoming Bookings',
    requests: ['/api/user/news-offer', '/api/user/payments'],
  },
  booking: {
    path: '/booking',
    shows: /with Eleanor Marsh|No classes scheduled/,
    requests: [],
  },
  health: {
    path: '/health',
    shows: 'Back to Home',
    requests: ['/api/health/emergency-contact', '/api/health/questionnaire'],
  },
  checkout: {
    path: async (site) => {
      const [sold] = await callApi(await site.admin(), 'GET', '/api/packages')
      return `/checkout?packageId=${sold.id}&amount=${Number(sold.price)}`
    },
    shows: 'Name on card',
    requests: ['/api/create-payment-intent', '/api/packages', '/api/payment-setup'],
  },
}

/** Loads all fonts before the scripts, so that later shifts come from the scripts. */
async function openWithFonts(page: Page, path: string, shifts: LayoutShifts) {
  const scripts = await holdRequests(page, '**/assets/*.js')
  await page.goto(path, { waitUntil: 'domcontentloaded' })
  await page.evaluate(async () => {
    // Some fallback fonts are not installed.
    await Promise.allSettled([...document.fonts].map((font) => font.load()))
  })
  await shifts.expectOnlyFontShifts('by its fonts')
  await scripts.release()
}

for (const [name, { path, shows, requests }] of Object.entries(SCREENS)) {
  test(`${name}: loads its data in one round of requests without layout shifts`, async ({ page, site }) => {
    // For a member who has never booked, the dashboard would make more requests later.
    const member = await site.member({ firstName: 'Rosalind', health: true, credits: 2 })
    await site.book(member, await site.class({ at: '2026-12-10 10:00' }))
    await signIn(page, member)
    const address = typeof path === 'string' ? path : await path(site)
    const shifts = await watchLayoutShifts(page)
    const expectLoaded = async () => {
      await expect(page.getByText(shows).filter({ visible: true }).first()).toBeVisible()
      await expect(page.getByText('Logout').first()).toBeAttached()
    }

    await page.setViewportSize({ width: 1440, height: 900 })
    // Holds all replies, so that a second round would never start.
    const calls = await holdRequests(page, '**/api/**')
    await openWithFonts(page, address, shifts)
    const all = ['/api/auth/user', ...requests]
    await expect.poll(calls.paths).toEqual(all)
    await calls.release()
    await expectLoaded()
    await expect.poll(calls.paths).toEqual(all)
    await shifts.expectNoShifts('at 1440 px')

    await page.unroute('**/api/**')
    await page.setViewportSize({ width: 390, height: 844 })
    await openWithFonts(page, address, shifts)
    await expectLoaded()
    await shifts.expectNoShifts('at 390 px')
  })
}

/** 100 ms at 60 frames a second. Frames don't depend on how busy the machine is. */
const MAX_FRAMES = 6

test.describe('responds within 100 ms to a click on', () => {
  async function countFramesUntil(page: Page, button: Locator, target: { selector: string; text?: string }) {
    // A click before hydration is repeated after it.
    await waitForHydration(page)
    await page.evaluate(installNextFrame)
    await button.evaluate((element, { selector, text }) => {
      const isShown = () =>
        [...document.querySelectorAll(selector)].some((e) => e.checkVisibility() && e.textContent.includes(text ?? ''))
      const result = new Promise<number>((resolve) => {
        const start = () => {
          let frames = 0
          const count = (): void => {
            frames += 1
            nextFrame().then(count)
          }
          nextFrame().then(count)
          const check = () => {
            if (isShown()) resolve(frames)
          }
          new MutationObserver(check).observe(document, {
            attributes: true,
            characterData: true,
            childList: true,
            subtree: true,
          })
        }
        element.addEventListener('click', start, { capture: true, once: true })
      })
      Object.assign(globalThis, { framesUntilSeen: () => result })
    }, target)
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
    await waitForHydration(page)
    // A person types for longer than this takes.
    const rules = page.waitForResponse(/form-rules/)
    await page.getByLabel('Username').fill('nobody@people.example')
    await page.getByLabel('Password').fill('secret')
    await (await rules).finished()
    expect(await busyAfter(page, 'Login')).toBeLessThanOrEqual(MAX_FRAMES)
  })

  test('Create Account', async ({ page }) => {
    await holdRequests(page, '**/api/register')
    await page.goto('/auth?tab=register')
    await waitForHydration(page)
    await fillSignUpForm(page, 'nora@people.example', 'Nora')
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
    const pressed = { selector: '[aria-pressed=true]', text: '13' }
    expect(
      await countFramesUntil(page, page.getByRole('button', { name: /13 December/ }), pressed),
    ).toBeLessThanOrEqual(MAX_FRAMES)
    await expect(page.getByRole('button', { name: /13 December/ })).toHaveAttribute('aria-pressed', 'true')
  })

  test('a week whose classes have not loaded', async ({ page, site }) => {
    await signIn(page, await site.member())
    await page.goto('/booking')
    await expect(page.getByText(/Class has started|Available|FULL/).first()).toBeVisible()
    await holdRequests(page, '**/api/classes?*')
    const loading = { selector: 'main *', text: 'Loading classes...' }
    expect(await countFramesUntil(page, page.getByRole('button', { name: 'Next week' }), loading)).toBeLessThanOrEqual(
      MAX_FRAMES,
    )
  })
})

for (const [reducedMotion, running, offset] of [
  ['no-preference', 1, /^(?!0px)/],
  ['reduce', 0, /^0px$/],
] as const)
  test(`the loading mark ${reducedMotion === 'reduce' ? 'stands still with reduced motion' : 'is animated'}`, async ({
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
