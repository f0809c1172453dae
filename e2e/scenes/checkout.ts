import type { Page } from '@playwright/test'
import { CARDS, pay } from '../member.ts'
import { callApi, expect, type Site, signIn } from '../site.ts'
import { holdRequests, mockResponse } from '../traffic.ts'
import { membersOf, openPage } from './members.ts'
import { click, inTurn, toast, type Walk } from './scene.ts'

const openCheckout = (price: string) => async (page: Page, site: Site) => {
  await signIn(page, (await membersOf(site)).rich)
  const packages = await callApi(await site.admin(), 'GET', '/api/packages')
  const sold = packages.find((p: { price: string }) => p.price === price)
  await page.goto(`/checkout?packageId=${sold.id}&amount=${Number(price)}`)
}

/** There is one already if another scene came first. */
export async function createCode(site: Site): Promise<void> {
  const body = { code: 'SWAN-15', kind: 'percent', value: 15, oncePerMember: false, firstPurchaseOnly: false }
  await (await site.admin()).request('POST', '/api/admin/promotion-codes', body)
}

const cardForm = (page: Page) => expect(page.getByLabel('Card number')).toBeVisible()

export const CHECKOUT_WALKS: readonly Walk[] = [
  [
    { name: 'checkout', main: true, open: inTurn(openCheckout('424.00'), cardForm) },
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
        await holdRequests(page, '**/sandbox/stripe/**/confirm')
        await pay(page, CARDS.accepted)
        await expect(page.getByRole('button', { name: /Processing/ })).toBeVisible()
      },
    },
  ],
  [
    {
      name: 'checkout, unknown code',
      open: inTurn(openCheckout('424.00'), click('button', 'Have a code?'), async (page) => {
        await page.getByLabel('Code', { exact: true }).fill('nothing')
        await page.getByRole('button', { name: 'Use code' }).click()
        await expect(page.getByText('We do not know this code')).toBeVisible()
      }),
    },
    {
      name: 'checkout, with a code',
      open: async (page, site) => {
        await createCode(site)
        await page.getByLabel('Code', { exact: true }).fill('swan-15')
        await page.getByRole('button', { name: 'Use code' }).click()
        await expect(page.getByRole('button', { name: 'Remove code' })).toBeVisible()
        await cardForm(page)
      },
    },
  ],
  [
    {
      name: 'checkout, a gift with errors',
      open: inTurn(
        openCheckout('424.00'),
        click('button', 'Give as a gift'),
        click('button', 'Continue to payment'),
        (page) => expect(page.getByText('Please enter who the voucher is for')).toBeVisible(),
      ),
    },
    {
      name: 'checkout, a gift',
      open: async (page) => {
        await page.getByLabel('Who is it for?').fill('Marguerite-Clementine Featherstonehaugh')
        await page
          .getByLabel('Their email address')
          .fill('wilhelmina.featherstonehaugh@people-with-long-addresses.example')
        await page.getByRole('button', { name: 'Continue to payment' }).click()
        await expect(page.getByRole('button', { name: 'Change the gift' })).toBeVisible()
        await cardForm(page)
      },
    },
    {
      name: 'dashboard, a gift bought',
      open: async (page) => {
        await pay(page, CARDS.accepted)
        await expect(page.getByRole('link', { name: 'Download the card' })).toBeVisible()
      },
    },
    {
      name: 'dashboard, receipt of a gift',
      open: async (page) => {
        await page.getByRole('button', { name: 'Receipts' }).click()
        await page
          .getByRole('button', { name: /^Email the voucher for Marguerite/ })
          .first()
          .click()
        await expect(page.getByLabel('Their email address')).toBeVisible()
      },
    },
  ],
  [
    {
      name: 'checkout, card form with errors',
      open: inTurn(openCheckout('129.00'), cardForm, click('button', /^Complete Payment/), (page) =>
        expect(page.getByText('Please use MM/YY')).toBeVisible(),
      ),
    },
  ],
  [
    {
      name: 'checkout, could not be prepared',
      open: inTurn(
        (page) => mockResponse(page, '**/api/create-payment-intent', 500, {}),
        openCheckout('424.00'),
        (page) => expect(page.getByRole('alert')).toBeVisible(),
      ),
    },
  ],
  [
    {
      name: 'checkout, payments disabled',
      open: inTurn(
        (page) => mockResponse(page, '**/api/payment-setup', 200, { provider: 'disabled', publishableKey: null }),
        openCheckout('424.00'),
        (page) => expect(page.getByText('Payment processing is temporarily disabled.')).toBeVisible(),
      ),
    },
  ],
  [
    {
      name: 'checkout, package not found',
      open: openPage('/checkout?packageId=999999&amount=5', 'Package not found.', 'full'),
    },
  ],
]
