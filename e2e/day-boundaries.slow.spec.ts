import type { Page } from '@playwright/test'
import { confirmBooking, expectToast, gotoHydrated, waitForDialogToClose } from './member.ts'
import { AUTUMN_MORNING, expect, type Site, signIn, signInAgain, test } from './site.ts'

// The clock goes far ahead here: this file has a studio of its own.
test.use({ opensAt: AUTUMN_MORNING })

const row = (page: Page, title: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: title })
const bookButton = (page: Page, title: string) => page.getByRole('button', { name: new RegExp(`^Book ${title}`) })
const nextClass = (page: Page) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: 'Next Class', exact: true }) })

/** Somebody with a pass, a class, and, where wished, a place in it. */
async function story(page: Page, site: Site, at: string, { booked = true, login = '' } = {}) {
  const member = await site.member({ health: true, credits: 3 })
  const made = await site.class({ at })
  if (booked) await site.book(member, made)
  if (login) {
    await site.travelTo(login, page)
    await signInAgain(page, member)
  } else await signIn(page, member)
  return made
}

test.describe('a class that starts this very minute', () => {
  test('one second before it can be booked', async ({ page, site }) => {
    const { title } = await story(page, site, '2026-10-22 10:00', { booked: false })
    await site.travelTo('2026-10-22 09:59:59', page)
    await page.goto('/booking')
    await bookButton(page, title).click()
    await confirmBooking(page)
    await expectToast(page, 'Booking Confirmed')
  })

  test('on the second it has started and cannot be chosen', async ({ page, site }) => {
    const { title } = await story(page, site, '2026-10-22 10:00', { booked: false })
    await site.travelTo('2026-10-22 10:00:00', page)
    await page.goto('/booking?date=2026-10-22')
    await expect(row(page, title)).toContainText('Class has started')
    await expect(bookButton(page, title)).toHaveCount(0)
  })

  test('begun between looking and clicking, it says Cannot Book', async ({ page, site }) => {
    const { title } = await story(page, site, '2026-10-22 10:00', { booked: false })
    await site.travelTo('2026-10-22 09:59:59', page)
    await page.goto('/booking')
    await expect(bookButton(page, title)).toBeVisible()
    await site.travelTo('2026-10-22 10:00:00', page)
    await bookButton(page, title).click()
    await expectToast(page, 'Cannot Book', 'This class has already started or is in the past.')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  test('begun while the dialog was open, it says Cannot Book', async ({ page, site }) => {
    const { title } = await story(page, site, '2026-10-22 10:00', { booked: false })
    await site.travelTo('2026-10-22 09:59:59', page)
    await page.goto('/booking')
    await bookButton(page, title).click()
    await expect(page.getByText('Health information complete')).toBeVisible()
    await site.travelTo('2026-10-22 10:00:00', page)
    await confirmBooking(page)
    await expectToast(page, 'Cannot Book', 'This class has already started or is in the past.')
  })

  test('a page left open learns of it by itself within 15 seconds', async ({ page, site }) => {
    const { title } = await story(page, site, '2026-10-22 10:00', { booked: false })
    await site.travelTo('2026-10-22 09:59:50', page)
    await page.clock.install({ time: new Date('2026-10-22T08:59:50Z') })
    await page.goto('/booking')
    await expect(bookButton(page, title)).toBeVisible()
    await page.clock.fastForward(15_000)
    await expect(row(page, title)).toContainText('Class has started')
  })

  test('a booking can no longer be cancelled', async ({ page, site }) => {
    await story(page, site, '2026-10-22 10:00')
    await site.travelTo('2026-10-22 09:59:59', page)
    await gotoHydrated(page, '/dashboard?view=detailed', '/api/user/bookings/upcoming')
    const cancel = page.getByRole('region', { name: 'Upcoming Bookings' }).getByRole('button', { name: /^Cancel/ })
    await expect(cancel).toBeVisible()
    await site.travelTo('2026-10-22 10:00:00', page)
    await cancel.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel booking' }).click()
    await expectToast(page, 'Error', 'This class has already started, so the booking can no longer be cancelled.')
  })
})

test.describe('120 minutes before the start, to the second', () => {
  test('one second more: Cancel acts at once and the credit comes back', async ({ page, site }) => {
    await story(page, site, '2026-10-22 12:00')
    await site.travelTo('2026-10-22 09:59:59', page)
    await page.goto('/dashboard?view=detailed')
    await expect(nextClass(page)).toContainText('Credit returned if cancelled before 10:00')
    await nextClass(page)
      .getByRole('button', { name: /^Cancel/ })
      .click()
    await expectToast(page, 'Success', 'Booking cancelled successfully')
    await expect(page.getByText('3 credits left')).toBeVisible()
  })

  test('exactly: the next-class card is disabled in words, every other Cancel asks first', async ({ page, site }) => {
    await story(page, site, '2026-10-22 12:00')
    await site.travelTo('2026-10-22 10:00:00', page)
    await page.goto('/dashboard?view=detailed')
    await expect(nextClass(page).getByRole('button', { name: 'Cannot cancel (within 120 min)' })).toBeDisabled()
    const upcoming = page.getByRole('region', { name: 'Upcoming Bookings' })
    await expect(upcoming.getByText('Your credit would not be returned')).toBeVisible()
    await expect(upcoming.getByRole('button', { name: /^Reschedule/ })).toBeDisabled()
    await upcoming.getByRole('button', { name: /^Cancel/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Cancel without credit?' })
    await expect(dialog).toContainText('120 minutes')
    await dialog.getByRole('button', { name: 'Cancel booking' }).click()
    await expectToast(page, 'Success', 'Booking cancelled successfully')
    await expect(page.getByText('2 credits left')).toBeVisible()
  })
})

test.describe('midnight', () => {
  test('one second before it is still today, on the second it is tomorrow', async ({ page, site }) => {
    const member = await site.member()
    await signIn(page, member)
    await site.travelTo('2026-10-22 23:59:59', page)
    await page.goto('/booking')
    await expect(page.getByRole('button', { name: /22 October/ })).toHaveAttribute('aria-current', 'date')
    await site.travelTo('2026-10-23 00:00:00', page)
    await page.reload()
    await expect(page.getByRole('button', { name: /23 October/ })).toHaveAttribute('aria-current', 'date')
    await expect(page.getByRole('button', { name: /23 October/ })).toHaveAttribute('aria-pressed', 'true')
  })

  test('a class at 00:00 belongs to the new day and is cancelled free of charge until 22:00 the day before', async ({
    page,
    site,
  }) => {
    const { title } = await story(page, site, '2026-10-24 00:00')
    await site.travelTo('2026-10-23 21:59:59', page)
    await page.goto('/dashboard')
    await expect(page.getByText('Credit returned if cancelled before 22:00 on 23/10/2026')).toBeVisible()
    await page.goto('/booking?date=2026-10-23')
    await expect(row(page, title)).toHaveCount(0)
    await page.goto('/booking?date=2026-10-24')
    await expect(row(page, title)).toContainText('Already booked')
  })

  test('London is what counts, wherever the browser is', async ({ browser, site }) => {
    const context = await browser.newContext({ baseURL: site.origin, timezoneId: 'Asia/Tokyo', locale: 'en-GB' })
    const page = await context.newPage()
    const { title } = await story(page, site, '2026-10-22 23:30', { booked: false })
    await site.travelTo('2026-10-22 23:00', page)
    await page.goto('/booking')
    await expect(page.getByRole('button', { name: /22 October/ })).toHaveAttribute('aria-current', 'date')
    await expect(bookButton(page, title)).toBeVisible()
    await context.close()
  })
})

test.describe('the Sunday that gives an hour (25 October 2026)', () => {
  test('the 120 minutes before a class at 03:00 begin at 01:00 of the second round, not of the first', async ({
    page,
    site,
  }) => {
    await story(page, site, '2026-10-25 03:00')
    // 01:00 comes twice: 00:00 and 01:00 in UTC. The class starts at 03:00 UTC.
    await site.travelTo('2026-10-25 00:30', page)
    await page.goto('/dashboard?view=detailed')
    await expect(nextClass(page).getByRole('button', { name: /^Cancel/ })).toBeEnabled()
    await page.clock.setFixedTime(new Date('2026-10-25T00:59:59Z'))
    await page.reload()
    await expect(nextClass(page).getByRole('button', { name: /^Cancel/ })).toBeEnabled()
    await page.clock.setFixedTime(new Date('2026-10-25T01:00:00Z'))
    await page.reload()
    await expect(nextClass(page).getByRole('button', { name: 'Cannot cancel (within 120 min)' })).toBeDisabled()
  })

  test('a class at 01:30 is the first of the two', async ({ page, site }) => {
    const { title } = await story(page, site, '2026-10-25 01:30', { booked: false })
    await site.travelTo('2026-10-25 01:29:59', page)
    await page.goto('/booking')
    await expect(bookButton(page, title)).toBeVisible()
    await page.clock.setFixedTime(new Date('2026-10-25T00:30:00Z'))
    await page.reload()
    await expect(row(page, title)).toContainText('Class has started')
    await page.clock.setFixedTime(new Date('2026-10-25T01:29:59Z'))
    await page.reload()
    await expect(row(page, title)).toContainText('Class has started')
  })

  test('the week that holds it has seven days, and the day after is Monday', async ({ page, site }) => {
    await signIn(page, await site.member())
    await page.goto('/booking?date=2026-10-25')
    const days = page.getByRole('group', { name: 'Days of the week' }).getByRole('button')
    await expect(days).toHaveCount(7)
    await expect(days.last()).toContainText('25')
    await page.getByRole('button', { name: 'Next week' }).click()
    await expect(days.first()).toContainText('26')
  })
})

test.describe('the Sunday that takes an hour (28 March 2027)', () => {
  test('the 120 minutes before a class at 03:30 begin at 00:30', async ({ page, site }) => {
    await story(page, site, '2027-03-28 03:30', { login: '2027-03-28 00:29:59' })
    await page.goto('/dashboard?view=detailed')
    await expect(nextClass(page)).toContainText('Credit returned if cancelled before 00:30')
    await expect(nextClass(page).getByRole('button', { name: /^Cancel/ })).toBeEnabled()
    await site.travelTo('2027-03-28 00:30:00', page)
    await page.reload()
    await expect(nextClass(page).getByRole('button', { name: 'Cannot cancel (within 120 min)' })).toBeDisabled()
  })

  test('a class at 01:30, a time that does not exist, starts when 02:30 comes', async ({ page, site }) => {
    const { title } = await story(page, site, '2027-03-28 01:30', { booked: false, login: '2027-03-28 02:29:59' })
    await page.goto('/booking')
    await bookButton(page, title).click()
    await confirmBooking(page)
    await expectToast(page, 'Booking Confirmed')
    await waitForDialogToClose(page)
    await site.travelTo('2027-03-28 02:30:00', page)
    await page.reload()
    await expect(row(page, title)).toContainText('Class has started')
  })
})
