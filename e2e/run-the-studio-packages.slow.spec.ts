import { buyPackage, openTab } from './admin.ts'
import { expectFailure, expectToast, openMore } from './member.ts'
import { callApi, expect, test } from './site.ts'
import { holdRequests, mockResponse } from './traffic.ts'

test('creates, edits, hides, shows and deletes a package', async ({ page, site }) => {
  await openTab(page, site, 'Packages')
  await page.getByRole('button', { name: 'Create Package' }).click()
  const dialog = page.getByRole('dialog')
  for (const [label, usual] of [
    ['Class count', '1'],
    ['Validity (months)', '1'],
    ['Max participants', '2'],
  ] as const)
    await expect(dialog.getByLabel(label)).toHaveValue(usual)
  await dialog.getByLabel('Class count').fill('0')
  await dialog.getByLabel('Validity (months)').fill('0')
  await dialog.getByRole('button', { name: 'Create Package' }).click()
  for (const text of [
    'Name is required',
    'Price is required',
    'Class count must be at least 1',
    'Validity must be at least 1 month',
  ])
    await expect(dialog.getByText(text)).toBeVisible()
  await dialog.getByLabel('Name').fill('Autumn Pass')
  await dialog.getByLabel('Description').fill('For grey days')
  await dialog.getByLabel('Price (£)').fill('99.5')
  await dialog.getByLabel('Class count').fill('2')
  await dialog.getByLabel('Validity (months)').fill('3')
  await dialog.getByLabel('Limited offer').check()
  await mockResponse(page, '**/api/packages', 500, '', 'POST')
  await dialog.getByRole('button', { name: 'Create Package' }).click()
  await expectFailure(page, 'Failed to create package')
  await page.unrouteAll()
  await dialog.getByRole('button', { name: 'Create Package' }).click()
  await expectToast(page, 'Package created successfully')
  const card = page.getByRole('article').filter({ hasText: 'Autumn Pass' })
  for (const fact of [
    '£99.50',
    '2 classes included',
    'Valid for 3 months',
    'up to 2 participants',
    'For grey days',
    'Limited Offer',
  ])
    await expect(card.getByText(fact, { exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'Edit Autumn Pass' }).click()
  await dialog.getByLabel('Price (£)').fill('89')
  await mockResponse(page, '**/api/packages/*', 500, '', 'PUT')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expectFailure(page, 'Failed to update package')
  await page.unrouteAll()
  const packages = await callApi(await site.admin(), 'GET', '/api/packages')
  const { id } = packages.find(({ name }: { name: string }) => name === 'Autumn Pass')
  await callApi(await site.admin(), 'PUT', `/api/packages/${id}`, { description: 'By another admin' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('button', { name: 'Reload' }).click()
  await expect(dialog.getByLabel('Description')).toHaveValue('By another admin')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Package updated successfully')
  await expect(card).toContainText('£89.00')

  await mockResponse(page, '**/toggle-visibility', 500, '')
  await page.getByRole('button', { name: 'Hide Autumn Pass' }).click()
  await expectFailure(page, 'Failed to toggle package visibility')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Hide Autumn Pass' }).click()
  await expectToast(page, 'Package hidden from users')
  await expect(card.getByText('Hidden', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Show Autumn Pass' }).click()
  await expectToast(page, 'Package shown to users')

  await page.getByRole('button', { name: 'Delete Autumn Pass' }).click()
  await expect(dialog).toContainText('Autumn Pass will be removed from every list')
  await mockResponse(page, '**/api/packages/*', 500, '', 'DELETE')
  await dialog.getByRole('button', { name: 'Delete package' }).click()
  await expectFailure(page, 'Failed to delete package')
  await page.unrouteAll()
  await dialog.getByRole('button', { name: 'Delete package' }).click()
  await expectToast(page, 'Package deleted successfully')
  await expect(card).toHaveCount(0)
})

test('shows the amounts before a refund, refunds once and emails the member', async ({ page, site }) => {
  const member = await site.member({ firstName: 'Renata', lastName: 'Refund', health: true })
  await buyPackage(site, member, '232.00')
  await openTab(page, site, 'Packages', '&view=purchases&search=Renata')
  await openMore(page, '4 Class Pass of Renata Refund')
  await page.getByRole('button', { name: 'Refund 4 Class Pass of Renata Refund' }).click()
  const dialog = page.getByRole('dialog', { name: 'Refund this purchase?' })
  await expect(dialog.getByRole('definition')).toHaveText(['£232.00', '£23.20', '£208.80'])
  await mockResponse(page, '**/refund', 500, '')
  await dialog.getByRole('button', { name: 'Refund £208.80' }).click()
  await expectFailure(page, 'Failed to refund purchase')
  await page.unrouteAll()
  const sent = await holdRequests(page, '**/refund')
  await dialog.getByRole('button', { name: 'Refund £208.80' }).dblclick()
  await sent.release()
  await expectToast(page, 'Purchase refunded')
  expect(sent.calls()).toBe(1)
  const row = page.getByRole('row').filter({ hasText: 'Renata Refund' })
  await expect(row).toContainText(/Refund(ed| on its way) £208.80/)
  await openMore(row)
  await expect(row.getByRole('link', { name: /^Receipt/ })).toBeVisible()
  await expect(row.getByRole('button', { name: /^Refund/ })).toHaveCount(0)
  await site.mailTo(member.email, /Your refund of £208.80/)

  const user = await site.member({ firstName: 'Ursula', lastName: 'Used', health: true })
  await buyPackage(site, user, '232.00')
  await site.book(user, await site.class({ at: '2026-12-17 10:00' }))
  await page.goto('/admin?tab=Packages&view=purchases&search=Ursula')
  await openMore(page, '4 Class Pass of Ursula Used')
  await expect(page.getByText('This pass has been used, so it cannot be refunded.')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('searchbox', { name: 'Search purchases' }).fill('Nothing at all')
  await expect(page.getByText('No purchases match “Nothing at all”.')).toBeVisible()
})

test('puts a disputed payment on hold, and asks how many credits a partial refund takes', async ({ page, site }) => {
  await openTab(page, site, 'Packages', '&view=purchases')
  const headings = page.getByRole('table', { name: 'Purchases' }).locator('tbody th')
  await expect(headings).toHaveText(['Needs your decision', 'Other sales'])
  await page.getByRole('combobox', { name: 'Show' }).selectOption('Need your decision')
  await expect(headings).toHaveText(['Needs your decision'])
  const disputed = page.getByRole('row').filter({ hasText: 'Disputed, pass on hold' })
  await openMore(disputed)
  await expect(disputed).toContainText(
    'A bank is looking into this payment, so it cannot be refunded until that is decided.',
  )
  await page.keyboard.press('Escape')
  await expect(disputed.getByRole('link', { name: /^Answer at Stripe about/ })).toBeVisible()
  const part = page.getByRole('row').filter({ hasText: 'Refunded £20.00' })
  await expect(part).toContainText('made at the card provider; needs your decision')
  await part.getByRole('button', { name: /^Decide about/ }).click()
  const dialog = page.getByRole('dialog', { name: 'How many credits go with this refund?' })
  await dialog.getByLabel('Credits to take').fill('1')
  await mockResponse(page, '**/decide', 500, '')
  await dialog.getByRole('button', { name: 'Save decision' }).click()
  await expectFailure(page, 'Failed to save the decision')
  await page.unrouteAll()
  await dialog.getByRole('button', { name: 'Save decision' }).click()
  await expectToast(page, 'Decision saved')
  await expect(part).toHaveCount(0)
})
