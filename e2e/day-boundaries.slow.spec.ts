import type { Page } from '@playwright/test'
import { confirmBooking, expectToast, gotoHydrated, waitForDialogToClose } from './member.ts'
import { AUTUMN_MORNING, expect, type Site, signIn, signInAgain, test } from './site.ts'

test.use({ opensAt: AUTUMN_MORNING })

const row = (page: Page, title: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: title })
const bookButton = (page: Page, title: string) => page.getByRole('button', { name: new RegExp(`^Book ${title}`) })
const nextClass = (page: Page) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: 'Next Class', exact: true }) })

async function signInWithClass(page: Page, site: Site, at: string, { booked = true, login = '' } = {}) {
  const member = await site.member({ health: true, credits: 3 })
  const created = await site.class({ at })
  if (booked) await site.book(member, created)
  if (login) {
    await site.travelTo(login, page)
    await signInAgain(page, member)
  } else await signIn(page, member)
  return created
}

test.describe('a class that starts this minute', () => {
  test('can be booked one second before it starts', async ({ page, site }) => {
    const { title } = await signInWithClass(page, site, '2026-10-22 10:00', { booked: false })
    await site.travelTo('2026-10-22 09:59:59', page)
    await page.goto('/booking')
    await bookButton(page, title).click()
    await confirmBooking(page)
    await expectToast(page, 'Booking Confirmed')
  })

  test('cannot be chosen from the second it starts', async ({ page, site }) => {
    const { title } = await signInWithClass(page, site, '2026-10-22 10:00', { booked: false })
    await site.travelTo('2026-10-22 10:00:00', page)
    await page.goto('/booking?date=2026-10-22')
    await expect(row(page, title)).toContainText('Class has started')
    await expect(bookButton(page, title)).toHaveCount(0)
  })

  test('shows Cannot Book if it starts before the click', async ({ page, site }) => {
    const { title } = await signInWithClass(page, site, '2026-10-22 10:00', { booked: false })
    await site.travelTo('2026-10-22 09:59:59', page)
    await gotoHydrated(page, '/booking')
    await expect(bookButton(page, title)).toBeVisible()
    await site.travelTo('2026-10-22 10:00:00', page)
    await bookButton(page, title).click()
    await expectToast(page, 'Cannot Book', 'This class has already started or is in the past.')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  test('shows Cannot Book if it starts while the dialog is open', async ({ page, site }) => {
    const { title } = await signInWithClass(page, site, '2026-10-22 10:00', { booked: false })
    await site.travelTo('2026-10-22 09:59:59', page)
    await page.goto('/booking')
    await bookButton(page, title).click()
    await expect(page.getByText('Health information complete')).toBeVisible()
    await site.travelTo('2026-10-22 10:00:00', page)
    await confirmBooking(page)
    await expectToast(page, 'Cannot Book', 'This class has already started or is in the past.')
  })

  test('appears as started on an open page within 15 seconds', async ({ page, site }) => {
    const { title } = await signInWithClass(page, site, '2026-10-22 10:00', { booked: false })
    await site.travelTo('2026-10-22 09:59:50', page)
    await page.clock.install({ time: new Date('2026-10-22T08:59:50Z') })
    await page.goto('/booking')
    await expect(bookButton(page, title)).toBeVisible()
    await page.clock.fastForward(15_000)
    await expect(row(page, title)).toContainText('Class has started')
  })

  test('can no longer be cancelled', async ({ page, site }) => {
    await signInWithClass(page, site, '2026-10-22 10:00')
    await site.travelTo('2026-10-22 09:59:59', page)
    await gotoHydrated(page, '/dashboard?view=detailed')
    const cancel = page.getByRole('region', { name: 'Upcoming Bookings' }).getByRole('button', { name: /^Cancel/ })
    await expect(cancel).toBeVisible()
    await site.travelTo('2026-10-22 10:00:00', page)
    await cancel.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel booking' }).click()
    await expectToast(page, 'Error', 'This class has already started, so the booking can no longer be cancelled.')
  })
})

test.describe('120 minutes before the start, to the second', () => {
  test('one second earlier, cancelling returns the credit without a question', async ({ page, site }) => {
    await signInWithClass(page, site, '2026-10-22 12:00')
    await site.travelTo('2026-10-22 09:59:59', page)
    await page.goto('/dashboard?view=detailed')
    await expect(nextClass(page)).toContainText('Cancel before 10:00')
    await nextClass(page)
      .getByRole('button', { name: /^Cancel/ })
      .click()
    await expectToast(page, 'Success', 'Booking cancelled successfully')
    await expect(page.getByText('3 credits left')).toBeVisible()
  })

  test('at 120 minutes, disables Cancel on the next-class card and asks for confirmation elsewhere', async ({
    page,
    site,
  }) => {
    await signInWithClass(page, site, '2026-10-22 12:00')
    await site.travelTo('2026-10-22 10:00:00', page)
    await page.goto('/dashboard?view=detailed')
    await expect(nextClass(page).getByRole('button', { name: 'Cannot cancel (within 120 min)' })).toBeDisabled()
    const upcoming = page.getByRole('region', { name: 'Upcoming Bookings' })
    await expect(upcoming.getByText('Cancel: the credit would not be returned')).toBeVisible()
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
  test('changes the current day at midnight', async ({ page, site }) => {
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

  test("counts a class at 00:00 as the new day's, cancellable until 22:00 the day before", async ({ page, site }) => {
    const { title } = await signInWithClass(page, site, '2026-10-24 00:00')
    await site.travelTo('2026-10-23 21:59:59', page)
    await page.goto('/dashboard')
    await expect(page.getByText('Cancel before 22:00 today to get your credit back')).toBeVisible()
    await page.goto('/booking?date=2026-10-23')
    await expect(row(page, title)).toHaveCount(0)
    await page.goto('/booking?date=2026-10-24')
    await expect(row(page, title)).toContainText('Already booked')
  })

  test('uses London time in any time zone', async ({ browser, site }) => {
    const context = await browser.newContext({ baseURL: site.origin, timezoneId: 'Asia/Tokyo', locale: 'en-GB' })
    const page = await context.newPage()
    const { title } = await signInWithClass(page, site, '2026-10-22 23:30', { booked: false })
    await site.travelTo('2026-10-22 23:00', page)
    await page.goto('/booking')
    await expect(page.getByRole('button', { name: /22 October/ })).toHaveAttribute('aria-current', 'date')
    await expect(bookButton(page, title)).toBeVisible()
    await context.close()
  })
})

test.describe('the end of summer time (25 October 2026)', () => {
  test('starts the 120 minutes before a class at 03:00 at the second 01:00', async ({ page, site }) => {
    await signInWithClass(page, site, '2026-10-25 03:00')
    // 01:00 occurs twice: at 00:00 and 01:00 UTC. The class starts at 03:00 UTC.
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

  test('starts a class at 01:30 at the first 01:30', async ({ page, site }) => {
    const { title } = await signInWithClass(page, site, '2026-10-25 01:30', { booked: false })
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

  test('shows seven days in that week', async ({ page, site }) => {
    await signIn(page, await site.member())
    await page.goto('/booking?date=2026-10-25')
    const days = page.getByRole('group', { name: 'Days of the week' }).getByRole('button')
    await expect(days).toHaveCount(7)
    await expect(days.last()).toContainText('25')
    await page.getByRole('button', { name: 'Next week' }).click()
    await expect(days.first()).toContainText('26')
  })
})

test.describe('the start of summer time (28 March 2027)', () => {
  test('starts the 120 minutes before a class at 03:30 at 00:30', async ({ page, site }) => {
    await signInWithClass(page, site, '2027-03-28 03:30', { login: '2027-03-28 00:29:59' })
    await page.goto('/dashboard?view=detailed')
    await expect(nextClass(page)).toContainText('Cancel before 00:30')
    await expect(nextClass(page).getByRole('button', { name: /^Cancel/ })).toBeEnabled()
    await site.travelTo('2027-03-28 00:30:00', page)
    await page.reload()
    await expect(nextClass(page).getByRole('button', { name: 'Cannot cancel (within 120 min)' })).toBeDisabled()
  })

  test('starts a class at 01:30, which does not exist, at 02:30', async ({ page, site }) => {
    const { title } = await signInWithClass(page, site, '2027-03-28 01:30', {
      booked: false,
      login: '2027-03-28 02:29:59',
    })
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
