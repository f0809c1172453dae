import { expectToast, logIn, PASSWORD } from './member.ts'
import { expect, signIn, test } from './site.ts'
import { holdRequests, intercept, mockResponse } from './traffic.ts'

test.describe('login', () => {
  test('logs a member in and opens the dashboard', async ({ page, site }) => {
    const { email, password } = await site.member({ firstName: 'Rosalind' })
    await logIn(page, email.toUpperCase(), password)
    await page.waitForURL('**/dashboard')
    await expectToast(page, 'Welcome back!')
    await expect(page.getByRole('heading', { name: 'Hello, Rosalind' })).toBeVisible()
    await expect(page.getByRole('banner').getByText('Welcome, Rosalind')).toBeVisible()
  })

  test("shows the server's message for a wrong password and keeps the username", async ({ page, site }) => {
    const { email } = await site.member()
    await logIn(page, email, 'not-the-one')
    await expectToast(page, 'Login Failed', 'Invalid username or password')
    await expect(page.getByLabel('Username')).toHaveValue(email)
  })

  test('shows a fallback message when the server sends none', async ({ page }) => {
    await mockResponse(page, '**/api/login', 500, {})
    await logIn(page, 'nobody@people.example', PASSWORD)
    await expectToast(page, 'Login Failed', 'Invalid username or password')
  })

  test('shows when to try again after too many attempts, at login, emailed links and a new password', async ({
    page,
    site,
  }) => {
    const MESSAGE = 'Too many attempts. Please wait a little and try again.'
    const IN_TWO_MINUTES = 'Too many attempts. Please try again in 2 minutes.'
    const wait = (address: string) =>
      intercept(page, address, (route) =>
        route.request().method() === 'GET'
          ? route.fallback()
          : route.fulfill({ status: 429, json: { message: MESSAGE }, headers: { 'retry-after': '61' } }),
      )
    for (const address of [
      '**/api/login',
      '**/api/password-reset',
      '**/api/password-reset/confirm',
      '**/api/user/password',
    ])
      await wait(address)
    await logIn(page, 'nobody@people.example', PASSWORD)
    await expectToast(page, 'Login Failed', IN_TWO_MINUTES)
    await page.goto('/auth?forgot')
    await page.getByLabel('Email').fill('nobody@people.example')
    await page.getByRole('button', { name: 'Send me a link' }).click()
    await expect(page.getByRole('alert').filter({ hasText: IN_TWO_MINUTES })).toBeVisible()
    await page.goto('/auth#reset=unknown')
    await page.getByLabel('New password').fill('reformer2026')
    await page.getByLabel('Confirm password').fill('reformer2026')
    await page.getByRole('button', { name: 'Set password' }).click()
    await expect(page.getByRole('alert').filter({ hasText: IN_TWO_MINUTES })).toBeVisible()
    await signIn(page, await site.member())
    await page.goto('/dashboard?view=sign-in')
    await page.getByLabel('Current password').fill('not-the-one')
    await page.getByLabel('New password', { exact: true }).fill('reformer2026')
    await page.getByLabel('Confirm new password').fill('reformer2026')
    await page.getByRole('button', { name: 'Change password' }).click()
    await expect(page.getByRole('alert').filter({ hasText: IN_TWO_MINUTES })).toBeVisible()
  })

  test('shows an error at each field and focuses the first', async ({ page }) => {
    await logIn(page, '', '12345')
    await expect(page.getByLabel('Username')).toHaveAccessibleDescription(/Username is required/)
    await expect(page.getByLabel('Password')).toHaveAccessibleDescription(/Password must be at least 6 characters/)
    await expect(page.getByLabel('Username')).toBeFocused()
    await page.getByLabel('Username').fill('rosalind')
    await expect(page.getByLabel('Username')).toHaveAccessibleDescription('You can also use your email address.')
    await expect(page.getByLabel('Password')).toHaveAccessibleDescription(/Password must be at least 6 characters/)
    await page.getByLabel('Username').fill('')
    await expect(page.getByLabel('Username')).toHaveAccessibleDescription(/Username is required/)
  })

  test("takes the address along to the forgotten-password form and shows the server's error at the field", async ({
    page,
  }) => {
    await mockResponse(page, '**/api/password-reset', 400, {
      message: 'Invalid email address',
      errors: [{ path: 'email', message: 'Invalid email address' }],
    })
    await page.goto('/auth')
    await page.getByLabel('Username').fill('nora@people')
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    const field = page.getByLabel('Email')
    await expect(field).toBeFocused()
    await expect(field).toHaveValue('nora@people')
    // The text is selected, so typing replaces it.
    await page.keyboard.type('nora@people.example')
    await expect(field).toHaveValue('nora@people.example')
    await page.getByRole('button', { name: 'Send me a link' }).click()
    await expect(field).toHaveAccessibleDescription('Invalid email address')
    await expect(field).toBeFocused()
    await page.getByRole('link', { name: 'Back to Login' }).click()
    await expect(page.getByLabel('Username')).toHaveValue('nora@people')
  })

  test('keeps and sends what was typed before the scripts had loaded', async ({ page, site }) => {
    const { email, password } = await site.member()
    const scripts = await holdRequests(page, '**/assets/*.js')
    await page.goto('/auth', { waitUntil: 'commit' })
    await page.getByLabel('Username').fill(email)
    await page.getByLabel('Password').fill(password)
    await scripts.release()
    // The tabs react once the page is hydrated.
    await expect(async () => {
      await page.getByRole('tab', { name: 'Sign Up' }).click()
      await expect(page.getByLabel('First name')).toBeVisible({ timeout: 500 })
    }).toPass()
    await page.getByRole('tab', { name: 'Login' }).click()
    await expect(page.getByLabel('Username')).toHaveValue(email)
    await page.getByRole('button', { name: 'Login' }).click()
    await page.waitForURL('**/dashboard')
  })

  test('opens the dashboard for a member who is already logged in', async ({ page, site }) => {
    await signIn(page, await site.member())
    await page.goto('/auth')
    await page.waitForURL('**/dashboard')
  })
})
