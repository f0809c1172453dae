import { openTab, searchFor, storedUser } from './admin.ts'
import { expectFailure, expectToast } from './member.ts'
import { callApi, expect, test } from './site.ts'
import { holdRequests, mockResponse } from './traffic.ts'

const PHONE = { width: 390, height: 844 }

test.describe('Gift Credits', () => {
  test('gifts once in at most six taps on a slow phone', async ({ page, site }) => {
    await site.travelTo('2026-12-07 08:30', page)
    const member = await site.member({ firstName: 'Gilda' })
    await page.setViewportSize(PHONE)
    await openTab(page, site, 'Overview')
    await page.getByRole('link', { name: 'Users', exact: true }).click() // 1
    const row = page.getByRole('row').filter({ hasText: member.email })
    await row.getByRole('button', { name: /^Gift Credits/ }).click() // 2
    const dialog = page.getByRole('dialog', { name: 'Gift Credits' })
    await expect(dialog.getByLabel('Valid for')).toHaveValue('12')
    await expect(dialog.getByLabel('Valid for').getByRole('option')).toHaveText([
      '3 months',
      '6 months',
      '12 months',
      '24 months',
    ])
    await expect(dialog.getByLabel('Credits')).toHaveValue('1')
    await dialog.getByLabel('Package').selectOption('8 Class Pass') // 3 and 4
    const sent = await holdRequests(page, '**/gift-credits')
    await dialog.getByRole('button', { name: 'Gift Credits' }).dblclick() // 5
    await expect(dialog.getByRole('button', { name: 'Gift Credits' })).toHaveAttribute('aria-busy', 'true')
    await sent.release()
    await expectToast(page, 'Credits gifted successfully')
    await expect(row.getByRole('cell').nth(4)).toContainText('1')
    expect(sent.calls()).toBe(1)
    expect((await storedUser(site, member.id)).totalCredits).toBe(1)
  })

  test('validates its fields and shows refusals', async ({ page, site }) => {
    const member = await site.member({ firstName: 'Gudrun', lastName: 'Needs' })
    await openTab(page, site, 'Users', searchFor('Gudrun'))
    await page.getByRole('button', { name: 'Gift Credits for Gudrun Needs' }).click()
    const dialog = page.getByRole('dialog')
    const credits = dialog.getByLabel('Credits')
    await expect(credits).toHaveAttribute('max', '50')
    for (const invalid of ['', '-3', '2.5']) {
      await credits.fill(invalid)
      await credits.blur()
      await expect(credits).toHaveValue('1')
    }
    await dialog.getByRole('button', { name: 'Gift Credits' }).click()
    await expect(dialog.getByText('Package is required')).toBeVisible()
    await dialog.getByLabel('Package').selectOption('8 Class Pass')
    for (const [invalid, message] of [
      ['-2', 'At least 1 credit required'],
      ['2.5', 'Please enter a whole number'],
    ] as const) {
      await credits.fill(invalid)
      await credits.press('Enter')
      await expect(dialog.getByText(message)).toBeVisible()
    }
    await credits.fill('3')
    await mockResponse(page, '**/gift-credits', 500, '', 'POST')
    await dialog.getByRole('button', { name: 'Gift Credits' }).click()
    await expectFailure(page, 'Failed to gift credits')
    await page.unrouteAll()
    await callApi(await site.admin(), 'DELETE', `/api/admin/users/${member.id}`)
    await dialog.getByRole('button', { name: 'Gift Credits' }).click()
    await expectToast(page, 'User not found.')
    await expect(dialog.getByRole('alert')).toHaveText('User not found.')
  })

  test('leads to /auth when the session has ended', async ({ page, site }) => {
    await site.member({ firstName: 'Greta', lastName: 'Unauthorized' })
    await openTab(page, site, 'Users', searchFor('Greta'))
    await page.getByRole('button', { name: /^Gift Credits/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Package').selectOption('8 Class Pass')
    await page.context().clearCookies()
    await dialog.getByRole('button', { name: 'Gift Credits' }).click()
    await expectToast(page, 'Unauthorized', 'You are logged out. Logging in again...')
    await page.waitForURL('**/auth')
  })
})
