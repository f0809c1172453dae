import { packageNamed } from './admin.ts'
import { expectToast, waitForDialogToClose } from './member.ts'
import { callApi, expect, signIn, test } from './site.ts'

test.use({ viewport: { width: 390, height: 844 } })

test('the owner sells a gift voucher, and the recipient redeems it on a phone', async ({ page, site }) => {
  const buyer = await site.member({ firstName: 'Philippa' })
  await signIn(page, await site.admin())
  await page.goto(`/admin?tab=Users&user=${buyer.id}`)
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
