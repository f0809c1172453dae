import type { Page } from '@playwright/test'
import { expect, type Site, signIn, test } from './site.ts'

/** What a finger needs at least, and for what one came for; ours and WCAG 2.2 AA (2.5.8). */
const MIN_SIZE_PX = 24
const MAIN_SIZE_PX = 44

test.use({ viewport: { width: 390, height: 844 } })

/** Somebody with a few bookings, a pass and a day with every kind of row. */
async function settled(page: Page, site: Site) {
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

/** Everything that can be pressed or filled in, and how large it is. A link within a sentence is as high as its line. */
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

/** Presses at once before somebody looks where they led: less than the header has, from which none leads back. */
const RUN = 8

/**
 * Goes back through the page from its footer. What is focused must not lie under the head or outside the window; of a field
 * of several lines, into which the browser scrolls as far as its caret, a finger's height must be seen.
 */
async function tabBackThrough(page: Page): Promise<number> {
  await page.getByRole('contentinfo').getByRole('link').first().focus()
  await page.evaluate(watchFocus, MAIN_SIZE_PX)
  for (;;) {
    for (let pressed = 0; pressed < RUN; pressed++) await page.keyboard.press('Shift+Tab')
    const { stops, hidden, isBack } = await page.evaluate(() => {
      const { stops, hidden, isBack } = (window as FocusWatched).focusSeen
      return { stops: stops.size, hidden, isBack }
    })
    expect(hidden).toEqual([])
    if (isBack) return stops
  }
}

type FocusWatched = typeof window & { focusSeen: { stops: Set<string>; hidden: string[]; isBack: boolean } }

/** Run in the page: looks, whenever Tab is let go, whether what it led to can be seen, until it leads out of the page's main part. */
function watchFocus(least: number) {
  const seen: FocusWatched['focusSeen'] = { stops: new Set(), hidden: [], isBack: false }
  Object.assign(window, { focusSeen: seen })
  addEventListener('keyup', () => {
    const it = document.activeElement
    seen.isBack ||= !it?.closest('main') || it.matches('main')
    if (!it || seen.isBack) return
    const head = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0
    const { top, bottom } = it.getBoundingClientRect()
    const shown = Math.min(bottom, innerHeight) - Math.max(top, head)
    const what = it.outerHTML.slice(0, 120)
    seen.stops.add(what)
    if (shown < (it.matches('textarea') ? least : bottom - top)) seen.hidden.push(what)
  })
}

for (const [name, [path, shows]] of Object.entries(SCREENS)) {
  test(`${name}: everything is large enough for a finger; whoever goes back with Shift and Tab always sees where they are`, async ({
    page,
    site,
  }) => {
    await settled(page, site)
    await page.goto(path)
    await expect(page.getByText(shows).first()).toBeVisible()
    const sizes = await targets(page)
    expect(sizes.length).toBeGreaterThan(10)
    expect(sizes.filter(({ size }) => size < MIN_SIZE_PX)).toEqual([])
    // The specification's two filters do nothing: they are slim.
    const main = sizes.filter(({ what, isButton }) => isButton && !/^(All Activities|Instructor)$/.test(what))
    expect(main.filter(({ size }) => size < MAIN_SIZE_PX)).toEqual([])
    expect(await tabBackThrough(page)).toBeGreaterThan(3)
  })
}

/** The owner's rooms, and what shows that each is there. */
const ROOMS = [
  ['/admin', 'Recent Bookings'],
  ['/admin?tab=Analytics', 'Revenue by month'],
  ['/admin?tab=Users', 'Gift Credits'],
  ['/admin?tab=Classes', 'Create Class'],
  ['/admin?tab=Packages', 'Create Package'],
  ['/admin?tab=Packages&view=purchases', 'Receipt'],
  ['/admin?tab=Bookings', 'Book for a member'],
  ['/admin?tab=Health+Updates', 'How this works'],
  ['/admin?view=messages', 'Preview'],
  ['/admin?view=settings', 'Save'],
  ['/admin?view=import', 'CSV file'],
] as const

test('the owner’s rooms: everything is large enough for a finger, on a phone and at a desk; whoever goes back with Shift and Tab sees where they are', async ({
  page,
  site,
}) => {
  await settled(page, site)
  await signIn(page, await site.admin())
  for (const [path, shows] of ROOMS) {
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
      // At a desk a mouse points at them.
      if (width < 1024)
        expect(
          sizes.filter(({ size, isButton }) => isButton && size < MAIN_SIZE_PX),
          path,
        ).toEqual([])
    }
    expect(await tabBackThrough(page), path).toBeGreaterThan(1)
  }
})
