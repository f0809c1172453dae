import { fillSignUpForm } from '../member.ts'
import { expect } from '../site.ts'
import { mockResponse } from '../traffic.ts'
import { openPage } from './members.ts'
import { click, inTurn, toast, type Walk } from './scene.ts'

const login = openPage('/auth', 'Welcome back')

export const SIGN_IN_WALKS: readonly Walk[] = [
  [
    { name: 'auth, login', main: true, open: login },
    {
      name: 'auth, login with errors',
      open: async (page) => {
        await page.getByRole('button', { name: 'Login' }).click()
        await expect(page.getByText('Username is required')).toBeVisible()
      },
    },
    {
      name: 'auth, sign up',
      open: inTurn(click('tab', 'Sign Up'), (page) =>
        expect(page.getByRole('button', { name: 'Create Account' })).toBeVisible(),
      ),
    },
    {
      name: 'auth, sign up with errors',
      open: async (page) => {
        await page.getByRole('button', { name: 'Create Account' }).click()
        await expect(page.getByText('Invalid email address')).toBeVisible()
      },
    },
  ],
  [
    {
      name: 'auth, login failed',
      open: inTurn(login, async (page) => {
        await page.getByLabel('Username').fill('nobody@people.example')
        await page.getByLabel('Password').fill('not-the-one')
        await page.getByRole('button', { name: 'Login' }).click()
        await toast(page)
      }),
    },
  ],
  [
    {
      name: 'auth, signed up, address to be confirmed',
      open: async (page) => {
        await mockResponse(page, '**/api/register', 201, { emailVerificationRequired: true })
        await page.goto('/auth?tab=register')
        await fillSignUpForm(page, 'nell@people.example', 'Nell')
        await page.getByRole('button', { name: 'Create Account' }).click()
        await expect(page.getByRole('button', { name: 'Send the link again' })).toBeVisible()
      },
    },
  ],
  [
    {
      name: 'auth, login before the address is confirmed',
      open: inTurn(login, async (page) => {
        const message = 'Please check your email to verify your account before logging in.'
        await mockResponse(page, '**/api/login', 401, { code: 'email_not_verified', message })
        await page.getByLabel('Username').fill('nell@people.example')
        await page.getByLabel('Password').fill('six-or-more')
        await page.getByRole('button', { name: 'Login' }).click()
        await expect(page.getByRole('button', { name: 'Send the link again' })).toBeVisible()
      }),
    },
  ],
  [
    { name: 'auth, forgot password', open: openPage('/auth?forgot', 'Send me a link') },
    {
      name: 'auth, link to set a password sent',
      open: async (page) => {
        await page.getByLabel('Email').fill('nobody@people.example')
        await page.getByRole('button', { name: 'Send me a link' }).click()
        await expect(page.getByRole('status').filter({ hasText: 'The link works once' })).toBeVisible()
      },
    },
  ],
  [
    {
      name: 'auth, set a password',
      open: inTurn(openPage('/auth#reset=unknown', 'Set your password'), async (page) => {
        await page.getByLabel('New password').fill('reformer2026')
        await expect(page.getByLabel('New password')).toHaveValue('reformer2026')
      }),
    },
    {
      name: 'auth, link to set a password used up',
      open: async (page) => {
        await page.getByLabel('Confirm password').fill('reformer2026')
        await page.getByRole('button', { name: 'Set password' }).click()
        await expect(page.getByRole('alert')).toContainText('no longer valid')
      },
    },
  ],
  [
    { name: 'auth, confirm an email address', open: openPage('/auth#verify=unknown', 'Confirm email address') },
    {
      name: 'auth, link to confirm an address used up',
      open: async (page) => {
        await page.getByRole('button', { name: 'Confirm email address' }).click()
        await expect(page.getByRole('alert')).toContainText('has already been used')
      },
    },
  ],
  [
    { name: 'auth, restore an email address', open: openPage('/auth#undo=unknown', 'Restore my address') },
    {
      name: 'auth, link to restore an address used up',
      open: async (page) => {
        await page.getByRole('button', { name: 'Restore my address' }).click()
        await expect(page.getByRole('alert')).toContainText('no longer valid')
      },
    },
  ],
  [{ name: 'email verified', open: openPage('/email-verified', 'Continue to Login') }],
]
