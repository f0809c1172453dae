import type { Page } from '@playwright/test'
import { expectToast, fillSignUpForm, logIn, PASSWORD } from './member.ts'
import { callApi, expect, newEmail, test } from './site.ts'
import { holdRequests, mockResponse } from './traffic.ts'

type Passwords = { password?: string; again?: string }

async function fillSignUp(page: Page, email: string, { password = PASSWORD, again = password }: Passwords = {}) {
  await page.goto('/auth?tab=register')
  await fillSignUpForm(page, email, 'Nora', password, again)
  await page.getByRole('button', { name: 'Create Account' }).click()
}

test.describe('sign up', () => {
  test('creates an account, logs in and opens the dashboard', async ({ page }) => {
    await fillSignUp(page, newEmail('nora'))
    await page.waitForURL('**/dashboard')
    await expect(page.getByRole('heading', { name: 'Hello, Nora' })).toBeVisible()
  })

  test('shows an error at each field', async ({ page }) => {
    await page.goto('/auth?tab=register')
    await page.getByLabel('Email').fill('nora at home')
    await page.getByRole('button', { name: 'Create Account' }).click()
    for (const [label, message] of [
      ['Email', 'Invalid email address'],
      ['First name', 'First name is required'],
      ['Last name', 'Last name is required'],
      ['Password', 'Password must be at least 6 characters'],
      ['Confirm password', 'Please confirm your password'],
    ] as const) {
      await expect(page.getByLabel(label, { exact: true })).toHaveAccessibleDescription(new RegExp(message))
    }
    await expect(page.getByLabel('Email')).toBeFocused()
  })

  test('rates a new password without layout shifts and without refusing it', async ({ page }) => {
    const meter = await holdRequests(page, '**/assets/password-strength*.js')
    await page.goto('/auth?tab=register')
    const password = page.getByLabel('Password', { exact: true })
    await expect(page.getByLabel('Confirm password')).toBeVisible()
    await password.focus()
    await page.evaluate(() => document.fonts.ready)
    await page.waitForLoadState('networkidle')
    // Only loaded when someone types.
    expect(meter.calls()).toBe(0)
    // Relative to the page, because typing may scroll.
    const places = () =>
      page.getByRole('tabpanel').evaluate((panel) => {
        const fields = [...panel.querySelectorAll('input, button')]
        return fields.map((field) => Math.round(field.getBoundingClientRect().y + scrollY))
      })
    const before = await places()
    await password.fill('1')
    await expect.poll(meter.calls).toBe(1)
    expect(await places()).toEqual(before)
    await meter.release()
    for (const [typed, description] of [
      ['12345', /At least 6 characters\. .*Very easy to guess/],
      ['pilates', /^Password strength: Very easy to guess\. Do not use your name/],
      ['teapot-hinge-Ripley', /^Password strength: Strong\.$/],
    ] as const) {
      await password.fill(typed)
      await expect(password).toHaveAccessibleDescription(description)
      expect(await places()).toEqual(before)
    }
    expect(meter.calls()).toBe(1)
    await fillSignUp(page, newEmail('nora'), { password: 'pilates' })
    await page.waitForURL('**/dashboard')
  })

  test('refuses two different passwords', async ({ page }) => {
    await fillSignUp(page, newEmail('nora'), { again: 'something-else' })
    await expect(page.getByLabel('Confirm password')).toHaveAccessibleDescription("Passwords don't match")
  })

  test("shows the server's message for a taken address and keeps the form", async ({ page, site }) => {
    const { email } = await site.member()
    await fillSignUp(page, email)
    await expectToast(page, 'Registration Failed', 'An account with this email address already exists.')
    await expect(page.getByLabel('First name')).toHaveValue('Nora')
  })

  test('shows a fallback message when the server sends none', async ({ page }) => {
    await mockResponse(page, '**/api/register', 500, {})
    await fillSignUp(page, newEmail('nora'))
    await expectToast(page, 'Registration Failed', 'Failed to create account')
  })

  test('switches to Login when the address must be confirmed first', async ({ page }) => {
    await mockResponse(page, '**/api/register', 201, { emailVerificationRequired: true })
    await fillSignUp(page, newEmail('nora'))
    await expectToast(page, 'Please check your email to verify your account before logging in.')
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeFocused()
    await expect(page.getByRole('tab', { name: 'Login' })).toHaveAttribute('aria-selected', 'true')
    await expect(page.getByLabel('Username')).toHaveValue(/^nora/)
    const resend = page.waitForRequest('**/api/verify-email/resend')
    await page.getByRole('button', { name: 'Send the link again' }).click()
    expect((await resend).postDataJSON().username).toMatch(/^nora/)
  })

  test('sends the link again at a login before the address is confirmed', async ({ page }) => {
    const message = 'Please check your email to verify your account before logging in.'
    await mockResponse(page, '**/api/login', 401, { code: 'email_not_verified', message })
    await logIn(page, 'nora@people.example', PASSWORD)
    await expectToast(page, 'Login Failed', message)
    const call = await holdRequests(page, '**/api/verify-email/resend')
    await page.getByRole('button', { name: 'Send the link again' }).dblclick()
    await call.release()
    await expectToast(page, 'If this account is not confirmed yet, we will email you a new link.')
    expect(call.calls()).toBe(1)
    await mockResponse(page, '**/api/verify-email/resend', 500, '')
    await page.getByRole('button', { name: 'Send the link again' }).click()
    await expectToast(page, 'Not Sent', 'The link could not be sent. Please try again.')
  })

  test('emailed links confirm an address and set a password after a click, and a used link is refused', async ({
    page,
    site,
  }) => {
    const member = await site.member()
    const { email } = member
    await page.goto('/auth#verify=unknown')
    await expect(page.getByRole('heading', { name: 'Confirm your email address' })).toBeVisible()
    await page.getByRole('button', { name: 'Confirm email address' }).click()
    await expect(page.getByRole('alert')).toContainText('This link has expired or has already been used.')
    await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeFocused()
    await page.getByRole('link', { name: 'Continue to Login' }).click()
    await expect(page.getByLabel('Username')).toBeVisible()

    // The demo does not require confirmation.
    await callApi(member, 'POST', '/api/verify-email/resend', { username: email })
    const here = (text: string) => `/auth${/#\w+=[\w-]+/.exec(text)?.[0]}`
    await page.goto(here((await site.mailTo(email, /confirm your email/)).text))
    await page.getByRole('button', { name: 'Confirm email address' }).click()
    await page.waitForURL('**/email-verified')
    await expect(page.getByRole('heading', { name: 'Email verified' })).toBeVisible()

    await callApi(member, 'POST', '/api/password-reset', { email })
    await page.goto(here((await site.mailTo(email, /Set your password/)).text))
    for (const label of ['New password', 'Confirm password']) await page.getByLabel(label).fill('by-a-mailed-link')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.waitForURL('**/dashboard')
  })

  for (const [reducedMotion, duration] of [
    ['no-preference', '0.4s'],
    ['reduce', '1e-05s'],
  ] as const)
    test(`draws the tick once in ${duration}`, async ({ page }) => {
      await page.emulateMedia({ reducedMotion })
      await page.goto('/email-verified')
      const tick = page.getByRole('main').locator('svg path').last()
      await expect(tick).toHaveCSS('animation', new RegExp(`^${duration} .*draw`))
      await expect(tick).toHaveCSS('animation-iteration-count', '1')
      await expect(tick).toHaveCSS('stroke-dashoffset', '0px')
    })

  test('/email-verified links to Login', async ({ page }) => {
    await page.goto('/email-verified')
    await expect(page.getByRole('heading', { name: 'Email verified' })).toBeVisible()
    await page.getByRole('link', { name: 'Continue to Login' }).click()
    await page.waitForURL('**/auth')
  })
})
