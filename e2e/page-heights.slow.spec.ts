import type { Locator, Page } from '@playwright/test'
import { memberWithTwentyBookings } from './busy-studio.ts'
import { choosePackage } from './member.ts'
import { callApi, expect, type Site, signIn, test } from './site.ts'

const PHONE = { width: 390, height: 844 }

test.use({ viewport: PHONE })

const topOf = async (what: Locator) => Math.round((await what.boundingBox())?.y ?? Number.NaN)

async function withTwentyBookings(page: Page, site: Site) {
  const member = await memberWithTwentyBookings(site)
  await callApi(member, 'POST', '/api/user/news-offer', { wantsNews: false })
  await signIn(page, member)
}

const MAX_DASHBOARD_HEIGHT = 2130
/** With the five lines of the history. */
const MAX_DETAILED_HEIGHT = 2730

const heightOf = (page: Page) => page.evaluate(() => document.documentElement.scrollHeight)

test('the dashboard shows the next five of twenty bookings and collapses the rest by week', async ({ page, site }) => {
  await withTwentyBookings(page, site)
  await page.goto('/dashboard')
  const upcoming = page.getByRole('region', { name: 'Upcoming classes' })
  const cancels = upcoming.getByRole('button', { name: /^Cancel/ })
  await expect(cancels).toHaveCount(5)
  await expect(upcoming.getByRole('button', { name: /^Reschedule/ })).toHaveCount(5)
  expect(await heightOf(page)).toBeLessThanOrEqual(MAX_DASHBOARD_HEIGHT)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width)

  await upcoming.getByRole('button', { name: 'Show all 20' }).click()
  await expect(cancels).toHaveCount(20)
  await expect(upcoming.getByRole('heading', { level: 3 })).toHaveText([
    'Week of Monday 14 December 2026',
    'Week of Monday 21 December 2026',
    'Week of Monday 28 December 2026',
  ])
  await upcoming.getByRole('button', { name: 'Show fewer' }).click()
  await expect(cancels).toHaveCount(5)

  await page.goto('/dashboard?view=detailed')
  const past = page.getByRole('region', { name: 'Booking History' })
  await expect(past.getByRole('listitem')).toHaveCount(5)
  await expect(page.getByRole('region', { name: 'Upcoming Bookings' }).getByText('Confirmed')).toHaveCount(5)
  expect(await heightOf(page)).toBeLessThanOrEqual(MAX_DETAILED_HEIGHT)
})

test('the first class of a busy day is on the first screen', async ({ page, site }) => {
  await withTwentyBookings(page, site)
  await page.goto('/booking?date=2026-12-14')
  const first = page.getByRole('main').getByRole('heading', { level: 4 }).first()
  await expect(first).toBeVisible()
  expect(await topOf(first)).toBeLessThanOrEqual(420)
  for (const name of ['All Activities', 'Instructor']) await expect(page.getByRole('button', { name })).toBeVisible()
})

test('the card form is on the first screen of the checkout', async ({ page, site }) => {
  await signIn(page, await site.member())
  await choosePackage(page, '8 Class Pass')
  expect(await topOf(page.getByLabel('Card number'))).toBeLessThanOrEqual(560)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width)
})

test('the first step of the questionnaire is short and shows its number', async ({ page, site }) => {
  await signIn(page, await site.member())
  await page.goto('/health')
  await page.getByRole('button', { name: 'Complete Questionnaire' }).click()
  await expect(page.getByRole('heading', { name: 'Medical History' })).toBeFocused()
  await expect(page.getByText('Step 1 of 4')).toBeVisible()
  expect(await heightOf(page)).toBeLessThanOrEqual(1900)
})

test('a long first name fits on the home page', async ({ page, site }) => {
  await signIn(page, await site.member({ firstName: 'Wilhelmina-Josephine-Antoinette' }))
  await page.goto('/')
  await expect(page.getByRole('heading', { name: /^Hello/ })).toBeVisible()
  for (const link of ['Dashboard', 'Book a Class']) {
    const box = await page.getByRole('main').getByRole('link', { name: link }).first().boundingBox()
    expect((box?.x ?? 0) + (box?.width ?? 1000), link).toBeLessThanOrEqual(PHONE.width)
  }
})
