import type { Page, Route } from '@playwright/test'
import { expect, type Site, signIn, succeed, test } from './site.ts'
import { hold } from './traffic.ts'

type Shift = { value: number; where: string[] }

/** Adds up every layout shift that no click or key of the user caused. */
async function watchShifts(page: Page) {
  await page.addInitScript(() => {
    const shifts: Shift[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as unknown as {
        value: number
        hadRecentInput: boolean
        sources: { node: Node | null }[]
      }[]) {
        if (entry.hadRecentInput) continue
        const where = entry.sources.map(({ node }) =>
          node instanceof Element
            ? `${node.tagName}.${node.className}`.slice(0, 80)
            : String(node?.textContent).slice(0, 40),
        )
        shifts.push({ value: entry.value, where })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return () => page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts)
}

type Screen = { path: string | ((site: Site) => Promise<string>); shows: string | RegExp; member?: boolean }

const SCREENS: Record<string, Screen> = {
  home: { path: '/', shows: 'Get Started Today' },
  'home, member': { path: '/', shows: /Hello|Welcome|Rosalind/, member: true },
  about: { path: '/about', shows: /Visit/ },
  classes: { path: '/harrogate-reformer-pilates-classes', shows: 'No classes scheduled' },
  pricing: { path: '/pricing', shows: '12 Class Pass' },
  'pricing, member': { path: '/pricing', shows: '12 Class Pass', member: true },
  contact: { path: '/contact_harrogate_reformer_pilates', shows: 'HG1 2ZZ' },
  blog: { path: '/blog', shows: 'Recent Posts' },
  article: { path: '/blog/reformer-pilates-costs-uk', shows: /4 min/ },
  'refund policy': { path: '/refund-policy', shows: /Cooling-Off/ },
  auth: { path: '/auth', shows: 'Welcome back' },
  'not found': { path: '/nowhere', shows: /Page not found/ },
  dashboard: { path: '/dashboard', shows: 'Upcoming classes', member: true },
  'dashboard, detailed': { path: '/dashboard?view=detailed', shows: 'Upcoming Bookings', member: true },
  booking: { path: '/booking', shows: /with Eleanor Marsh|No classes scheduled/, member: true },
  health: { path: '/health', shows: 'Back to Home', member: true },
  checkout: {
    path: async (site) => {
      const [sold] = await succeed(await site.admin(), 'GET', '/api/packages')
      return `/checkout?packageId=${sold.id}&amount=${Number(sold.price)}`
    },
    shows: 'Name on card',
    member: true,
  },
}

/** Where a font comes after the first paint its stand-in may be a fraction of a pixel off: rounded, that is a shift of 0.00. */
const LAST_FRACTION = 0.001

async function arrive(page: Page, site: Site, { path, shows, member }: Screen) {
  await page.goto(typeof path === 'string' ? path : await path(site))
  await expect(page.getByText(shows).filter({ visible: true }).first()).toBeVisible()
  await expect(page.getByText(member ? 'Logout' : 'Login').first()).toBeAttached()
  await page.evaluate(() => document.fonts.ready)
}

for (const [name, screen] of Object.entries(SCREENS)) {
  test(`${name}: nothing moves while it loads`, async ({ page, site }) => {
    if (screen.member) await signIn(page, await site.member({ firstName: 'Rosalind', health: true, credits: 2 }))
    const shifts = await watchShifts(page)
    for (const viewport of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(viewport)
      await arrive(page, site, screen)
      const moved = await shifts()
      const sum = moved.reduce((total, { value }) => total + value, 0)
      expect(sum, `at ${viewport.width} px: ${JSON.stringify(moved)}`).toBeLessThan(LAST_FRACTION)
    }
  })
}

/** What a screen asks for, in the order of the alphabet, besides who is looking. */
const ASKED: Record<string, string[]> = {
  home: [],
  'home, member': ['/api/user/bookings/upcoming'],
  pricing: ['/api/packages'],
  'pricing, member': ['/api/packages', '/api/user/passes'],
  auth: [],
  dashboard: ['/api/user/bookings/upcoming', '/api/user/passes', '/api/user/payments', '/api/user/waitlist'],
  'dashboard, detailed': [
    '/api/user/bookings',
    '/api/user/bookings/upcoming',
    '/api/user/passes',
    '/api/user/payments',
    '/api/user/waitlist',
  ],
  booking: ['/api/classes', '/api/user/bookings', '/api/user/waitlist'],
  health: ['/api/health/emergency-contact', '/api/health/questionnaire'],
  checkout: ['/api/create-payment-intent', '/api/packages', '/api/payment-setup'],
}

for (const [name, calls] of Object.entries(ASKED)) {
  test(`${name}: its first data comes in one round of calls`, async ({ page, site }) => {
    const screen = SCREENS[name] as Screen
    if (screen.member) {
      // Not new here: of who never booked the dashboard asks afterwards what there is still to do.
      const member = await site.member({ firstName: 'Rosalind', health: true, credits: 2 })
      await site.books(member, await site.class({ at: '2026-12-10 10:00' }))
      await signIn(page, member)
    }
    const asked: string[] = []
    const waiting: Route[] = []
    let isOpen = false
    await page.route('**/api/**', (route) => {
      asked.push(new URL(route.request().url()).pathname)
      // Nobody is answered until all have been asked: a second round would never begin.
      if (isOpen) return route.continue()
      waiting.push(route)
    })
    const arrived = arrive(page, site, screen)
    // Nothing says that a visitor has a session: nobody is asked.
    const all = [...(screen.member ? ['/api/auth/user'] : []), ...calls]
    await expect.poll(() => [...asked].sort()).toEqual(all)
    isOpen = true
    for (const route of waiting) await route.continue()
    await arrived
    expect([...asked].sort()).toEqual(all)
  })
}

test.describe('within 100 ms of a click something is seen', () => {
  /** Milliseconds from a click until an element has an attribute, measured inside the page. */
  async function busyAfter(page: Page, name: string | RegExp) {
    const button = page.getByRole('button', { name })
    await button.evaluate((element) => {
      const state = window as unknown as { clicked: number; busy: number }
      element.addEventListener('click', (event) => Object.assign(state, { clicked: event.timeStamp }), {
        capture: true,
      })
      new MutationObserver(() => {
        if (element.getAttribute('aria-busy') === 'true') state.busy ||= document.timeline.currentTime as number
      }).observe(element, { attributes: true })
    })
    await button.click()
    await expect(page.locator('[aria-busy=true]').first()).toBeVisible()
    return await page.evaluate(() => {
      const { clicked, busy } = window as unknown as { clicked: number; busy: number }
      return busy - clicked
    })
  }

  test('Login', async ({ page }) => {
    await hold(page, '**/api/login')
    await page.goto('/auth')
    await page.getByLabel('Username').fill('nobody@people.example')
    await page.getByLabel('Password').fill('secret')
    expect(await busyAfter(page, 'Login')).toBeLessThan(100)
  })

  test('Create Account', async ({ page }) => {
    await hold(page, '**/api/register')
    await page.goto('/auth?tab=register')
    for (const [label, text] of [
      ['Email', 'nora@people.example'],
      ['First name', 'Nora'],
      ['Last name', 'Newcome'],
      ['Password', 'six-or-more'],
      ['Confirm password', 'six-or-more'],
    ] as const)
      await page.getByLabel(label, { exact: true }).fill(text)
    expect(await busyAfter(page, 'Create Account')).toBeLessThan(100)
  })

  test('Cancel', async ({ page, site }) => {
    const member = await site.member({ health: true, credits: 1 })
    await site.books(member, await site.class({ at: '2026-12-10 10:30' }))
    await signIn(page, member)
    await hold(page, '**/api/bookings/*/cancel')
    await page.goto('/dashboard')
    expect(await busyAfter(page, /^Cancel/)).toBeLessThan(100)
  })

  test('Confirm Booking', async ({ page, site }) => {
    const { title } = await site.class({ at: '2026-12-10 11:30' })
    await signIn(page, await site.member({ health: true, credits: 1 }))
    await hold(page, '**/api/bookings', 'POST')
    await page.goto('/booking?date=2026-12-10')
    await page.getByRole('button', { name: `Book ${title}` }).click()
    for (const name of [/cancellation policy/, /terms and conditions/])
      await page.getByRole('checkbox', { name }).check()
    expect(await busyAfter(page, 'Confirm Booking')).toBeLessThan(100)
  })

  test('a day of the week', async ({ page, site }) => {
    await signIn(page, await site.member())
    await page.goto('/booking')
    await expect(page.getByRole('button', { name: /13 December/ })).toBeVisible()
    await page.getByRole('button', { name: /13 December/ }).click()
    await expect(page.getByRole('button', { name: /13 December/ })).toHaveAttribute('aria-pressed', 'true', {
      timeout: 100,
    })
  })

  test('a week whose classes are not here yet', async ({ page, site }) => {
    await signIn(page, await site.member())
    await page.goto('/booking')
    await expect(page.getByText(/Class has started|Available|FULL/).first()).toBeVisible()
    await hold(page, '**/api/classes?*')
    await page.getByRole('button', { name: 'Next week' }).click()
    await expect(page.getByText('Loading classes...')).toBeVisible({ timeout: 100 })
  })
})
