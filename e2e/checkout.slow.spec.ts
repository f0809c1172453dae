import type { Page } from '@playwright/test'
import { type Package, packageNamed } from './admin.ts'
import { CARDS, choosePackage, expectToast, pay } from './member.ts'
import { callApi, expect, type Site, signIn, test } from './site.ts'
import { holdRequests, mockResponse } from './traffic.ts'

const credits = (page: Page) => page.getByRole('definition').first()

async function checkout(page: Page, site: Site, name = '8 Class Pass') {
  const member = await site.member()
  await signIn(page, member)
  const sold = await packageNamed(site, name)
  await page.goto(`/checkout?packageId=${sold.id}&amount=${Number(sold.price)}`)
  return { member, sold }
}

test.describe('the checkout', () => {
  test('shows the order and its conditions', async ({ page, site }) => {
    await checkout(page, site, 'Introductory Offer')
    const order = page.getByRole('region', { name: 'Order summary' })
    for (const text of [
      'Introductory Offer',
      'Limited time offer',
      '£129.00',
      'Classes included3',
      'Validity1 month',
      'Max participants per class2',
      'Secure payment via the card provider',
      'Your pass is activated immediately after payment',
      'All classes are 45-minute duo sessions of up to 2 participants',
      'One credit books one place, so two of you need two.',
    ]) {
      await expect(order).toContainText(text)
    }
    await expect(page.getByRole('button', { name: 'Complete Payment - £129.00' })).toBeVisible()
  })

  test('gets packageId and amount from the pricing page', async ({ page, site }) => {
    await signIn(page, await site.member())
    await choosePackage(page, '8 Class Pass')
    const { searchParams } = new URL(page.url())
    expect(searchParams.get('packageId')).toBe(String((await packageNamed(site, '8 Class Pass')).id))
    expect(Number(searchParams.get('amount'))).toBe(424)
  })

  test('shows that the payment is being processed, and pays once when the button is clicked repeatedly', async ({
    page,
    site,
  }) => {
    await checkout(page, site)
    const confirm = await holdRequests(page, '**/sandbox/stripe/**/confirm')
    await pay(page, CARDS.accepted)
    const button = page.getByRole('button', { name: 'Processing payment…' })
    await expect(button).toHaveAttribute('aria-busy', 'true')
    await button.click()
    await button.dblclick()
    await page.keyboard.press('Enter')
    await confirm.release()
    await page.waitForURL('**/dashboard')
    await expect(page.getByText('Thank You for Your Purchase!')).toBeVisible()
    await expect(page.getByText('Your pass is active, and a receipt has been sent to you by email.')).toBeVisible()
    await expect(credits(page)).toHaveText('8')
    expect(confirm.calls()).toBe(1)
  })

  test('does not repeat the thank-you message after a reload', async ({ page, site }) => {
    await checkout(page, site)
    await pay(page, CARDS.accepted)
    await expect(page.getByText('Thank You for Your Purchase!')).toBeVisible()
    await page.reload()
    await expect(credits(page)).toHaveText('8')
    await expect(page.getByText('Thank You for Your Purchase!')).toHaveCount(0)
  })

  test('shows the studio’s phone number when activation fails after payment, and activates the pass on retry', async ({
    page,
    site,
  }) => {
    await checkout(page, site)
    await mockResponse(page, '**/api/purchase-package', 500, {})
    await pay(page, CARDS.accepted)
    await expectToast(page, 'Error', 'Payment successful but failed to activate pass. Please contact support.')
    await expect(page.getByText('01632 960147').first()).toBeVisible()
    await page.unroute('**/api/purchase-package')
    await page.getByRole('main').getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('Thank You for Your Purchase!')).toBeVisible()
    await expect(credits(page)).toHaveText('8')
  })

  test('can retry when the payment cannot be started', async ({ page, site }) => {
    await mockResponse(page, '**/api/create-payment-intent', 500, {})
    await checkout(page, site)
    await expectToast(page, 'Error', 'Failed to initialize payment. Please try again.')
    await page.unroute('**/api/create-payment-intent')
    await page.getByRole('main').getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByLabel('Card number')).toBeVisible()
  })

  test('shows that payment is disabled when there is no Stripe key', async ({ page, site }) => {
    await mockResponse(page, '**/api/payment-setup', 200, { provider: 'disabled', publishableKey: null })
    await checkout(page, site)
    await expect(page.getByText('Payment processing is temporarily disabled.')).toBeVisible()
    await expect(page.getByRole('region', { name: 'Order summary' })).toContainText('8 Class Pass')
  })

  test('shows Package not found without a packageId, and starts no payment', async ({ page, site }) => {
    await signIn(page, await site.member())
    const intents = await holdRequests(page, '**/api/create-payment-intent')
    await page.goto('/checkout?amount=65')
    await expect(page.getByText('Package not found.')).toBeVisible()
    expect(intents.calls()).toBe(0)
    await page.getByRole('link', { name: 'Back to Pricing' }).click()
    await page.waitForURL('**/pricing')
  })

  for (const amount of ['0', 'abc']) {
    test(`amount=${amount}: shows the server's price and starts the payment only after Continue`, async ({
      page,
      site,
    }) => {
      await signIn(page, await site.member())
      const { id } = await packageNamed(site, 'Single Session')
      const intents = await holdRequests(page, '**/api/create-payment-intent')
      await page.goto(`/checkout?packageId=${id}&amount=${amount}`)
      await expect(page.getByRole('region', { name: 'Order summary' })).toContainText('£65.00')
      const goOn = page.getByRole('button', { name: 'Continue with £65.00' })
      await expect(goOn).toBeVisible()
      expect(intents.calls()).toBe(0)
      await intents.release()
      await goOn.click()
      await expect(page.getByRole('button', { name: 'Complete Payment - £65.00' })).toBeVisible()
    })
  }

  test('shows Package not found for an unknown package', async ({ page, site }) => {
    await signIn(page, await site.member())
    await page.goto('/checkout?packageId=999999&amount=65')
    await expect(page.getByText('Package not found.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Back to Pricing' })).toBeVisible()
    await expect(page.getByLabel('Card number')).toHaveCount(0)
  })

  test('refuses an amount that is not the price', async ({ page, site }) => {
    await signIn(page, await site.member())
    const { id } = await packageNamed(site, '8 Class Pass')
    await page.goto(`/checkout?packageId=${id}&amount=1`)
    await expectToast(page, 'Error', 'Failed to initialize payment. Please try again.')
    await expect(page.getByLabel('Card number')).toHaveCount(0)
    await expect(page.getByRole('alert').filter({ hasText: 'It is £424.00 now.' })).toBeVisible()
    await page.getByRole('link', { name: 'Try again with £424.00' }).click()
    await expect(page.getByRole('button', { name: 'Complete Payment - £424.00' })).toBeVisible()
  })

  test("uses the server's price without an amount, with a thousands separator", async ({ page, site }) => {
    const body = { name: 'Two Years', price: '£1,250', classCount: 26, validityMonths: 24 }
    const sold: Package = await callApi(await site.admin(), 'POST', '/api/packages', body)
    await signIn(page, await site.member())
    await page.goto(`/checkout?packageId=${sold.id}`)
    await expect(page.getByRole('region', { name: 'Order summary' })).toContainText('£1,250.00')
    await pay(page, CARDS.accepted)
    await expect(page.getByText('Thank You for Your Purchase!')).toBeVisible()
    await callApi(await site.admin(), 'DELETE', `/api/packages/${sold.id}`)
  })

  test('refuses a second purchase of a once-only package before payment', async ({ page, site }) => {
    const member = await site.member()
    const sold = await packageNamed(site, 'Introductory Offer')
    const gift = { packageId: sold.id, creditsToGift: 1, expiryMonths: 3, userId: member.id }
    await callApi(await site.admin(), 'POST', `/api/admin/users/${member.id}/gift-credits`, gift)
    await signIn(page, member)
    await page.goto(`/checkout?packageId=${sold.id}&amount=129`)
    await expect(page.getByRole('alert').filter({ hasText: /already/i })).toBeVisible()
    await expect(page.getByLabel('Card number')).toHaveCount(0)
  })

  test('keeps the payment but not the card number after a reload', async ({ page, site }) => {
    const secrets: string[] = []
    page.on('response', async (response) => {
      if (response.url().endsWith('/api/create-payment-intent')) secrets.push((await response.json()).clientSecret)
    })
    await checkout(page, site)
    await page.getByLabel('Card number').fill(CARDS.accepted)
    await page.reload()
    await expect(page.getByLabel('Card number')).toHaveValue('')
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain('4242')
    expect(new Set(secrets).size).toBe(1)
    await pay(page, CARDS.accepted)
    await expect(page.getByText('Thank You for Your Purchase!')).toBeVisible()
    await expect(credits(page)).toHaveText('8')
  })

  test('shows a pending bank debit on the dashboard', async ({ page, site }) => {
    await checkout(page, site)
    await page.getByRole('button', { name: 'Test a bank debit (takes half a minute)' }).click()
    await page.waitForURL('**/dashboard')
    await expect(page.getByText('Your payment is on its way.')).toBeVisible()
    await expect(page.getByText('£424.00 for 8 Class Pass. Your bank may take a few days to send it.')).toBeVisible()
    await expect(credits(page)).toHaveText('0')
  })

  test('creates one pass when two tabs pay for one payment', async ({ page, site, context }) => {
    await checkout(page, site)
    const second = await context.newPage()
    await second.goto(page.url())
    await expect(second.getByLabel('Card number')).toBeVisible()
    await pay(page, CARDS.accepted)
    await expect(page.getByText('Thank You for Your Purchase!')).toBeVisible()
    await pay(second, CARDS.accepted)
    await expect(second.getByText(/Thank You for Your Purchase!|Payment Failed/).first()).toBeVisible()
    await page.reload()
    await expect(credits(page)).toHaveText('8')
  })

  test('activates the pass after returning from the bank', async ({ page, site }) => {
    await checkout(page, site)
    const activation = await holdRequests(page, '**/api/purchase-package')
    await pay(page, CARDS.needsAuthentication)
    await page.getByRole('button', { name: 'Complete authentication' }).click()
    await expect(page.getByText('Activating your pass…')).toBeVisible()
    await activation.release()
    await expect(page.getByText('Thank You for Your Purchase!')).toBeVisible()
    await expect(credits(page)).toHaveText('8')
  })

  test('goes back to the pricing page, not to the checkout, after payment', async ({ page, site }) => {
    await signIn(page, await site.member())
    await choosePackage(page, '8 Class Pass')
    await pay(page, CARDS.accepted)
    await expect(page.getByText('Thank You for Your Purchase!')).toBeVisible()
    await page.goBack()
    await expect(page).toHaveURL('/pricing')
  })

  test('lists missing card details', async ({ page, site }) => {
    await checkout(page, site)
    await expect(page.getByLabel('Name on card')).not.toHaveValue('')
    await page.getByLabel('Name on card').clear()
    await page.getByRole('button', { name: /^Complete Payment/ }).click()
    await expect(page.getByLabel('Card number')).toHaveAccessibleDescription('Please enter the card number')
    await expect(page.getByLabel('Card number')).toBeFocused()
    await expect(page.getByLabel('Name on card')).toHaveAccessibleDescription('Please enter the name on the card')
  })
})
