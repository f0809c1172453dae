import type { Page } from '@playwright/test'
import { CARDS, confirmBooking, expectToast, pay, waitForDialogToClose } from './member.ts'
import { callApi, expect, signIn, test } from './site.ts'
import { intercept, mockResponse } from './traffic.ts'

const BUSY = 'The studio is very busy at the moment, so nothing was changed. Please try again shortly.'

/** Lets the server handle requests but drops its responses, at most `times` times. */
async function dropResponses(page: Page, address: string, method: string, times = Number.POSITIVE_INFINITY) {
  let left = times
  await intercept(page, address, async (route) => {
    if (route.request().method() !== method || left <= 0) return route.fallback()
    left -= 1
    await route.fetch()
    await route.abort('connectionreset')
  })
}

test('shows the actual result of a booking and a cancellation when the response is lost', async ({ page, site }) => {
  const member = await site.member({ health: true, credits: 2 })
  const { title } = await site.class({ at: '2026-12-10 14:00' })
  await signIn(page, member)
  await page.goto('/booking?date=2026-12-10')
  const row = page.getByRole('button', { name: `Book ${title}` })

  await mockResponse(page, '**/api/bookings', 503, { message: BUSY }, 'POST')
  await row.click()
  await confirmBooking(page)
  await expectToast(page, 'Booking Failed', BUSY)
  await page.unroute('**/api/bookings')

  await dropResponses(page, '**/api/bookings', 'POST', 1)
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm Booking' }).click()
  await expectToast(page, 'Booking Confirmed', `Your booking for ${title} has been confirmed using your class pass.`)
  await expect(row).toBeHidden()
  await expect(page.getByText('Already booked')).toBeVisible()
  await waitForDialogToClose(page)
  expect(await callApi(member, 'GET', '/api/bookings/upcoming')).toHaveLength(1)

  await page.goto('/dashboard')
  await dropResponses(page, '**/api/bookings/*/cancel', 'PUT', 1)
  await page.getByRole('button', { name: /^Cancel/ }).click()
  await expectToast(page, 'Success', 'Booking cancelled successfully')
  await expect(page.getByText('No upcoming classes booked')).toBeVisible()
})

test('updates the row after a refused booking, because the class is full or already booked', async ({ page, site }) => {
  const member = await site.member({ health: true, credits: 2 })
  const [full, own] = [await site.class({ at: '2026-12-10 12:00' }), await site.class({ at: '2026-12-10 13:00' })]
  await signIn(page, member)
  await page.goto('/booking?date=2026-12-10')
  await expect(page.getByRole('button', { name: `Book ${full.title} at 12:00` })).toBeVisible()
  for (let place = 0; place < 2; place++) await site.book(await site.member({ health: true, credits: 1 }), full)
  await page.getByRole('button', { name: `Book ${full.title} at 12:00` }).click()
  await confirmBooking(page)
  await expectToast(page, 'Booking Failed', 'full')
  await expect(page.getByRole('listitem').filter({ hasText: full.title })).toContainText('FULL - Join waiting list')

  await page.getByRole('button', { name: `Book ${own.title} at 13:00` }).click()
  await expect(page.getByText('Health information complete')).toBeVisible()
  await site.book(member, own)
  await confirmBooking(page)
  await expectToast(page, 'Booking Failed', 'You already have a confirmed booking for this class.')
  await expect(page.getByText('Already booked')).toBeVisible()
})

test('creates one pass per payment when a response from Stripe or the studio is lost', async ({ page, site }) => {
  const member = await site.member()
  await signIn(page, member)
  const [sold] = (await callApi(await site.admin(), 'GET', '/api/packages')).filter(
    (offer: { purchaseOncePerUser: boolean }) => !offer.purchaseOncePerUser,
  )
  const buy = async () => {
    await page.goto(`/checkout?packageId=${sold.id}&amount=${Number(sold.price)}`)
    await pay(page, CARDS.accepted)
    await expect(page.getByText('Thank You for Your Purchase!')).toBeVisible()
  }
  await dropResponses(page, '**/sandbox/**/confirm', 'POST')
  await buy()
  await page.unroute('**/sandbox/**/confirm')
  await dropResponses(page, '**/api/purchase-package', 'POST', 1)
  await buy()
  expect(await callApi(member, 'GET', '/api/user/passes')).toHaveLength(2)
})

test('offers no second payment until the outcome of the first is known', async ({ page, site }) => {
  const member = await site.member()
  await signIn(page, member)
  const [sold] = (await callApi(await site.admin(), 'GET', '/api/packages')).filter(
    (offer: { purchaseOncePerUser: boolean }) => !offer.purchaseOncePerUser,
  )
  await page.goto(`/checkout?packageId=${sold.id}&amount=${Number(sold.price)}`)
  await dropResponses(page, '**/sandbox/**/confirm', 'POST')
  await mockResponse(page, '**/api/purchase-package', 503, { message: BUSY })
  await pay(page, CARDS.accepted)
  const unknown = page.getByText('We do not know yet whether your payment was made. Please look again in a moment.')
  await expect(unknown).toBeVisible()
  await expect(page.getByText('Payment Failed')).toHaveCount(0)
  await page.reload()
  await expect(unknown).toBeVisible()
  await expect(page.getByLabel('Card number')).toHaveCount(0)
  await page.unroute('**/api/purchase-package')
  await page.getByRole('main').getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Thank You for Your Purchase!')).toBeVisible()
  expect(await callApi(member, 'GET', '/api/user/passes')).toHaveLength(1)

  await mockResponse(page, '**/api/create-payment-intent', 410, { message: 'Your payment has arrived.' })
  await page.goto(`/checkout?packageId=${sold.id}&amount=${Number(sold.price)}`)
  await expect(page.getByText('Thank You for Your Purchase!')).toBeVisible()
})

test('shows one toast when several requests find that the session has ended', async ({ page, site }) => {
  await signIn(page, await site.member())
  const [sold] = await callApi(await site.admin(), 'GET', '/api/packages')
  await page.goto(`/checkout?packageId=${sold.id}&amount=${Number(sold.price)}`)
  await expect(page.getByRole('button', { name: /^Complete Payment/ })).toBeVisible()
  const toasts = await page.evaluateHandle(() => {
    const texts: string[] = []
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) {
        for (const node of addedNodes) {
          const toast = node instanceof Element ? (node.closest('.toast') ?? node.querySelector('.toast')) : null
          if (toast) texts.push(toast.textContent ?? '')
        }
      }
    }).observe(document.body, { childList: true, subtree: true })
    return texts
  })
  // Returning to the tab refetches the user at the same moment.
  await intercept(page, '**/api/purchase-package', async (route) => {
    await page.context().clearCookies()
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    await route.fulfill({ status: 401, json: { message: 'Unauthorized' } })
  })
  await pay(page, CARDS.accepted)
  await expectToast(page, 'Unauthorized', 'You are logged out. Logging in again...')
  await page.waitForURL('**/auth')
  expect(await toasts.jsonValue()).toEqual([expect.stringContaining('You are logged out.')])
})
