import type { Page } from '@playwright/test'
import { expect, type Site, signIn, test } from './site.ts'

/** What a finger needs at least, and for what one came for; ours and WCAG 2.2 AA (2.5.8). */
const LEAST = 24
const MAIN = 44

test.use({ viewport: { width: 390, height: 844 } })

/** Somebody with a few bookings, a pass and a day with every kind of row. */
async function settled(page: Page, site: Site) {
  const member = await site.member({ health: true, credits: 9 })
  for (const day of ['14', '15', '16', '17', '18', '19', '20'])
    await site.books(member, await site.class({ at: `2026-12-${day} 16:20` }))
  await signIn(page, member)
}

const SCREENS = {
  dashboard: ['/dashboard', 'Upcoming classes'],
  'detailed dashboard': ['/dashboard?view=detailed', 'Upcoming Bookings'],
  booking: ['/booking?date=2026-12-14', 'Already booked'],
  health: ['/health', 'Last updated'],
} as const

for (const [name, [path, shows]] of Object.entries(SCREENS)) {
  test(`${name}: everything is large enough for a finger`, async ({ page, site }) => {
    await settled(page, site)
    await page.goto(path)
    await expect(page.getByText(shows).first()).toBeVisible()
    const sizes = await page.evaluate(() =>
      [
        ...document.querySelectorAll<HTMLElement>(
          'main :is(a[href], button, summary, input, textarea, select), footer a',
        ),
      ]
        .filter((e) => e.checkVisibility())
        // A link within a sentence is as high as its line.
        .filter((e) => getComputedStyle(e).display !== 'inline' || e.parentElement?.innerText === e.innerText)
        .map((e) => {
          const { width, height } = e.getBoundingClientRect()
          return {
            what: e.innerText || e.outerHTML.slice(0, 80),
            size: Math.min(width, height),
            isButton: e.matches('.btn'),
          }
        }),
    )
    expect(sizes.length).toBeGreaterThan(10)
    expect(sizes.filter(({ size }) => size < LEAST)).toEqual([])
    // The specification's two filters do nothing: they are slim.
    const main = sizes.filter(({ what, isButton }) => isButton && !/^(All Activities|Instructor)$/.test(what))
    expect(main.filter(({ size }) => size < MAIN)).toEqual([])
  })

  test(`${name}: whoever goes back with Shift and Tab always sees where they are`, async ({ page, site }) => {
    await settled(page, site)
    await page.goto(path)
    await expect(page.getByText(shows).first()).toBeVisible()
    await page.getByRole('contentinfo').getByRole('link').first().focus()
    const seen = new Set<string>()
    for (;;) {
      await page.keyboard.press('Shift+Tab')
      const focused = await page.evaluate(() => {
        const it = document.activeElement
        if (!it?.closest('main') || it.matches('main')) return undefined
        const head = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0
        const { top, bottom } = it.getBoundingClientRect()
        return { what: it.outerHTML.slice(0, 120), isHidden: top < head || bottom > innerHeight }
      })
      if (!focused) break
      seen.add(focused.what)
      expect(focused).toMatchObject({ isHidden: false })
    }
    expect(seen.size).toBeGreaterThan(3)
  })
}
