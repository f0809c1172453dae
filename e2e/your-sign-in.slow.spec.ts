import type { Page } from '@playwright/test'
import { Person } from '#testing/person.ts'
import { expectLoggedOut, expectToast } from './member.ts'
import { callApi, expect, signIn, test } from './site.ts'
import { holdRequests } from './traffic.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

const current = (page: Page) => page.getByLabel('Current password')

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('ends another session with two taps, and its page shows that', async ({ page, site, browser }) => {
    const member = await site.member({ firstName: 'Rosalind' })
    const thief = await browser.newContext({ userAgent: FIREFOX, baseURL: site.origin })
    const stolen = await thief.newPage()
    await signIn(page, member)
    const thiefSession = new Person(site.origin, 'Thief')
    const body = { username: member.email, password: member.password }
    await thiefSession.request('POST', '/api/login', body, { 'user-agent': FIREFOX })
    await signIn(stolen, thiefSession)
    await stolen.goto('/dashboard')
    await expect(stolen.getByRole('heading', { name: 'Hello, Rosalind' })).toBeVisible()

    await page.goto('/dashboard')
    await page.getByRole('link', { name: /^Devices and password/ }).click() // tap 1
    const where = page.getByRole('region', { name: 'Where you are signed in' })
    await expect(where.getByRole('listitem')).toHaveCount(2)
    await expect(where.getByRole('listitem').first()).toContainText('This device')
    const call = await holdRequests(page, '**/api/user/sessions/*', 'DELETE')
    await where.getByRole('button', { name: 'Sign out Firefox on Linux' }).dblclick() // tap 2
    await call.release()
    await expectToast(page, 'Firefox on Linux is signed out.')
    expect(call.calls()).toBe(1)
    await expect(where.getByRole('listitem')).toHaveCount(1)
    await expect(where.getByRole('button', { name: /everywhere/ })).toHaveCount(0)

    await stolen.getByRole('link', { name: /^Devices and password/ }).click()
    await expectLoggedOut(stolen)
    await thief.close()
  })

  test('changes the password with the current one and signs out every other browser', async ({ page, site }) => {
    const member = await site.member({ firstName: 'Prudence' })
    await signIn(page, member)
    const phone = new Person(site.origin, 'Phone')
    await callApi(phone, 'POST', '/api/login', { username: member.email, password: member.password })
    await page.goto('/dashboard?view=sign-in')
    const change = page.getByRole('button', { name: 'Change password' })
    await current(page).fill('not-the-one')
    await expect(current(page)).toHaveAttribute('autocomplete', 'current-password')
    await page.getByRole('button', { name: 'Show what is typed' }).first().click()
    await expect(current(page)).toHaveAttribute('type', 'text')
    await page.getByRole('button', { name: 'Hide what is typed' }).click()
    await expect(current(page)).toHaveAttribute('type', 'password')
    await page.getByLabel('New password', { exact: true }).fill('another-secret')
    await page.getByLabel('Confirm new password').fill('another-one')
    await change.click()
    await expect(page.getByText("Passwords don't match")).toBeVisible()
    await page.getByLabel('Confirm new password').fill('another-secret')
    await change.click()
    await expect(page.getByText('This is not your current password.')).toBeVisible()
    await expect(current(page)).toBeFocused()
    await current(page).fill(member.password)
    await page.keyboard.press('Enter')
    await expectToast(page, 'Password changed')
    await expect(current(page)).toHaveValue('')
    expect((await phone.request('GET', '/api/auth/user')).status).toBe(401)
    expect((await site.mailTo(member.email, /Your password .* has changed/)).text).toContain('Set a new password')
    await page.reload()
    await expect(page.getByRole('region', { name: 'Where you are signed in' }).getByRole('listitem')).toHaveCount(1)
  })
})

test('restores a changed email address with the emailed link and signs out every device', async ({ page, site }) => {
  const member = await site.member({ firstName: 'Tabitha' })
  const admin = await site.admin()
  const email = `new-${member.email}`
  await callApi(admin, 'PUT', `/api/admin/users/${member.id}`, { email })
  await signIn(page, member)
  const { text } = await site.mailTo(member.email, /email address of your account has changed/)
  await page.goto(`/auth${/#undo=[\w-]+/.exec(text)?.[0]}`)
  await expect(page.getByRole('heading', { name: 'Restore your email address' })).toBeVisible()
  await page.getByRole('button', { name: 'Restore my address' }).click()
  const done = page.getByRole('status').filter({ hasText: 'Your email address is restored' })
  await expect(done).toContainText('we have emailed you a link to set a new one')
  expect((await member.request('GET', '/api/auth/user')).status).toBe(401)
  await page.getByRole('link', { name: 'Send me another link' }).click()
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
  const { text: back } = await site.mailTo(member.email, /Your email address is back/)
  await page.goto(`/auth${/#reset=[\w-]+/.exec(back)?.[0]}`)
  for (const label of ['New password', 'Confirm password']) await page.getByLabel(label).fill('by-a-mailed-link')
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.waitForURL('**/dashboard')
  await page.goto('/auth#undo=used')
  await page.getByRole('button', { name: 'Restore my address' }).click()
  await expect(page.getByRole('alert')).toContainText('This link is no longer valid.')
})

test('saves nothing and explains when admin rights are removed during an edit', async ({ page, site }) => {
  const [deputy, member] = [await site.member({ firstName: 'Deputy' }), await site.member({ firstName: 'Hetty' })]
  const owner = await site.admin()
  await callApi(owner, 'PUT', `/api/admin/users/${deputy.id}`, { isAdmin: true })
  await signIn(page, deputy)
  await page.goto(`/admin?tab=Users&search=${encodeURIComponent(member.email)}`)
  await page.getByRole('button', { name: 'Edit Hetty Stranger' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit member' })
  await dialog.getByLabel('First name').fill('Henrietta')
  await callApi(owner, 'PUT', `/api/admin/users/${deputy.id}`, { isAdmin: false })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Access Denied', 'Admin access required')
  await page.waitForURL(`${site.origin}/`)
  await expect(page.getByRole('link', { name: 'Logout' }).first()).toBeAttached()
  expect((await member.request('GET', '/api/auth/user')).body.firstName).toBe('Hetty')
})
