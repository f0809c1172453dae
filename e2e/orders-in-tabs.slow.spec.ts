import type { Page, Route } from '@playwright/test'
import { packageNamed } from './admin.ts'
import { CARDS, pay } from './member.ts'
import { callApi, expect, signIn, test } from './site.ts'

const completePayment = (page: Page) => page.getByRole('button', { name: /^Complete Payment/ })
const startedAgain = (page: Page) => page.getByRole('alert').filter({ hasText: 'so we have started it again' })

/** Opens a checkout. Returns the payment that it shows. */
async function openCheckout(page: Page, address: string): Promise<string> {
  const started = page.waitForResponse((response) => response.url().endsWith('/api/create-payment-intent'))
  await page.goto(address)
  await expect(completePayment(page)).toBeVisible()
  return (await (await started).json()).paymentIntentId
}

test('each of two tabs pays for the gift that it shows', async ({ page, site, context }) => {
  const bea = await site.member({ firstName: 'Bea' })
  await signIn(page, bea)
  const sold = await packageNamed(site, '8 Class Pass')
  const fillIn = async (tab: Page, name: string) => {
    await tab.goto(`/checkout?packageId=${sold.id}&amount=${Number(sold.price)}&gift=true`)
    await tab.getByLabel('Who is it for?').fill(name)
    await tab.getByLabel('Their email address').fill(`${name.toLowerCase()}@friends.example`)
    await tab.getByRole('button', { name: 'Continue to payment' }).click()
    await expect(tab.getByText(`For ${name}`)).toBeVisible()
    await expect(completePayment(tab)).toBeVisible()
  }
  const second = await context.newPage()
  await fillIn(page, 'Grace')
  await fillIn(second, 'Henry')
  for (const [tab, name] of [
    [page, 'Grace'],
    [second, 'Henry'],
  ] as const) {
    await pay(tab, CARDS.accepted)
    await tab.waitForURL('**/dashboard')
    await expect(tab.getByRole('status').filter({ hasText: 'Thank You' })).toContainText(name)
  }
})

test('a name that is corrected ends the former order', async ({ page, site }) => {
  await signIn(page, await site.member())
  const sold = await packageNamed(site, '8 Class Pass')
  await page.goto(`/checkout?packageId=${sold.id}&amount=${Number(sold.price)}&gift=true`)
  await page.getByLabel('Who is it for?').fill('Grase')
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await expect(completePayment(page)).toBeVisible()
  await page.getByRole('button', { name: 'Change the gift' }).click()
  await page.getByLabel('Who is it for?').fill('Grace')
  const ended = page.waitForResponse((response) => response.request().method() === 'DELETE')
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  expect((await ended).status()).toBe(200)
  await expect(startedAgain(page)).toBeHidden()
  await pay(page, CARDS.accepted)
  await expect(page.getByRole('status').filter({ hasText: 'Thank You' })).toContainText('Grace')
})

test('an order that ended is started again, with what was typed, and then paid', async ({ page, site }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const mia = await site.member()
  await signIn(page, mia)
  const sold = await packageNamed(site, '8 Class Pass')
  const id = await openCheckout(page, `/checkout?packageId=${sold.id}&amount=${Number(sold.price)}`)
  await page.getByRole('checkbox', { name: /let me start using this pass/ }).check()
  await callApi(mia, 'DELETE', `/api/user/payments/${id}?tab=another`)
  await pay(page, CARDS.accepted)
  await expect(startedAgain(page)).toHaveText(
    'Your order was no longer open, so we have started it again. Nothing was paid. Please check it and press the button again.',
  )
  await expect(startedAgain(page)).toBeInViewport()
  await expect(page.getByRole('checkbox', { name: /let me start using this pass/ })).toBeChecked()
  await expect(page.getByLabel('CVC')).not.toHaveValue('')
  await completePayment(page).click()
  await page.waitForURL('**/dashboard')
  await expect(page.getByText('Thank You for Your Purchase!')).toBeVisible()
})

test('a payment cancelled at the card provider is replaced too, and a code that has ended leaves the order', async ({
  page,
  site,
}) => {
  const code = { code: 'GONE', kind: 'percent', value: 10, oncePerMember: false, firstPurchaseOnly: false }
  const made = await callApi(await site.admin(), 'POST', '/api/admin/promotion-codes', code)
  const mia = await site.member()
  await signIn(page, mia)
  const sold = await packageNamed(site, '8 Class Pass')
  const id = await openCheckout(page, `/checkout?packageId=${sold.id}&amount=${Number(sold.price)}&code=GONE`)
  await expect(page.getByRole('button', { name: 'Complete Payment - £381.60' })).toBeVisible()
  await callApi(await site.admin(), 'DELETE', `/api/admin/promotion-codes/${made.id}`)
  // After the press was stored, so that the page hears it from the provider.
  const cancelFirst = async (route: Route) => {
    await site.travelTo('2026-12-07 08:40')
    await callApi(mia, 'DELETE', `/api/user/payments/${id}?tab=another`)
    await route.continue()
  }
  await page.route('**/sandbox/**/confirm', cancelFirst, { times: 1 })
  await pay(page, CARDS.accepted)
  await expect(startedAgain(page)).toContainText('The total is now £424.00.')
  await expect(page.getByText('You cannot confirm this PaymentIntent')).toBeHidden()
  await expect(page.getByText('This code has ended.')).toBeVisible()
  await page.getByRole('button', { name: 'Complete Payment - £424.00' }).click()
  await page.waitForURL('**/dashboard')
})
