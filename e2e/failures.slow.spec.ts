import type { Page } from '@playwright/test'
import {
  CARDS,
  confirmBooking,
  expectLoggedOut,
  expectToast,
  gotoHydrated,
  LOGGED_OUT,
  openInSite,
  pay,
  signInWithBooking,
} from './member.ts'
import { callApi, expect, signIn, test } from './site.ts'
import { failRequests, holdRequests, mockResponse } from './traffic.ts'

async function sessionEnds(page: Page) {
  await page.context().clearCookies()
}

test.describe('a session that ends in the middle', () => {
  test('of booking: shows a message, leads to /auth and books nothing', async ({ page, site }) => {
    const member = await site.member({ health: true, credits: 3 })
    const { title } = await site.class({ at: '2026-12-10 16:00' })
    await signIn(page, member)
    await page.goto('/booking?date=2026-12-10')
    await page.getByRole('button', { name: `Book ${title}` }).click()
    await expect(page.getByText('Health information complete')).toBeVisible()
    await sessionEnds(page)
    await confirmBooking(page)
    await expectLoggedOut(page)
    expect(await callApi(member, 'GET', '/api/user/bookings')).toEqual([])
  })

  test('of cancelling: shows a message, leads to /auth and keeps the booking', async ({ page, site }) => {
    const { member } = await signInWithBooking(page, site)
    await gotoHydrated(page, '/dashboard')
    await expect(page.getByRole('button', { name: /^Cancel/ })).toBeVisible()
    await sessionEnds(page)
    await page.getByRole('button', { name: /^Cancel/ }).click()
    await expectLoggedOut(page)
    expect(await callApi(member, 'GET', '/api/bookings/upcoming')).toHaveLength(1)
  })

  test('of moving a booking: shows a message and leads to /auth', async ({ page, site }) => {
    await signInWithBooking(page, site)
    const target = await site.class({ at: '2026-12-10 16:30' })
    await page.goto('/dashboard')
    await page.getByRole('button', { name: /^Reschedule/ }).click()
    await page.getByRole('button', { name: new RegExp(`${target.title} at`) }).click()
    await sessionEnds(page)
    await page.getByRole('button', { name: 'Move booking' }).click()
    await expectLoggedOut(page)
  })

  test('of the health form: restores the answers after logging in', async ({ page, site }) => {
    const member = await site.member()
    await signIn(page, member)
    await page.goto('/health')
    await page.getByRole('button', { name: 'Complete Questionnaire' }).click()
    await page.getByLabel('Allergies').fill('Pollen, and the smell of fresh paint')
    for (const heading of ['Exercise Background', 'Emergency Contact']) {
      await page.getByRole('button', { name: 'Next' }).click()
      await expect(page.getByRole('heading', { name: heading })).toBeVisible()
    }
    await page.getByLabel('Emergency contact name').fill('Sam Stranger')
    await page.getByLabel('Relationship').fill('Partner')
    await page.getByLabel('Phone number').fill('01632 960199')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByLabel(/I confirm that my answers are true/).check()
    await page.getByLabel(/I consent to the studio processing/).check()
    await sessionEnds(page)
    await page.getByRole('button', { name: 'Complete Questionnaire' }).click()
    await expectLoggedOut(page)
    await page.getByLabel('Username').fill(member.email)
    await page.getByLabel('Password').fill(member.password)
    await page.getByRole('button', { name: 'Login' }).click()
    await page.waitForURL('**/dashboard')
    await page.getByRole('banner').getByRole('link', { name: 'Health Info' }).click()
    await page.getByRole('button', { name: 'Complete Questionnaire' }).click()
    for (const heading of ['Disclaimers & Consent', 'Emergency Contact', 'Exercise Background']) {
      await expect(page.getByRole('heading', { name: heading })).toBeVisible()
      await page.getByRole('button', { name: 'Previous' }).click()
    }
    await expect(page.getByLabel('Allergies')).toHaveValue('Pollen, and the smell of fresh paint')
  })

  test('of activating a pass: shows a message, leads to /auth and activates the pass', async ({ page, site }) => {
    const member = await site.member()
    await signIn(page, member)
    const [sold] = await callApi(await site.admin(), 'GET', '/api/packages')
    await page.goto(`/checkout?packageId=${sold.id}&amount=${Number(sold.price)}`)
    await mockResponse(page, '**/api/purchase-package', 401, { message: 'Unauthorized' })
    await pay(page, CARDS.accepted)
    await expectToast(page, 'Unauthorized', LOGGED_OUT)
    await expect.poll(async () => (await callApi(member, 'GET', '/api/user/passes')).length).toBe(1)
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain('4242')
  })
})

test.describe('a network failure', () => {
  test('for the session: shows an error, and Try again opens the page', async ({ page, site }) => {
    await signIn(page, await site.member({ firstName: 'Rosalind' }))
    await failRequests(page, '**/api/**')
    // The page asks for the session again, and opens by itself if the server can be reached by then.
    const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/user/passes'))
    await openInSite(page, '/dashboard')
    await failed
    await expect(page.getByText('The studio could not be reached').first()).toBeVisible()
    await page.unroute('**/api/**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { name: 'Hello, Rosalind' })).toBeVisible()
  })

  for (const [path, address, after] of [
    ['/dashboard', '**/api/user/passes', 'No active passes'],
    ['/dashboard?view=detailed', '**/api/user/bookings', 'No upcoming bookings'],
    ['/booking?date=2026-12-27', '**/api/classes?*', 'No classes scheduled for'],
    ['/health', '**/api/health/questionnaire', 'Incomplete'],
    ['/checkout?packageId=1&amount=65', '**/api/packages', 'Complete your purchase'],
  ] as const) {
    test(`for ${address} on ${path}: shows an error, and Try again loads the data`, async ({ page, site }) => {
      await signIn(page, await site.member())
      await failRequests(page, address)
      await openInSite(page, path)
      await expect(page.getByText('The studio could not be reached.').first()).toBeVisible()
      await page.unroute(address)
      await page.getByRole('button', { name: 'Try again' }).first().click()
      await expect(page.getByText(after).first()).toBeVisible()
    })
  }

  test('for booking: shows an error and keeps the dialog for a retry', async ({ page, site }) => {
    await signIn(page, await site.member({ health: true, credits: 1 }))
    const { title } = await site.class({ at: '2026-12-10 17:30' })
    await failRequests(page, '**/api/bookings')
    await page.goto('/booking?date=2026-12-10')
    await page.getByRole('button', { name: `Book ${title}` }).click()
    await confirmBooking(page)
    await expectToast(page, 'Booking Failed', 'The studio could not be reached.')
    await page.unroute('**/api/bookings')
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm Booking' }).click()
    await expectToast(page, 'Booking Confirmed')
  })

  test('for the login: shows an error and keeps the username', async ({ page }) => {
    await failRequests(page, '**/api/login')
    await page.goto('/auth')
    await page.getByLabel('Username').fill('rosalind')
    await page.getByLabel('Password').fill('six-or-more')
    await page.getByRole('button', { name: 'Login' }).click()
    await expectToast(page, 'Login Failed', 'The studio could not be reached.')
    await expect(page.getByLabel('Username')).toHaveValue('rosalind')
  })

  test('for the card: shows an error, and a retry pays once', async ({ page, site }) => {
    await signIn(page, await site.member())
    const [sold] = await callApi(await site.admin(), 'GET', '/api/packages')
    await failRequests(page, '**/sandbox/**/confirm')
    await page.goto(`/checkout?packageId=${sold.id}&amount=${Number(sold.price)}`)
    await pay(page, CARDS.accepted)
    await expect(page.getByText('The payment could not be sent.')).toBeVisible()
    await page.unroute('**/sandbox/**/confirm')
    await page.getByRole('button', { name: /^Complete Payment/ }).click()
    await expect(page.getByText('Thank You for Your Purchase!')).toBeVisible()
    await expect(page.getByRole('definition').first()).toHaveText('1')
  })
})

test('shows a loading message during a slow response', async ({ page, site }) => {
  await signIn(page, await site.member())
  // The page arrives with its bookings but fetches health itself.
  const health = await holdRequests(page, '**/api/health/*')
  await page.goto('/dashboard?view=detailed')
  await expect(page.getByRole('main').getByRole('status')).toContainText('Loading...')
  await health.release()
  await expect(page.getByText('No upcoming bookings')).toBeVisible()
})
