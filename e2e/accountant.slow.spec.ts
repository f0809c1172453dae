import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { chooseDay, expectTabLoaded, follow, openAsOwner, openTab } from './admin.ts'
import { expectToast, openMore } from './member.ts'
import { callApi, expect, signIn, test } from './site.ts'

test.use({ viewport: { width: 390, height: 844 } })

async function download(page: Page, link: string | RegExp) {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: link }).click()])
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'latin1') }
}

test('downloads last month’s sales in two taps, on a phone in three, and sets up VAT', async ({ page, site }) => {
  await openAsOwner(page, site)
  await expectTabLoaded(page, 'Overview')
  await follow(page, 'Analytics') // tap 1, on a phone 2
  const file = await download(page, 'Sales and refunds (CSV)') // tap 2, on a phone 3
  expect(file.name).toBe('purchases-2026-11-01-to-2026-11-30.csv')
  expect(file.text).toContain('Receipt number,Member,Email,Package,Paid by')
  expect(file.text).toMatch(/\d\d\/11\/2026,Sale,\d+,/)
  expect(file.text).not.toContain('/12/2026,Sale')
  await page.getByLabel('Month', { exact: true }).selectOption('October 2026')
  const statement = await download(page, 'Statement (PDF)')
  expect(statement.name).toBe('statement-2026-10.pdf')
  expect(statement.text).toContain('(Statement for October 2026, Aldergate Pilates)')

  await page.goto('/admin?view=settings#vat')
  const form = page.getByRole('form', { name: 'Studio settings' })
  await form.getByRole('button', { name: 'Add a VAT registration' }).click()
  await form.getByLabel('VAT number').fill('12')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByText('Please enter the VAT number: nine digits, with GB before them or not')).toBeVisible()
  await form.getByLabel('VAT number').fill('GB 123 4567 89')
  await form.getByLabel('Rate (%)').fill('20%')
  await form.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Saved. Every page will show it within a minute')
  const kept = await callApi(await site.admin(), 'GET', '/api/admin/studio')
  expect(kept.vat).toEqual({ number: 'GB 123 4567 89', rate: 20 })
  await form.getByLabel('Rate (%)').fill('5')
  await chooseDay(form, 'First day', '2026-11-01')
  await form.getByRole('button', { name: 'Save' }).click()
  const periods = async () => (await callApi(await site.admin(), 'GET', '/api/admin/studio')).vatPeriods
  await expect.poll(periods).toEqual([{ from: '2026-11-01', vat: { number: 'GB 123 4567 89', rate: 5 } }])
  await form.getByRole('button', { name: 'Remove VAT, line 1' }).click()
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByText('The studio is not VAT-registered, and receipts say so.')).toBeVisible()
  await expect.poll(periods).toEqual([])
})

test('downloads a tax year in one file', async ({ page, site }) => {
  await openTab(page, site, 'Analytics')
  await page.getByRole('combobox', { name: 'Period', exact: true }).selectOption('Tax year')
  await expect(page.getByLabel('Tax year', { exact: true })).toHaveValue('2025-04-06')
  await page.getByLabel('Tax year', { exact: true }).selectOption('Tax year 2026/27')
  const file = await download(page, 'Sales and refunds (CSV)')
  expect(file.name).toBe('purchases-2026-04-06-to-2027-04-05.csv')
  for (const month of [10, 11, 12]) expect(file.text).toMatch(new RegExp(`\\d\\d/${month}/2026,Sale,\\d+,`))
  const statement = await download(page, 'Statement (PDF)')
  expect(statement.name).toBe('statement-2026-04-06-to-2027-04-05.pdf')
  expect(statement.text).toContain('(Statement for the tax year 2026/27, Aldergate Pilates)')

  expect(file.text).toMatch(/,\d+\.\d\d,\d+\.\d\d,\d\d\/\d\d\/2026,po_/)
  await page.getByText(/^\d+ card payouts?,/).click()
  await expect(page.getByRole('region', { name: 'Card payouts, as a table' })).toContainText('Card payments (')

  await page.getByRole('combobox', { name: 'Period', exact: true }).selectOption('Own dates')
  const own = page.getByRole('region', { name: 'For the accountant' })
  await chooseDay(own, 'From', '2026-12-01')
  await chooseDay(own, 'To', '2026-12-04')
  expect((await download(page, 'Sales and refunds (CSV)')).name).toBe('purchases-2026-12-01-to-2026-12-04.csv')
})

test('a member downloads receipts and a monthly statement from the dashboard', async ({ page, site }) => {
  const member = await site.member({ firstName: 'Rhoda', lastName: 'Receipt' })
  const packages: { id: number; classCount: number }[] = await callApi(member, 'GET', '/api/packages')
  const packageId = packages.find(({ classCount }) => classCount === 4)?.id
  const sale = { packageId, method: 'cash' }
  const sold = await callApi(await site.admin(), 'POST', `/api/admin/users/${member.id}/purchases`, sale)
  await signIn(page, member)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Receipts' }).click()
  const dialog = page.getByRole('dialog', { name: 'Receipts' })
  await expect(dialog.getByRole('listitem').filter({ hasText: '4 Class Pass' })).toContainText('07/12/2026, Cash')
  const receipt = await download(page, `Receipt ${sold.receiptNumber} as PDF`)
  expect(receipt.name).toBe(`receipt-${sold.receiptNumber}.pdf`)
  expect(receipt.text).toMatch(/^%PDF/)
  const statement = await download(page, 'December 2026 as PDF')
  expect(statement.name).toBe('statement-2026-12.pdf')
  await page.keyboard.press('Escape')

  await openTab(page, site, 'Packages', '&view=purchases&search=Rhoda')
  await openMore(page)
  expect((await download(page, `Receipt ${sold.receiptNumber}`)).name).toBe(receipt.name)
})
