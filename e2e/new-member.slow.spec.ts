import type { Page } from '@playwright/test'
import { expectTabLoaded, openAsOwner, openTab } from './admin.ts'
import { expectToast, waitForFocusToSettle } from './member.ts'
import { expect, newEmail, test } from './site.ts'

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('adds a new member, gifts a credit and books in seven taps', async ({ page, site }) => {
    const studioClass = await site.class({ at: '2026-12-07 18:20', title: 'Evening flow' })
    const email = newEmail('zelda')
    await openAsOwner(page, site)
    await expectTabLoaded(page, 'Overview')
    await page.getByRole('button', { name: 'Add someone to Evening flow at 18:20' }).click() // tap 1
    const search = page.getByRole('combobox', { name: 'Name, email or phone' })
    await expect(search).toBeFocused()
    await page.keyboard.type('zelda Oneday')
    await expect(page.getByText('No member matches.')).toBeVisible()
    await page.getByRole('button', { name: 'Add member' }).click() // tap 2
    const add = dialog(page, 'Add member')
    await expect(add.getByLabel('First name')).toHaveValue('Zelda')
    await expect(add.getByLabel('Last name')).toHaveValue('Oneday')
    await expect(add.getByLabel('Email')).toBeFocused()
    await page.keyboard.type(email)
    await add.getByRole('button', { name: 'Add member' }).dblclick() // tap 3
    await expectToast(page, `Member added. An invitation is on its way to ${email}`)
    await dialog(page, 'Zelda has been added').getByRole('button', { name: 'Record a sale' }).click() // a mistake
    await dialog(page, 'Record a sale').getByRole('button', { name: 'Back' }).click()
    await dialog(page, 'Zelda has been added').getByRole('button', { name: 'Gift Credits' }).click() // tap 4
    const gift = dialog(page, 'Gift Credits')
    await expect(gift.getByLabel('Package')).not.toHaveValue('')
    await gift.getByRole('button', { name: 'Gift Credits' }).click() // tap 5
    const book = dialog(page, 'Book for Zelda')
    await expect(book.getByLabel('Class', { exact: true })).toHaveValue(String(studioClass.id))
    await book.getByLabel('Book anyway').check() // tap 6
    await book.getByRole('button', { name: 'Book class' }).click() // tap 7; from Bookings the class is chosen too: 9
    await expectToast(page, 'Booked for Zelda Oneday')
    const { rows } = await site.pool.query(
      'select class_id from bookings join users on users.id = user_id where email = $1',
      [email],
    )
    expect(rows).toEqual([{ class_id: studioClass.id }])
  })
})

test('adds and invites a member with the keyboard alone, and the link sets the password', async ({
  page,
  site,
  browser,
}) => {
  const email = newEmail('yvo')
  await openTab(page, site, 'Users')
  await page.getByRole('button', { name: 'Add member' }).press('Enter')
  const add = dialog(page, 'Add member')
  await expect(add.getByLabel('First name')).toBeFocused()
  await page.keyboard.press('Enter')
  for (const words of ['First name is required', 'Last name is required', 'Please enter an email address']) {
    await expect(add.getByText(words)).toBeVisible()
  }
  await waitForFocusToSettle(page)
  await page.keyboard.type('Yvo')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Oldroyd')
  await page.keyboard.press('Tab')
  await page.keyboard.type('member@studio.example')
  await page.keyboard.press('Tab')
  await page.keyboard.type('call me')
  await page.keyboard.press('Enter')
  await expect(add.getByText('Please enter a valid phone number')).toBeVisible()
  await add.getByLabel('Phone').fill('01632 960 121')
  await page.keyboard.press('Enter')
  await expect(add.getByRole('alert')).toContainText('An account with this email address already exists.')
  await add.getByLabel('Email').fill(email)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Yvo Oldroyd' })).toBeVisible()
  await expect(page.getByText('Invited', { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Call Yvo, 01632 960 121' })).toHaveAttribute('href', 'tel:01632960121')
  await page.getByRole('button', { name: 'Send invitation again' }).press('Enter')
  await expectToast(page, `Invitation sent to ${email}`)

  const { text } = await site.mailTo(email, /Your account/)
  const memberPage = await (await browser.newContext({ baseURL: site.origin, reducedMotion: 'reduce' })).newPage()
  await memberPage.goto(/\/auth#invitation=[\w-]+/.exec(text)?.[0] ?? '')
  await expect(memberPage.getByRole('heading', { name: 'Welcome' })).toBeVisible()
  await memberPage.getByLabel('New password').fill('yvos-own')
  await memberPage.getByLabel('Confirm password').fill('yvos-own')
  await memberPage.getByRole('button', { name: 'Set password' }).click()
  await memberPage.waitForURL('**/dashboard')
  await memberPage.context().close()

  await page.reload()
  await expect(page.getByRole('heading', { name: 'Yvo Oldroyd' })).toBeVisible()
  await expect(page.getByText('Invited', { exact: true })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Send invitation again' })).toHaveCount(0)
  await openTab(page, site, 'Bookings')
  await page.getByRole('button', { name: 'Book for a member' }).press('Enter')
  await expect(page.getByRole('combobox', { name: 'Name, email or phone' })).toBeFocused()
  await page.keyboard.type('Yvo Oldroyd')
  const found = page.getByRole('option', { name: /^Yvo Oldroyd.*0 credits left.*No health form/ })
  await expect(found).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(dialog(page, 'Yvo has no credits left')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})
