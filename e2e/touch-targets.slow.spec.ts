import type { Page } from '@playwright/test'
import { expect, type Site, signIn, test } from './site.ts'

/** Minimum sizes of any control (WCAG 2.2, 2.5.8) and of buttons. */
const MIN_SIZE_PX = 24
const MAIN_SIZE_PX = 44

test.use({ viewport: { width: 390, height: 844 } })

async function signInWithBookings(page: Page, site: Site) {
  const member = await site.member({ health: true, credits: 9 })
  for (const day of ['14', '15', '16', '17', '18', '19', '20'])
    await site.book(member, await site.class({ at: `2026-12-${day} 16:20` }))
  await signIn(page, member)
}

const SCREENS = {
  dashboard: ['/dashboard', 'Upcoming classes'],
  'detailed dashboard': ['/dashboard?view=detailed', 'Upcoming Bookings'],
  booking: ['/booking?date=2026-12-14', 'Already booked'],
  health: ['/health', 'Last updated'],
} as const

/** Sizes of all controls. A link within a sentence is exempt. */
const targets = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main :is(a[href], button, summary, input, textarea, select), footer a')]
      .filter((e) => e.checkVisibility() && !e.closest('.sr-only'))
      .filter((e) => getComputedStyle(e).display !== 'inline' || e.parentElement?.innerText === e.innerText)
      .map((e) => {
        const { width, height } = e.getBoundingClientRect()
        const what = e.innerText || e.outerHTML.slice(0, 80)
        return { what, size: Math.min(width, height), isButton: e.matches('.btn') }
      }),
  )

/** Shift+Tab presses between two checks, fewer than the header has links. */
const BATCH = 8

/**
 * Presses Shift+Tab from the footer up to the header. Focused controls must be visible; of a textarea or a table that
 * scrolls, a finger's height.
 */
async function tabBackThrough(page: Page): Promise<number> {
  await page.getByRole('contentinfo').getByRole('link').first().focus()
  await page.evaluate(watchFocus, MAIN_SIZE_PX)
  for (;;) {
    for (let pressed = 0; pressed < BATCH; pressed++) await page.keyboard.press('Shift+Tab')
    const { stops, hidden, isBack } = await page.evaluate(() => {
      const { stops, hidden, isBack } = (window as FocusWatched).focusSeen
      return { stops: stops.size, hidden, isBack }
    })
    expect(hidden).toEqual([])
    if (isBack) return stops
  }
}

type FocusWatched = typeof window & { focusSeen: { stops: Set<string>; hidden: string[]; isBack: boolean } }

/** Run it in the page. Checks the focused element after each key. */
function watchFocus(minPx: number) {
  const state: FocusWatched['focusSeen'] = { stops: new Set(), hidden: [], isBack: false }
  Object.assign(window, { focusSeen: state })
  addEventListener('keyup', () => {
    const focused = document.activeElement
    state.isBack ||= !focused?.closest('main') || focused.matches('main')
    if (!focused || state.isBack) return
    const head = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0
    const { top, bottom } = focused.getBoundingClientRect()
    const shown = Math.min(bottom, innerHeight) - Math.max(top, head)
    const what = focused.outerHTML.slice(0, 120)
    state.stops.add(what)
    if (shown < (focused.matches('textarea, section') ? minPx : bottom - top)) state.hidden.push(what)
  })
}

for (const [name, [path, shows]] of Object.entries(SCREENS)) {
  test(`${name}: controls are large enough for a finger, and Shift+Tab never hides the focus`, async ({
    page,
    site,
  }) => {
    await signInWithBookings(page, site)
    await page.goto(path)
    await expect(page.getByText(shows).first()).toBeVisible()
    const sizes = await targets(page)
    expect(sizes.length).toBeGreaterThan(10)
    expect(sizes.filter(({ size }) => size < MIN_SIZE_PX)).toEqual([])
    const main = sizes.filter(({ what, isButton }) => isButton && !/^(All Activities|Instructor)$/.test(what))
    expect(main.filter(({ size }) => size < MAIN_SIZE_PX)).toEqual([])
    expect(await tabBackThrough(page)).toBeGreaterThan(3)
  })
}

const ADMIN_PAGES = [
  ['/admin', 'Recent Bookings'],
  ['/admin?tab=Analytics', 'Revenue by month'],
  ['/admin?tab=Users', 'Gift Credits'],
  ['/admin?tab=Classes', 'Create Class'],
  ['/admin?tab=Packages', 'Create Package'],
  ['/admin?tab=Packages&view=purchases', 'Paid'],
  ['/admin?tab=Bookings', 'Book for a member'],
  ['/admin?tab=Health+Updates', 'How this works'],
  ['/admin?view=messages', 'Preview'],
  ['/admin?view=settings', 'Save'],
  ['/admin?view=import', 'CSV file'],
] as const

test('admin: controls are large enough for a finger, and Shift+Tab never hides the focus', async ({ page, site }) => {
  await signInWithBookings(page, site)
  await signIn(page, await site.admin())
  for (const [path, shows] of ADMIN_PAGES) {
    await page.goto(path)
    await expect(page.getByRole('main').getByText(shows).filter({ visible: true }).first()).toBeVisible()
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 })
      const sizes = await targets(page)
      expect(sizes.length, path).toBeGreaterThan(5)
      expect(
        sizes.filter(({ size }) => size < MIN_SIZE_PX),
        `${path} at ${width}`,
      ).toEqual([])
      // On a desktop people use a mouse.
      if (width < 1024)
        expect(
          sizes.filter(({ size, isButton }) => isButton && size < MAIN_SIZE_PX),
          path,
        ).toEqual([])
    }
    expect(await tabBackThrough(page), path).toBeGreaterThan(1)
  }
})
