import type { Page } from '@playwright/test'
import { CARDS, pay } from '../member.ts'
import { expect, type Site, signIn, succeed } from '../site.ts'
import { answer, hold } from '../traffic.ts'
import { at, castOf } from './cast.ts'
import { click, inTurn, toast, type Walk } from './scene.ts'

const checkoutOf = (price: string) => async (page: Page, site: Site) => {
  await signIn(page, (await castOf(site)).rich)
  const packages = await succeed(await site.admin(), 'GET', '/api/packages')
  const sold = packages.find((p: { price: string }) => p.price === price)
  await page.goto(`/checkout?packageId=${sold.id}&amount=${Number(price)}`)
}
const cardForm = (page: Page) => expect(page.getByLabel('Card number')).toBeVisible()

/** Paying, and what may be in its way. */
export const CHECKOUT_WALKS: readonly Walk[] = [
  [
    { name: 'checkout', main: true, open: inTurn(checkoutOf('424.00'), cardForm) },
    {
      name: 'checkout, declined',
      open: async (page) => {
        await pay(page, CARDS.declined)
        await toast(page)
      },
    },
    {
      name: 'checkout, processing',
      open: async (page) => {
        await hold(page, '**/sandbox/stripe/**/confirm')
        await pay(page, CARDS.pays)
        await expect(page.getByRole('button', { name: /Processing/ })).toBeVisible()
      },
    },
  ],
  [
    {
      name: 'checkout, card form with errors',
      open: inTurn(checkoutOf('129.00'), cardForm, click('button', /^Complete Payment/), (page) =>
        expect(page.getByText('Please use MM/YY')).toBeVisible(),
      ),
    },
  ],
  [
    {
      name: 'checkout, could not be prepared',
      open: inTurn(
        (page) => answer(page, '**/api/create-payment-intent', 500, {}),
        checkoutOf('424.00'),
        (page) => expect(page.getByRole('alert')).toBeVisible(),
      ),
    },
  ],
  [
    {
      name: 'checkout, payments disabled',
      open: inTurn(
        (page) => answer(page, '**/api/payment-setup', 200, { provider: 'disabled', publishableKey: null }),
        checkoutOf('424.00'),
        (page) => expect(page.getByText('Payment processing is temporarily disabled.')).toBeVisible(),
      ),
    },
  ],
  [
    {
      name: 'checkout, package not found',
      open: at('/checkout?packageId=999999&amount=5', 'Package not found.', 'full'),
    },
  ],
]
