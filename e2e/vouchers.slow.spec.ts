import type { Locator, Page } from '@playwright/test'
import { packageNamed } from './admin.ts'
import { CARDS, expectToast, fillSignUpForm, gotoHydrated, openMore, pay, waitForDialogToClose } from './member.ts'
import { callApi, expect, newEmail, signIn, test } from './site.ts'

test.use({ viewport: { width: 390, height: 844 } })

test('the owner sells a gift voucher, and the recipient redeems it on a phone', async ({ page, site }) => {
  const buyer = await site.member({ firstName: 'Philippa' })
  await signIn(page, await site.admin())
  await page.goto(`/admin?tab=Users&user=${buyer.id}`)
  await openMore(page)
  await page.getByRole('button', { name: 'Sell voucher' }).click()
  const selling = page.getByRole('dialog', { name: 'Sell a gift voucher' })
  const { id } = await packageNamed(site, '8 Class Pass')
  await selling.getByLabel('Package').selectOption(String(id))
  await expect(selling.getByLabel('Amount (£)')).toHaveValue('424.00')
  await selling.getByLabel('Who is it for?').fill('Georgina')
  await selling.getByLabel('Their email address').fill('georgina@gifts.example')
  await expect(selling.getByLabel('Email it on (optional)')).toBeVisible()
  await selling.getByLabel('Message on the card').fill('Happy birthday 🎉')
  await selling.getByRole('button', { name: 'Sell voucher' }).click()
  await expectToast(page, 'Success', 'Voucher sold')
  await waitForDialogToClose(page)

  const mail = await site.mailTo('georgina@gifts.example', /has given you Pilates/)
  const code = /[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}/.exec(mail.text)?.[0] ?? ''
  expect(code).not.toBe('')
  const georgina = await site.member({ firstName: 'Georgina' })
  await page.context().clearCookies()
  await signIn(page, georgina)
  await page.goto('/pricing#voucher')
  await page.getByRole('button', { name: 'Redeem a voucher' }).click()
  const dialog = page.getByRole('dialog', { name: 'Redeem a voucher' })
  await dialog.getByLabel('Code').fill('ABCD EFGH JKMN')
  await dialog.getByRole('button', { name: 'Redeem voucher' }).click()
  await expect(dialog).toContainText('We do not know this code. Please check it against your voucher.')
  await dialog.getByLabel('Code').fill(code.toLowerCase())
  await dialog.getByRole('button', { name: 'Redeem voucher' }).click()
  await expect(page.getByRole('dialog')).toContainText('You have 8 Class Pass with 8 credits')
  expect(await callApi(georgina, 'GET', '/api/user/passes')).toMatchObject([{ creditsRemaining: 8 }])

  await page.context().clearCookies()
  await signIn(page, await site.admin())
  await page.goto('/admin?tab=Packages&view=vouchers&search=Georgina')
  await expect(page.getByRole('row').filter({ hasText: 'georgina@gifts.example' })).toContainText('Redeemed')
})

test('a member gives a pass in three taps, and the recipient signs up and redeems it in three', async ({
  page,
  site,
}) => {
  const buyer = await site.member({ firstName: 'Rosalind' })
  await signIn(page, buyer)
  await gotoHydrated(page, '/pricing')
  const taps: string[] = []
  const tap = async (name: string, within: Page | Locator = page) => {
    taps.push(name)
    await within.getByRole('button', { name }).click()
  }
  await tap('Give as a gift 8 Class Pass')
  await page.getByLabel('Who is it for?').fill('Henrietta')
  await page.getByLabel('Their email address').fill('henrietta')
  await tap('Continue to payment')
  await expect(page.getByText('Please enter a valid email address')).toBeVisible()
  await expect(page.getByLabel('Their email address')).toBeFocused()
  taps.pop()
  await page.getByLabel('Their email address').fill('henrietta@gifts.example')
  await page.getByLabel('Message on the card').fill('Enjoy your classes 🎉')
  await page.reload()
  await expect(page.getByLabel('Who is it for?')).toHaveValue('Henrietta')
  await expect(page.getByLabel('Their email address')).toHaveValue('henrietta@gifts.example')
  await expect(page.getByLabel('Message on the card')).toHaveValue('Enjoy your classes 🎉')
  await tap('Continue to payment')
  await expect(page.getByText('We’ll email henrietta@gifts.example once it is paid.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Order summary' })).toContainText('Gift voucher: 8 Class Pass')
  taps.push('Complete Payment')
  await pay(page, CARDS.accepted)
  expect(taps).toHaveLength(3)
  await page.waitForURL('**/dashboard')
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('henrietta')
  const thanks = page.getByRole('status').filter({ hasText: 'Thank You for Your Purchase!' })
  await expect(thanks).toContainText('Your gift voucher is ready')
  await expect(thanks).toContainText('henrietta@gifts.example')
  const card = await thanks.getByRole('link', { name: 'Download the card' }).getAttribute('href')
  expect((await page.request.get(card ?? '')).headers()['content-type']).toBe('application/pdf')
  expect(await callApi(buyer, 'GET', '/api/user/passes')).toEqual([])
  expect((await site.mailTo(buyer.email, /Your receipt for 8 Class Pass/)).text).toContain(
    'Your gift voucher is ready.',
  )

  const mail = await site.mailTo('henrietta@gifts.example', /^Rosalind .*has given you Pilates/)
  const code = /[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}/.exec(mail.text)?.[0] ?? ''
  expect(mail.text).toContain('Enjoy your classes 🎉')
  await page.context().clearCookies()
  await page.goto('/pricing#voucher')
  taps.length = 0
  await tap('Redeem a voucher')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await fillSignUpForm(page, newEmail('henrietta'), 'Henrietta')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await page.waitForURL('**/dashboard')
  await tap('Use a voucher')
  const dialog = page.getByRole('dialog', { name: 'Redeem a voucher' })
  await dialog.getByLabel('Code').fill(code)
  await tap('Redeem voucher', dialog)
  await expect(page.getByRole('dialog')).toContainText('You have 8 Class Pass with 8 credits')
  expect(taps).toHaveLength(3)
})
