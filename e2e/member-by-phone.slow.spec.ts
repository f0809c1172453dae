import { openTab } from './admin.ts'
import { expectToast } from './member.ts'
import { callApi, expect, test } from './site.ts'

test.use({ viewport: { width: 390, height: 844 } })

test('the owner adds a member without email, types in their form, books and calls them', async ({ page, site }) => {
  const studioClass = await site.class({ at: '2026-12-16 10:00' })
  await openTab(page, site, 'Users')
  await page.getByRole('button', { name: 'Add member' }).click() // tap 1
  const dialog = page.getByRole('dialog', { name: 'Add member' })
  await dialog.getByLabel('First name').fill('Winifred')
  await dialog.getByLabel('Last name').fill('Postlethwaite')
  await dialog.getByLabel('They are not online').check() // tap 2
  await expect(dialog.getByLabel('Email', { exact: true })).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Add member' }).click()
  await expect(dialog.getByText('Please enter a phone number')).toBeVisible()
  await dialog.getByLabel('Phone').fill('01423 960 111')
  await dialog.getByRole('button', { name: 'Add member' }).click() // tap 3
  await expectToast(page, 'Member added.')

  await page.goto('/admin?tab=Users&search=Postlethwaite')
  await page.getByRole('link', { name: 'Winifred Postlethwaite' }).first().click()
  await expect(page.getByText('No email address')).toBeVisible()
  await page.getByRole('button', { name: 'Health form' }).click()
  const form = page.getByRole('dialog', { name: /^Health form of/ })
  await form.getByLabel('Heart condition').check()
  await form.getByRole('button', { name: 'Save health form' }).click()
  await expect(form.getByText('Emergency contact name is required')).toBeVisible()
  await form.getByLabel('Emergency contact name').fill('Bert')
  await form.getByLabel('Relationship').fill('Husband')
  await form.getByLabel('Phone number').fill('01423 960 112')
  await form.getByLabel(/^I confirm/).check()
  await form.getByLabel(/^I consent/).check()
  await form.getByRole('button', { name: 'Save health form' }).click()
  await expectToast(page, 'Health form saved')

  const admin = await site.admin()
  const [winifred]: { id: string }[] = await callApi(admin, 'GET', '/api/admin/users?search=Postlethwaite')
  await site.grantCredits({ ...admin, id: winifred?.id ?? '' } as typeof admin, 1)
  await page.reload()
  await page.getByRole('button', { name: 'Book a class' }).click()
  const book = page.getByRole('dialog', { name: 'Book for Winifred' })
  await expect(book).toContainText('Winifred has no email address, so please tell them.')
  await book.getByLabel('Class').selectOption(String(studioClass.id))
  await book.getByRole('button', { name: 'Book class' }).click()
  await expectToast(page, 'Booked for Winifred Postlethwaite')
  await page.goto('/admin')
  const attention = page.getByRole('region', { name: 'Needs attention' })
  const showAll = attention.getByRole('button', { name: /^Show all/ })
  const call = page.getByRole('listitem').filter({ hasText: 'Call Winifred Postlethwaite, 01423 960 111' })
  await expect(call.or(showAll).first()).toBeVisible()
  if (await showAll.isVisible()) await showAll.click()
  await call.getByRole('button', { name: /^What to do/ }).click()
  await expect(call).toContainText('Your class on Wednesday 16 December at 10:00 is booked')
  await call.getByRole('button', { name: /^Mark as done/ }).click()
  await expectToast(page, 'Marked as done')
  await expect(call).toHaveCount(0)
})
