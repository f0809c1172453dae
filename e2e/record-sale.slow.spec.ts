import type { Page } from '@playwright/test'
import { expectTabLoaded, openAsOwner, unfold } from './admin.ts'
import { dismissToast, expectFailure, expectToast, openMore, waitForDialogToClose } from './member.ts'
import { callApi, expect, test } from './site.ts'
import { holdRequests, mockResponse } from './traffic.ts'

test.use({ viewport: { width: 390, height: 844 } })

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

test('records a cash sale in six taps, keeps the form after an error, and voids it on the same day', async ({
  page,
  site,
}) => {
  await site.travelTo('2026-12-07 08:40', page)
  const member = await site.member({ firstName: 'Cosima', lastName: 'Cash' })
  await openAsOwner(page, site)
  await expectTabLoaded(page, 'Overview')
  await page.getByRole('link', { name: 'Users', exact: true }).click() // tap 1
  await page.getByRole('link', { name: 'Cosima Cash' }).click() // tap 2
  await page.getByRole('button', { name: 'Record a sale' }).click() // tap 3
  const sale = dialog(page, 'Record a sale')
  await expect(sale).toContainText('What Cosima Cash paid at the desk')
  await sale.getByRole('button', { name: 'Record a sale' }).click() // a mistake
  await expect(sale.getByText('Package is required')).toBeVisible()
  await sale.getByLabel('Package').selectOption({ label: '8 Class Pass, £424.00' }) // taps 4 and 5
  await expect(sale.getByLabel('Amount (£)')).toHaveValue('424.00')
  await expect(sale.getByLabel('Paid by')).toHaveValue('cash')

  await sale.getByLabel('Amount (£)').fill('45,50')
  await sale.getByLabel('Note').fill('Owes nothing')
  await sale.getByRole('button', { name: 'Record a sale' }).click()
  await expect(sale.getByText('Please write the price in pounds, such as 45, 45.50 or 1,200')).toBeVisible()
  await sale.getByLabel('Amount (£)').fill('£1,200')
  await mockResponse(page, '**/purchases', 500, '', 'POST')
  await sale.getByRole('button', { name: 'Record a sale' }).click()
  await expectFailure(page, 'Failed to record the sale')
  // On a phone the toast must not cover the button.
  const toast = await page
    .getByRole('region', { name: /Notifications/ })
    .getByRole('listitem')
    .boundingBox()
  const again = await sale.getByRole('button', { name: 'Record a sale' }).boundingBox()
  expect((toast?.y ?? Number.NaN) + (toast?.height ?? 0)).toBeLessThan(again?.y ?? Number.NaN)
  await page.unrouteAll()
  await expect(sale.getByLabel('Note')).toHaveValue('Owes nothing')
  const sent = await holdRequests(page, '**/purchases')
  await sale.getByRole('button', { name: 'Record a sale' }).dblclick() // tap 6
  await sent.release()
  await expectToast(page, 'Sale recorded')
  await dismissToast(page)
  expect(sent.calls()).toBe(1)
  expect((await site.mailTo(member.email, /^Your receipt/)).text).toMatch(/Paid\s+£1,200\.00\s+Paid with\s+Cash/)

  await unfold(page, 'Purchases')
  const bought = page.getByRole('region', { name: 'Purchases' }).getByRole('row').filter({ hasText: '8 Class Pass' })
  await expect(bought).toContainText('£1,200.00')
  await expect(bought).toContainText('Owes nothing')
  await openMore(bought, '8 Class Pass of Cosima Cash')
  await bought.getByRole('button', { name: 'Void 8 Class Pass of Cosima Cash' }).click()
  await dialog(page, 'Void this sale?').getByRole('button', { name: 'Void sale' }).click()
  await expectToast(page, 'Sale voided')
  await expect(bought).toContainText('Voided')
  await expect(page.getByRole('region', { name: 'Passes' })).toContainText('0 credits left')
})

test('records a sale in the middle of a booking and continues the booking', async ({ page, site }) => {
  const member = await site.member({ firstName: 'Nora', lastName: 'Nopass', health: true })
  const studioClass = await site.class({ at: '2026-12-08 19:50', title: 'After the sale' })
  await openAsOwner(page, site, `/admin?tab=Users&user=${member.id}`)
  await page.getByRole('button', { name: 'Book a class' }).click()
  const book = dialog(page, 'Book for Nora')
  await book.getByLabel('Class', { exact: true }).selectOption(String(studioClass.id))
  await book.getByRole('button', { name: 'Book class' }).click()
  await expect(book.getByRole('alert')).toHaveText('You need a class pass to book. Please choose one first.')
  await book.getByRole('button', { name: 'Record a sale' }).click()
  const sale = dialog(page, 'Record a sale')
  await expect(sale.getByLabel('Package')).toBeFocused()
  await sale.getByRole('button', { name: 'Back' }).click()
  await expect(book.getByLabel('Class', { exact: true })).toHaveValue(String(studioClass.id))
  await book.getByRole('button', { name: 'Record a sale' }).click()
  await sale.getByLabel('Package').selectOption({ label: '4 Class Pass, £232.00' })
  await sale.getByLabel('Paid by').selectOption('Card reader')
  await sale.getByRole('button', { name: 'Record a sale' }).click()
  await expectToast(page, 'Booked for Nora Nopass')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const { rows } = await site.pool.query(
    `select b.class_id, u.desk_method, p.credits_remaining from bookings b join passes p on p.id = b.pass_id
      join purchases u on u.id = p.purchase_id where b.user_id = $1`,
    [member.id],
  )
  expect(rows).toEqual([{ class_id: studioClass.id, desk_method: 'card_reader', credits_remaining: 3 }])

  await page.getByRole('button', { name: 'Record a sale' }).click()
  await expect(sale).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('records a sale from the purchases, for a member who is searched for or added', async ({ page, site }) => {
  await site.member({ firstName: 'Petra', lastName: 'Purchaser' })
  await openAsOwner(page, site, '/admin?tab=Packages&view=purchases&search=Purchaser')
  const button = page.getByRole('button', { name: 'Record a sale' })
  await button.press('Enter')
  const sale = dialog(page, 'Record a sale')
  await expect(sale).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(button).toBeFocused()
  await button.press('Enter')
  await sale.getByRole('combobox', { name: 'Name, email or phone' }).fill('Purchaser')
  await sale.getByRole('option', { name: /^Petra Purchaser/ }).click()
  await sale.getByLabel('Package').selectOption({ label: '4 Class Pass, £232.00' })
  await sale.getByRole('button', { name: 'Record a sale' }).click()
  await expectToast(page, 'Sale recorded')
  await expect(page.getByRole('row').filter({ hasText: 'Petra Purchaser' })).toContainText('£232.00')
})

test('asks the owner to tell a member without an email address that their sale is voided', async ({ page, site }) => {
  const person = { firstName: 'Winifred', lastName: 'Featherstonehaugh', phone: '01423 960 114' }
  const owner = await site.admin()
  const { id } = await callApi(owner, 'POST', '/api/admin/users', person)
  await callApi(owner, 'POST', `/api/admin/users/${id}/purchases`, { packageId: 1, method: 'cash' })
  await openAsOwner(page, site, `/admin?tab=Users&user=${id}`)
  await unfold(page, 'Purchases')
  const bought = page.getByRole('region', { name: 'Purchases' }).getByRole('row')
  const news = 'Winifred has no email address, so please tell them.'
  for (const [button, title] of [
    ['Refund', 'Refund this purchase?'],
    ['Void', 'Void this sale?'],
  ] as const) {
    await openMore(bought)
    await bought.getByRole('button', { name: new RegExp(`^${button}`) }).click()
    await expect(dialog(page, title)).toContainText(news)
    await dialog(page, title).getByRole('button', { name: 'Keep' }).click()
    await waitForDialogToClose(page)
  }
  await openMore(page, 'Winifred')
  await page.getByRole('button', { name: 'Sell voucher' }).click()
  await expect(dialog(page, 'Sell a gift voucher')).toContainText('You can print the receipt on their page.')
})

test('records a sale from Quick Actions, and gives the focus back', async ({ page, site }) => {
  const { email } = await site.member({ firstName: 'Quentin', lastName: 'Quick' })
  await openAsOwner(page, site)
  const button = page.getByRole('region', { name: 'Quick Actions' }).getByRole('button', { name: 'Record a sale' })
  await button.press('Enter')
  const sale = dialog(page, 'Record a sale')
  await sale.getByRole('combobox', { name: 'Name, email or phone' }).fill(email)
  await sale.getByRole('option', { name: /^Quentin Quick/ }).click()
  await sale.getByLabel('Package').selectOption({ label: '4 Class Pass, £232.00' })
  await sale.getByRole('button', { name: 'Record a sale' }).click()
  await expectToast(page, 'Sale recorded')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(button).toBeFocused()
})
