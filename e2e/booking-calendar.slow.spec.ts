import type { Page } from '@playwright/test'
import { gotoHydrated } from './member.ts'
import { expect, signIn, test } from './site.ts'
import { changeResponse, holdRequests } from './traffic.ts'

const row = (page: Page, title: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: title })

test.describe('the calendar', () => {
  test('shows the title, breadcrumb, inactive filters and a week from Monday to Sunday', async ({ page, site }) => {
    await signIn(page, await site.member())
    await page.goto('/booking')
    await expect(page.getByRole('heading', { name: 'Book Your Class', level: 1 })).toBeVisible()
    await expect(page.getByText('Choose your preferred time and secure your spot')).toBeVisible()
    await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toContainText('Book a Class')
    await expect(page.getByRole('heading', { name: 'Select Date & Time' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'December 2026', exact: true })).toBeVisible()
    const days = page.getByRole('group', { name: 'Days of the week' }).getByRole('button')
    expect((await days.allTextContents()).map((text) => text.slice(0, 3))).toEqual([
      'Mon',
      'Tue',
      'Wed',
      'Thu',
      'Fri',
      'Sat',
      'Sun',
    ])
    await expect(days.first()).toHaveAttribute('aria-pressed', 'true')
    await expect(page.getByText('Loading classes...')).toHaveCount(0)
    await page.waitForLoadState('networkidle')
    const before = await page.getByRole('main').innerText()
    await page.getByRole('button', { name: 'All Activities' }).click()
    await page.getByRole('button', { name: 'Instructor' }).click()
    expect(await page.getByRole('main').innerText()).toBe(before)
  })

  test('moves by week, keeps the day after a reload, and shows when a day has no classes', async ({ page, site }) => {
    await signIn(page, await site.member())
    await page.goto('/booking')
    await page.getByRole('button', { name: /13 December/ }).click()
    await page.getByRole('button', { name: 'Previous week' }).click()
    await expect(page.getByRole('button', { name: /30 November/ })).toHaveAttribute('aria-pressed', 'true')
    await expect(page.getByRole('heading', { name: 'November 2026', exact: true })).toBeVisible()
    for (const monday of [/\b7 December/, /14 December/, /21 December/]) {
      await page.getByRole('button', { name: 'Next week' }).click()
      await expect(page.getByRole('button', { name: monday })).toBeVisible()
    }
    await page.getByRole('button', { name: /27 December/ }).click()
    await page.reload()
    await expect(page.getByRole('button', { name: /27 December/ })).toHaveAttribute('aria-pressed', 'true')
    await expect(page.getByText('No classes scheduled for Sunday 27 December 2026')).toBeVisible()
  })

  test('links a day without free classes to the next free class that the member has not booked', async ({
    page,
    site,
  }) => {
    const member = await site.member({ health: true, credits: 2 })
    await signIn(page, member)
    await page.goto('/booking?date=2026-12-27')
    const next = page.getByRole('link', { name: /^Next free: / })
    const named = await next.innerText()
    const [, classId] = /class=(\d+)/.exec((await next.getAttribute('href')) ?? '') ?? []
    await next.click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText(/Next free: \w+ (.*), /.exec(named)?.[1] ?? named)
    await expect(dialog).toContainText(/\d\d:\d\d/.exec(named)?.[0] ?? named)

    await site.book(member, { id: Number(classId) })
    await page.goto('/booking?date=2026-12-27')
    await expect(next).toBeVisible()
    await expect(next).not.toHaveAttribute('href', new RegExp(`class=${classId}$`))

    await site.class({ at: '2027-02-24 10:10' })
    await page.goto('/booking?date=2027-02-20')
    await expect(next).toHaveText('Next free: Wednesday 24 February, 10:10')
  })

  test('shows the phone number when nothing is free for two weeks', async ({ page, site }) => {
    await signIn(page, await site.member())
    await changeResponse<{ availableSpots: number }[]>(page, '**/api/classes?*', (classes) =>
      classes.map((listed) => ({ ...listed, availableSpots: 0 })),
    )
    await page.goto('/booking?date=2026-12-27')
    await expect(page.getByText(/Nothing is free in the next two weeks\. Call us: 01632/)).toBeVisible()
  })

  test('opens on the next day with a free class when today has none left', async ({ page, site }) => {
    await site.class({ at: '2026-12-13 08:15' })
    await site.class({ at: '2026-12-14 08:15' })
    await signIn(page, await site.member())
    for (const [evening, opens] of [
      ['2026-12-12 23:50', /13 December/],
      ['2026-12-13 23:50', /14 December/],
    ] as const) {
      await site.travelTo(evening, page)
      await page.goto('/booking')
      await expect(page.getByRole('button', { name: opens })).toHaveAttribute('aria-pressed', 'true')
      await expect(page.getByRole('button', { name: /^Book .* at 08:15/ }).first()).toBeVisible()
    }
  })

  test('shows a loading message until the classes have loaded', async ({ page, site }) => {
    await signIn(page, await site.member())
    const classes = await holdRequests(page, '**/api/classes?*')
    await gotoHydrated(page, '/')
    await page.getByRole('link', { name: 'Book Now' }).first().click()
    await expect(page.getByText('Loading classes...')).toBeVisible()
    await classes.release()
    await expect(page.getByText('Loading classes...')).toHaveCount(0)
  })

  test('shows each class as started, already booked, full or available, in order of time', async ({ page, site }) => {
    const member = await site.member({ health: true, credits: 3 })
    const other = await site.member({ health: true, credits: 3 })
    const available = await site.class({ at: '2026-12-07 18:30' })
    const started = await site.class({ at: '2026-12-07 06:45' })
    const full = await site.class({ at: '2026-12-07 17:30', places: 1 })
    const booked = await site.class({ at: '2026-12-07 16:30' })
    const half = await site.class({ at: '2026-12-07 19:30' })
    await site.book(member, booked)
    await site.book(other, full)
    await site.book(other, half)
    await signIn(page, member)
    await page.goto('/booking')
    await expect(row(page, started.title)).toContainText('Class has started')
    await expect(row(page, booked.title)).toContainText('Already booked')
    await expect(row(page, full.title)).toContainText('FULL - Join waiting list')
    await expect(row(page, full.title).getByText('Places: 1')).toBeVisible()
    await expect(row(page, available.title)).toContainText('Available')
    await expect(row(page, half.title)).toContainText('1 space left')
    for (const text of ['18:30', available.title, '19:15', 'with Eleanor Marsh']) {
      await expect(row(page, available.title)).toContainText(text)
    }
    for (const { title } of [started, booked, full]) {
      await expect(row(page, title).getByRole('button', { name: /^Book/ })).toHaveCount(0)
      await row(page, title).getByText(title).click()
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
    const titles = await page.getByRole('main').getByRole('heading', { level: 4 }).allTextContents()
    const ours = [started, booked, full, available, half].map(({ title }) => title)
    expect(titles.filter((title) => ours.includes(title))).toEqual(ours)
  })
})
