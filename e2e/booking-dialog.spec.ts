import type { Page } from '@playwright/test'
import { confirmBooking, expectToast, gotoHydrated, waitForDialogToClose } from './member.ts'
import { expect, type Site, signIn, test, WITH_MOTION } from './site.ts'
import { failRequests, holdRequests, mockResponse } from './traffic.ts'

test.use(WITH_MOTION)

const row = (page: Page, title: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: title })

test.describe('the booking dialog', () => {
  async function open(page: Page, site: Site, has = { health: true, credits: 2 }, places: 1 | 2 = 2) {
    const member = await site.member(has)
    const chosen = await site.class({ at: '2026-12-10 13:00', places })
    await signIn(page, member)
    await page.goto('/booking?date=2026-12-10')
    await page.getByRole('button', { name: `Book ${chosen.title} at 13:00` }).click()
    await expect(page.getByRole('dialog', { name: chosen.title })).toBeVisible()
    return { member, chosen }
  }

  test('shows the class, the time, the instructor and the policy, and requires both ticks to confirm', async ({
    page,
    site,
  }) => {
    const { chosen } = await open(page, site)
    const dialog = page.getByRole('dialog')
    for (const text of [
      chosen.title,
      'Thursday 10 December 2026',
      '13:00 - 13:45',
      'Eleanor Marsh',
      'bookings cancelled within 120 minutes of the scheduled time are charged in full',
      'If you cancel earlier, the credit goes back to your pass',
      'Health information complete',
    ]) {
      await expect(dialog).toContainText(text)
    }
    await expect(dialog.getByRole('link', { name: 'terms and conditions' })).toHaveAttribute(
      'href',
      '/terms-and-conditions',
    )
    await expect(dialog).not.toContainText('you will not get the credit back')
    const confirm = dialog.getByRole('button', { name: 'Confirm Booking' })
    await expect(confirm).toBeDisabled()
    await expect(confirm).toHaveAccessibleDescription('Tick both boxes to confirm.')
    await dialog.getByRole('checkbox', { name: /cancellation policy/ }).check()
    await expect(confirm).toBeDisabled()
    await dialog.getByRole('checkbox', { name: /terms and conditions/ }).check()
    await expect(confirm).toBeEnabled()
    await dialog.getByRole('checkbox', { name: /cancellation policy/ }).uncheck()
    await expect(confirm).toBeDisabled()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('button', { name: `Book ${chosen.title} at 13:00` })).toBeFocused()
  })

  test('shows both ticks and Confirm on one screen of a phone, also with a long title', async ({ page, site }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await signIn(page, await site.member({ health: true, credits: 2 }))
    const title = 'Reformer Pilates for Runners and Cyclists after a Long Winter'
    await site.class({ at: '2026-12-10 06:45', title })
    await page.goto('/booking?date=2026-12-10')
    await page.getByRole('button', { name: `Book ${title} at 06:45` }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('Health information complete')
    const isScrolled = await dialog.evaluate((sheet) => sheet.scrollHeight > sheet.clientHeight)
    expect(isScrolled).toBe(false)
    for (const name of [/cancellation policy/, /terms and conditions/])
      await expect(dialog.getByRole('checkbox', { name })).toBeInViewport()
    await expect(dialog.getByRole('button', { name: 'Confirm Booking' })).toBeInViewport()
  })

  test('warns before booking a class whose credit would not be returned', async ({ page, site }) => {
    await signIn(page, await site.member({ health: true, credits: 1 }))
    const soon = await site.class({ at: '2026-12-07 09:55' })
    await page.goto('/booking?date=2026-12-07')
    await page.getByRole('button', { name: `Book ${soon.title} at 09:55` }).click()
    await expect(page.getByRole('dialog')).toContainText(
      'This class starts within 120 minutes. If you book it and then cancel, you will not get the credit back.',
    )
  })

  test('warns of an overlapping booking, and books anyway', async ({ page, site }) => {
    const { member, chosen } = await open(page, site)
    const other = await site.class({ at: '2026-12-10 12:30', title: 'Before lunch' })
    await site.class({ at: '2026-12-10 12:15', title: 'Not booked' })
    await site.book(member, other)
    await page.reload()
    await page.getByRole('button', { name: `Book ${chosen.title} at 13:00` }).click()
    await expect(page.getByRole('dialog')).toContainText(
      'This class overlaps with your booking for Before lunch, 12:30 - 13:15.',
    )
    await confirmBooking(page)
    await expectToast(page, 'Booking Confirmed')
  })

  test('marks the class as booked and no longer offers it', async ({ page, site }) => {
    const { chosen } = await open(page, site)
    await confirmBooking(page)
    await expectToast(page, 'Booking Confirmed')
    await expect(row(page, chosen.title)).toContainText('Already booked')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  test('shows the server’s message when the class has become full', async ({ page, site }) => {
    const { chosen } = await open(page, site, undefined, 1)
    await site.book(await site.member({ health: true, credits: 1 }), chosen)
    await confirmBooking(page)
    await expectToast(page, 'Booking Failed', 'This class is fully booked.')
    await waitForDialogToClose(page)
    await expect(row(page, chosen.title)).toContainText('FULL')
  })

  test('shows the server’s message when the class was booked in another tab (409)', async ({ page, site }) => {
    const { member, chosen } = await open(page, site)
    await site.book(member, chosen)
    await confirmBooking(page)
    await expectToast(
      page,
      'Booking Failed',
      'You already have a confirmed booking for this class. You can only book each class once.',
    )
    await waitForDialogToClose(page)
    await expect(row(page, chosen.title)).toContainText('Already booked')
  })

  test('finds a booking made elsewhere before sending the request', async ({ page, site }) => {
    const member = await site.member({ health: true, credits: 2 })
    const chosen = await site.class({ at: '2026-12-10 14:00' })
    await site.book(member, chosen)
    await signIn(page, member)
    await failRequests(page, '**/api/user/bookings')
    await gotoHydrated(page, '/')
    await page.getByRole('link', { name: 'Book Now' }).first().click()
    await page.getByRole('button', { name: /10 December/ }).click()
    await expect(page.getByRole('button', { name: `Book ${chosen.title} at 14:00` })).toBeVisible()
    await page.unroute('**/api/user/bookings')
    const sent = await holdRequests(page, '**/api/bookings', 'POST')
    const known = page.waitForResponse('**/api/user/bookings')
    await page.getByRole('button', { name: `Book ${chosen.title} at 14:00` }).click()
    await known
    await confirmBooking(page)
    await expectToast(
      page,
      'Already Booked',
      'You already have a confirmed booking for this class. You can only book each class once.',
    )
    expect(sent.calls()).toBe(0)
  })

  test('shows a fallback message when the server sends none', async ({ page, site }) => {
    await open(page, site)
    await mockResponse(page, '**/api/bookings', 500, {}, 'POST')
    await confirmBooking(page)
    await expectToast(page, 'Booking Failed', 'Unable to complete your booking. Please try again.')
    await page.unroute('**/api/bookings')
    const dialog = page.getByRole('dialog')
    for (const box of await dialog.getByRole('checkbox').all()) await expect(box).toBeChecked()
    await dialog.getByRole('button', { name: 'Confirm Booking' }).click()
    await expectToast(page, 'Booking Confirmed')
    await waitForDialogToClose(page)
  })

  test('books before the passes have loaded', async ({ page, site }) => {
    const passes = await holdRequests(page, '**/api/user/passes')
    await open(page, site)
    await confirmBooking(page)
    await expectToast(page, 'Booking Confirmed')
    await passes.release()
  })

  test('shows Class Pass Required when the pass has no credits', async ({ page, site }) => {
    const { member } = await open(page, site, { health: true, credits: 1 })
    await site.book(member, await site.class({ at: '2026-12-10 20:00' }))
    await confirmBooking(page)
    await expectToast(
      page,
      'Class Pass Required',
      'Your class pass has no credits left. Please buy a new class pass to book.',
    )
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('alert')).toContainText('has no credits left')
    await expect(dialog.getByRole('link', { name: 'See prices' })).toHaveAttribute('href', '/pricing')
  })
})
