import { openTab, packageNamed } from './admin.ts'
import { CARDS, expectToast, pay, waitForDialogToClose } from './member.ts'
import { callApi, expect, signIn, test } from './site.ts'

test.use({ viewport: { width: 390, height: 844 } })

test('the owner creates a code, and a member pays less with it', async ({ page, site }) => {
  await openTab(page, site, 'Packages', '&view=codes')
  await page.getByRole('button', { name: 'Create Code' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create Code' })
  await dialog.getByLabel('Code', { exact: true }).fill('hotel-swan')
  await dialog.getByLabel('How much').fill('110')
  await dialog.getByRole('button', { name: 'Create Code' }).click()
  await expect(dialog).toContainText('Please enter a whole percentage from 1 to 100')
  await dialog.getByLabel('How much').fill('10')
  await dialog.getByRole('button', { name: 'Create Code' }).click()
  await expectToast(page, 'Success', 'Code created')
  await waitForDialogToClose(page)
  const card = page.getByRole('row').filter({ hasText: 'HOTEL-SWAN' })
  await expect(card).toContainText('10% off')
  await expect(card).toContainText('Not used yet')

  const member = await site.member({ firstName: 'Florence' })
  await page.context().clearCookies()
  await signIn(page, member)
  const sold = await packageNamed(site, '8 Class Pass')
  await page.goto(`/checkout?packageId=${sold.id}&amount=${Number(sold.price)}`)
  await expect(page.getByRole('button', { name: 'Complete Payment - £424.00' })).toBeVisible()
  await page.getByRole('button', { name: 'Have a code?' }).click()
  const field = page.getByLabel('Code', { exact: true })
  await expect(field).toBeFocused()
  await field.fill('nothing')
  await page.getByRole('button', { name: 'Use code' }).click()
  await expect(page.getByText('We do not know this code. Please check it.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Complete Payment - £424.00' })).toBeVisible()
  await field.fill(' hotel-swan')
  await page.getByRole('button', { name: 'Use code' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Code HOTEL-SWAN, 10% off: -£42.40' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Order summary' })).toContainText('£381.60')
  await expect(page.getByRole('button', { name: 'Complete Payment - £381.60' })).toBeVisible()
  await pay(page, CARDS.accepted)
  await page.waitForURL('**/dashboard')
  const [purchase] = await callApi(member, 'GET', '/api/user/purchases')
  expect(purchase.amount).toBe('381.60')
  const receipt = await site.mailTo(member.email, /Your receipt for 8 Class Pass/)
  expect(receipt.text).toContain('-£42.40')

  await openTab(page, site, 'Packages', '&view=codes')
  await expect(card).toContainText('Used once')
  await page.getByRole('button', { name: 'End HOTEL-SWAN' }).click()
  await page.getByRole('button', { name: 'End code' }).click()
  await expectToast(page, 'Success', 'Code ended')
  await expect(card).toContainText('Ended')
})

test('a link with a code reaches the checkout, and an order that costs nothing needs no card', async ({
  page,
  site,
}) => {
  const body = { code: 'PRESS-DAY', kind: 'percent', value: 100, oncePerMember: true, firstPurchaseOnly: true }
  await callApi(await site.admin(), 'POST', '/api/admin/promotion-codes', body)
  const member = await site.member({ firstName: 'Florence' })
  await signIn(page, member)
  await page.goto('/pricing?code=press-day')
  await page
    .getByRole('listitem')
    .filter({ hasText: '8 Class Pass' })
    .getByRole('button', { name: /Select Package/ })
    .click()
  await expect(page.getByText('With this code there is nothing to pay.')).toBeVisible()
  await page.getByRole('button', { name: 'Complete Payment - £0.00' }).click()
  await page.waitForURL('**/dashboard')
  await expect(page.getByText('Thank You for Your Purchase!')).toBeVisible()
  const passes = await callApi(member, 'GET', '/api/user/passes')
  expect(passes).toMatchObject([{ creditsRemaining: 8 }])
})
