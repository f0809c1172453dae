import {
  completeHealth,
  confirmBooking,
  expectLoggedOut,
  expectToast,
  fillSignUpForm,
  gotoHydrated,
  signInWithBooking,
} from './member.ts'
import { expect, signIn, test } from './site.ts'
import { holdRequests } from './traffic.ts'

test.describe('a double click', () => {
  test('on Confirm Booking books once', async ({ page, site }) => {
    await signIn(page, await site.member({ health: true, credits: 2 }))
    const { title } = await site.class({ at: '2026-12-10 19:00' })
    const sent = await holdRequests(page, '**/api/bookings', 'POST')
    await page.goto('/booking?date=2026-12-10')
    await page.getByRole('button', { name: `Book ${title}` }).click()
    await confirmBooking(page)
    const button = page.getByRole('button', { name: 'Confirm Booking' })
    await expect(button).toHaveAttribute('aria-busy', 'true')
    await button.dblclick()
    await sent.release()
    await expectToast(page, 'Booking Confirmed')
    expect(sent.calls()).toBe(1)
  })

  test('on Cancel cancels once', async ({ page, site }) => {
    await signInWithBooking(page, site)
    const sent = await holdRequests(page, '**/api/bookings/*/cancel')
    await page.goto('/dashboard')
    const button = page.getByRole('button', { name: /^Cancel/ })
    await button.dblclick()
    await button.click()
    await sent.release()
    await expectToast(page, 'Success')
    expect(sent.calls()).toBe(1)
  })

  test('on Create Account creates one account', async ({ page }) => {
    const sent = await holdRequests(page, '**/api/register')
    await page.goto('/auth?tab=register')
    await fillSignUpForm(page, `twice-${Date.now()}@people.example`, 'Twyla')
    await page.getByRole('button', { name: 'Create Account' }).dblclick()
    await page.keyboard.press('Enter')
    await sent.release()
    await page.waitForURL('**/dashboard')
    expect(sent.calls()).toBe(1)
  })

  test('on the last button of the health form saves once', async ({ page, site }) => {
    await signIn(page, await site.member())
    const sent = await holdRequests(page, '**/api/health/questionnaire', 'POST')
    const done = completeHealth(page)
    const button = page.getByRole('button', { name: 'Complete Questionnaire' })
    await expect(button.and(page.locator('[aria-busy=true]'))).toBeVisible()
    await button.dblclick()
    await sent.release()
    await done
    expect(sent.calls()).toBe(1)
  })
})

test.describe('back button and two tabs', () => {
  test('going back from the dialog’s link returns to the same day of the calendar', async ({ page, site }) => {
    await signIn(page, await site.member())
    const { title } = await site.class({ at: '2026-12-10 20:30' })
    await page.goto('/booking?date=2026-12-10')
    await page.getByRole('button', { name: `Book ${title}` }).click()
    await page.getByRole('link', { name: 'Complete health questionnaire' }).click()
    await page.waitForURL('**/health')
    await page.goBack()
    await expect(page.getByRole('button', { name: /10 December/ })).toHaveAttribute('aria-pressed', 'true')
    await expect(page.getByText(title).first()).toBeVisible()
  })

  test('after a logout in another tab, the next action leads to the login', async ({ page, site, context }) => {
    await signInWithBooking(page, site)
    await gotoHydrated(page, '/dashboard')
    await expect(page.getByRole('button', { name: /^Cancel/ })).toBeVisible()
    // Its background requests must finish first.
    await page.waitForLoadState('networkidle')
    const other = await context.newPage()
    await other.goto('/api/logout')
    await page.getByRole('button', { name: /^Cancel/ }).click()
    await expectLoggedOut(page)
  })

  test('shows that the booking was already cancelled in another tab', async ({ page, site, context }) => {
    await signInWithBooking(page, site)
    await page.goto('/dashboard')
    const other = await context.newPage()
    await other.clock.setFixedTime(new Date('2026-12-07T08:00:00Z'))
    await other.goto('/dashboard')
    await other.getByRole('button', { name: /^Cancel/ }).click()
    await expectToast(other, 'Booking cancelled successfully')
    await page.getByRole('button', { name: /^Cancel/ }).click()
    await expectToast(page, 'This booking is already cancelled or completed.')
  })
})
