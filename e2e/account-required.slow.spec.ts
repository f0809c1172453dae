import type { Page } from '@playwright/test'
import { waitForHydration } from './member.ts'
import { expect, test } from './site.ts'

const header = (page: Page) => page.getByRole('banner')

const accountRequired = (page: Page) => page.getByRole('dialog', { name: 'Account Required' })

const TEXT =
  "To purchase class passes and book sessions, you'll need to create an account... This allows us to manage your bookings and track your class credits."

test.describe('the Account Required dialog', () => {
  const triggers: [string, string, (page: Page) => Promise<void>][] = [
    ['Book Now in the header', '/about', (page) => header(page).getByRole('link', { name: 'Book Now' }).click()],
    ['Book Now in the footer', '/about', (page) => page.getByRole('contentinfo').getByText('Book Now').click()],
    [
      'Book a Class on the classes page',
      '/harrogate-reformer-pilates-classes',
      (page) => page.getByRole('main').getByText('Book a Class').first().click(),
    ],
    ['choosing a package', '/pricing', (page) => page.getByRole('button', { name: /Select Package 8/ }).click()],
  ]
  for (const [trigger, path, act] of triggers) {
    test(`opens with its full text when a guest uses ${trigger}`, async ({ page }) => {
      await page.goto(path)
      await waitForHydration(page)
      await act(page)
      await expect(accountRequired(page)).toContainText(TEXT)
      await accountRequired(page).getByRole('button', { name: 'Cancel' }).click()
      await expect(accountRequired(page)).toBeHidden()
      expect(new URL(page.url()).pathname).toBe(path)
    })
  }

  test('says that a chosen package is remembered, and nothing where nothing was chosen', async ({ page }) => {
    const remembered = accountRequired(page).getByText(/^We’ll remember/)
    await page.goto('/pricing')
    await waitForHydration(page)
    await page.getByRole('button', { name: /Select Package 8/ }).click()
    await expect(remembered).toHaveText('We’ll remember the 8 Class Pass: after you log in, it is one tap away.')
    await accountRequired(page).getByRole('button', { name: 'Cancel' }).click()
    await header(page).getByRole('link', { name: 'Book Now' }).click()
    await expect(accountRequired(page)).toContainText(TEXT)
    await expect(remembered).toHaveCount(0)
  })

  test('links Log In and Create Account to /auth', async ({ page }) => {
    await page.goto('/about')
    await waitForHydration(page)
    await header(page).getByRole('link', { name: 'Book Now' }).click()
    await accountRequired(page).getByRole('button', { name: 'Log In' }).click()
    await page.waitForURL('**/auth')
    await expect(page.getByRole('tab', { name: 'Login' })).toHaveAttribute('aria-selected', 'true')
    await header(page).getByRole('link', { name: 'Book Now' }).click()
    await accountRequired(page).getByRole('button', { name: 'Create Account' }).click()
    await page.waitForURL('**/auth?tab=register')
    await expect(page.getByRole('tab', { name: 'Sign Up' })).toHaveAttribute('aria-selected', 'true')
  })
})
