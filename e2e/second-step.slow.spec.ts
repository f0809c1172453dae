import type { Page } from '@playwright/test'
import type { Person } from '#testing/person.ts'
import { axeViolations, layoutProblems, testWalk } from './accessibility.ts'
import { expectToast, openMore, waitForDialogToClose } from './member.ts'
import { SECOND_STEP_WALKS } from './scenes/second-step.ts'
import { addVirtualAuthenticator, codeAt, createAdmin, expect, submitPassword, test } from './second-step-site.ts'
import { callApi, freezeClock, newEmail, type Site } from './site.ts'

const PHONE = { width: 390, height: 844 }

async function expectAccessible(page: Page) {
  expect(await layoutProblems(page)).toEqual([])
  // axe takes what is half behind the header for too small.
  await page.evaluate(() => scrollTo(0, 0))
  expect(await axeViolations(page)).toEqual([])
}

/** Signs the page in on `localhost`, where the site's own helper would not, and adds a passkey. */
async function addPasskey(page: Page, member: Person, url = '') {
  await page.context().addCookies([...member.cookies].map(([name, value]) => ({ name, value, url })))
  await addVirtualAuthenticator(page)
  await page.goto('/dashboard?view=sign-in')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await expectToast(page, 'Passkey added')
}

test.describe('on a phone', () => {
  test.use({ viewport: PHONE })

  test('an owner sets up a passkey, signs in with it, loses it and uses a recovery code', async ({ page, site }) => {
    const owner = await createAdmin(site, 'Olive')
    const device = await addVirtualAuthenticator(page)
    await submitPassword(page, owner)
    await page.waitForURL('**/admin')
    await expect(page.getByRole('heading', { name: 'Set up a second step' })).toBeVisible()
    await expect(page.getByRole('navigation', { name: 'Admin' })).toHaveCount(0)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await expect(page.getByRole('heading', { name: 'Your recovery codes' })).toBeVisible()
    expect(await device.count()).toBe(1)
    const codes = await page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allTextContents()
    expect(codes).toHaveLength(10)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'I have saved them' }).click()
    await expect(page.getByRole('navigation', { name: 'Admin' })).toBeVisible()

    await page.goto('/api/logout')
    await device.setTouch(false)
    await submitPassword(page, owner)
    await expect(page.getByRole('heading', { name: 'One more step' })).toBeFocused()
    await expectAccessible(page)
    await device.setTouch(true)
    await page.getByRole('button', { name: 'Use your passkey' }).click()
    await page.waitForURL('**/dashboard')
    await expectToast(page, 'Welcome back!')

    await device.remove()
    await page.goto('/api/logout')
    await submitPassword(page, owner)
    const code = page.getByRole('textbox', { name: 'Code' })
    await code.fill('000000')
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(code).toHaveAccessibleDescription(/This code is wrong/)
    await expect(code).toHaveValue('000000')
    await code.fill(codes[3] ?? '')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL('**/dashboard')

    const newDevice = await addVirtualAuthenticator(page)
    await page.goto('/admin?view=sign-in')
    await expect(page.getByText('You have 9 codes left.')).toBeVisible()
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await expectToast(page, 'Passkey added')
    expect(await newDevice.count()).toBe(1)
    const rows = page.getByRole('region', { name: 'Passkeys' }).getByRole('listitem')
    await expect(rows).toHaveCount(2)
    await rows
      .first()
      .getByRole('button', { name: /^Remove/ })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove passkey' }).click()
    await expect(rows).toHaveCount(1)
    await waitForDialogToClose(page)
    await expectAccessible(page)
  })

  test('a member adds a passkey and signs in with one tap', async ({ page, site, baseURL }) => {
    const member = await site.member({ firstName: 'Rosalind' })
    await addPasskey(page, member, baseURL)
    await page.goto('/api/logout')
    await page.goto('/auth')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL('**/dashboard')
    await expect(page.getByRole('heading', { name: 'Hello, Rosalind' })).toBeVisible()

    // The username field's autofill offers the passkey too.
    await page.goto('/api/logout')
    await page.goto('/auth')
    await page.getByLabel('Username').focus()
    await page.waitForURL('**/dashboard')
    await expectToast(page, 'Welcome back!')
  })
})

test('an admin with an authenticator app confirms again after half an hour without losing input; a stolen session cannot', async ({
  page,
  site,
  browser,
  baseURL,
}) => {
  const owner = await createAdmin(site, 'Otto')
  const member = await site.member({ firstName: 'Bertha', lastName: 'Edited', health: true })
  await submitPassword(page, owner)
  await page.getByRole('button', { name: 'Use an authenticator app' }).click()
  const secret = (await page.locator('code').textContent())?.replaceAll(' ', '') ?? ''
  await page.getByRole('textbox', { name: 'Code' }).fill(codeAt(secret, site.now))
  await page.getByRole('button', { name: 'Connect the app' }).click()
  await page.getByRole('button', { name: 'I have saved them' }).click()
  await expect(page.getByRole('navigation', { name: 'Admin' })).toBeVisible()

  await site.travelTo('2026-12-07 08:31', page)
  await page.goto(`/admin?tab=Users&user=${member.id}`)
  await openMore(page)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const edit = page.getByRole('dialog', { name: 'Edit member' })
  const email = newEmail('bertha')
  await edit.getByLabel('Email').fill(email)
  await edit.getByLabel('Last name').fill('Changed')
  await edit.getByRole('button', { name: 'Save' }).click()
  const stepUp = page.getByRole('dialog', { name: 'Is it you?' })
  await expect(stepUp).toBeVisible()
  await expectAccessible(page)
  await stepUp.getByRole('button', { name: 'Cancel' }).click()
  await expect(stepUp).toHaveCount(0)
  await expect(edit.getByLabel('Email')).toHaveValue(email)
  await edit.getByRole('button', { name: 'Save' }).click()
  await stepUp.getByRole('textbox', { name: 'Code' }).fill(codeAt(secret, site.now))
  await page.keyboard.press('Enter')
  await expectToast(page, 'User updated successfully')
  await waitForDialogToClose(page)
  await expect(page.getByRole('heading', { name: 'Bertha Changed' })).toBeVisible()

  // A thief with the cookie, after another half hour.
  await site.travelTo('2026-12-07 09:05', page)
  const stolen = await browser.newContext({ baseURL, storageState: await page.context().storageState() })
  const thief = await stolen.newPage()
  await thief.goto('/admin?tab=Health%20Updates')
  await expect(thief.getByRole('dialog', { name: 'Is it you?' })).toBeVisible()
  await thief.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(thief.getByText('Confirm that it is you first.').first()).toBeVisible()
  const refused = await thief.request.get(`/api/admin/users/${member.id}/health`)
  expect([refused.status(), await refused.json()]).toEqual([403, expect.objectContaining({ stepUp: true })])
  await stolen.close()

  // Another admin removes the role during an edit.
  await openMore(page)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await edit.getByLabel('Last name').fill('Never')
  const { admin: other } = await createAdminWithApp(site, 'Olga')
  await callApi(other, 'PUT', `/api/admin/users/${owner.id}`, { isAdmin: false })
  await edit.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Access Denied')
  await page.waitForURL(`${baseURL}/`)
  const { rows } = await site.pool.query('select last_name from users where id = $1', [member.id])
  expect(rows).toEqual([{ last_name: 'Changed' }])
})

test('yesterday’s list shows health notes only after the owner has confirmed their identity', async ({
  page,
  site,
  baseURL,
}) => {
  const { admin: owner, secret } = await createAdminWithApp(site, 'Opal')
  const member = await site.member({ firstName: 'Yvette', lastName: 'Yesterday', health: true })
  await callApi(member, 'POST', '/api/health/questionnaire', { hasBackProblems: true })
  const [sold] = await callApi(owner, 'GET', '/api/packages')
  const gift = { packageId: sold.id, creditsToGift: 1 }
  await callApi(owner, 'POST', `/api/admin/users/${member.id}/gift-credits`, gift)
  const evening = { title: 'Evening', date: '2026-12-07', startTime: '21:00', endTime: '21:45', maxParticipants: 2 }
  await site.book(member, await callApi(owner, 'POST', '/api/classes', evening))

  await site.travelTo('2026-12-08 08:00', page)
  await callApi(owner, 'POST', '/api/login', { username: owner.email, password: owner.password })
  await callApi(owner, 'POST', '/api/login/second-step', { code: codeAt(secret, site.now) })
  await site.travelTo('2026-12-08 09:00', page)
  await page.context().addCookies([...owner.cookies].map(([name, value]) => ({ name, value, url: baseURL ?? '' })))
  await page.goto('/admin')
  await page.getByText('Who came yesterday').click()
  const person = page
    .getByRole('region', { name: 'Yesterday' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: 'Yvette Yesterday' }) })
    .last()
  await expect(person).toBeVisible()
  await expect(person.getByText('Back problems')).toHaveCount(0)
  const show = page.getByRole('button', { name: 'Show health notes' })
  await expectAccessible(page)

  const stepUp = page.getByRole('dialog', { name: 'Is it you?' })
  await show.click()
  await stepUp.getByRole('button', { name: 'Cancel' }).click()
  await expect(stepUp).toHaveCount(0)
  await expect(person).toBeVisible()
  await show.click()
  await stepUp.getByRole('textbox', { name: 'Code' }).fill(codeAt(secret, site.now))
  await page.keyboard.press('Enter')
  await expect(person.getByText('Back problems')).toBeVisible()
  await expect(show).toHaveCount(0)
})

test('restoring the email address locks out a thief who added a passkey and an app', async ({
  page,
  site,
  browser,
  baseURL,
}) => {
  const owner = await createAdmin(site, 'Olympia')
  const email = newEmail('thief')
  // The thief persuades the studio to change the address.
  await callApi((await createAdminWithApp(site, 'Opal')).admin, 'PUT', `/api/admin/users/${owner.id}`, { email })
  const thiefContext = await browser.newContext({ baseURL })
  const thief = await thiefContext.newPage()
  await freezeClock(thief, site.now)
  const thiefDevice = await addVirtualAuthenticator(thief)
  await submitPassword(thief, { email, password: owner.password })
  await thief.getByRole('button', { name: 'Use a passkey' }).click()
  await thief.getByRole('button', { name: 'I have saved them' }).click()
  await expect(thief.getByRole('navigation', { name: 'Admin' })).toBeVisible()
  expect(await thiefDevice.count()).toBe(1)
  await thief.goto('/admin?view=sign-in')
  await thief.getByRole('button', { name: 'Connect an app' }).click()
  const dialog = thief.getByRole('dialog', { name: 'Connect an app' })
  const secret = (await dialog.locator('code').textContent())?.replaceAll(' ', '') ?? ''
  await dialog.getByRole('textbox', { name: 'Code' }).fill(codeAt(secret, site.now))
  await dialog.getByRole('button', { name: 'Connect the app' }).click()
  await expectToast(thief, 'Authenticator app added')

  const linkIn = (text: string) => `/auth${/#(?:undo|reset)=[\w-]+/.exec(text)?.[0]}`
  await page.goto(linkIn((await site.mailTo(owner.email, /email address of your account has changed/)).text))
  await page.getByRole('button', { name: 'Restore my address' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Your old password no longer works' })).toBeVisible()
  await expectAccessible(page)
  const back = await site.mailTo(owner.email, /Your email address is back/)
  for (const words of ['Passkeys removed', 'Authenticator app', '10 recovery codes']) expect(back.text).toContain(words)

  expect((await thief.request.get('/api/auth/user')).status()).toBe(401)
  await thiefDevice.setTouch(false)
  await thief.goto('/auth')
  await thief.waitForLoadState('networkidle')
  await thiefDevice.setTouch(true)
  await thief.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expectToast(thief, 'Login Failed', 'This passkey does not open this account, or was removed from it.')
  for (const name of [email, owner.email]) {
    const login = await thief.request.post('/api/login', { data: { username: name, password: owner.password } })
    expect(login.status()).toBe(401)
  }

  await page.goto('/')
  await page.goto(linkIn(back.text))
  const password = 'a-word-of-her-own'
  for (const label of ['New password', 'Confirm password']) await page.getByLabel(label).fill(password)
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.waitForURL('**/dashboard')
  await addVirtualAuthenticator(page)
  await page.goto('/admin?view=sign-in')
  await expect(page.getByRole('heading', { name: 'Set up a second step' })).toBeVisible()
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByRole('button', { name: 'I have saved them' }).click()
  await expect(page.getByRole('region', { name: 'Passkeys' }).getByRole('listitem')).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Connect an app' })).toBeVisible()
  await thiefContext.close()
})

test.describe('passkeys after a new password, on a phone', () => {
  test.use({ viewport: PHONE })

  test('are listed when a member changes the password, and can be removed', async ({ page, site, baseURL }) => {
    const member = await site.member({ firstName: 'Rosalba' })
    await addPasskey(page, member, baseURL)
    await page.getByLabel('Current password').fill(member.password)
    for (const label of ['New password', 'Confirm new password']) {
      await page.getByLabel(label, { exact: true }).fill('another-secret')
    }
    await page.getByRole('button', { name: 'Change password' }).click()
    const dialog = page.getByRole('dialog', { name: 'Are these passkeys yours?' })
    await expect(dialog.getByRole('listitem')).toHaveCount(1)
    await expectAccessible(page)
    await dialog.getByRole('button', { name: /^Remove/ }).click()
    await expect(dialog.getByText('No passkeys are left.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await waitForDialogToClose(page)
    await expect(page.getByRole('region', { name: 'Passkeys' }).getByRole('listitem')).toHaveCount(0)
    const mail = await site.mailTo(member.email, /Your password .* has changed/)
    expect(mail.text).toContain('Passkeys that still work')
  })

  test('are listed when an admin sets one with an emailed link, and the only one cannot be removed', async ({
    page,
    site,
  }) => {
    const owner = await createAdmin(site, 'Odile')
    await addVirtualAuthenticator(page)
    await submitPassword(page, owner)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByRole('button', { name: 'I have saved them' }).click()
    await expect(page.getByRole('navigation', { name: 'Admin' })).toBeVisible()
    await page.goto('/api/logout')
    await callApi(owner, 'POST', '/api/password-reset', { email: owner.email })
    const { text } = await site.mailTo(owner.email, /Set your password/)
    await page.goto(`/auth${/#reset=[\w-]+/.exec(text)?.[0]}`)
    for (const label of ['New password', 'Confirm password']) await page.getByLabel(label).fill('by-a-mailed-link')
    await page.getByRole('button', { name: 'Set password' }).click()
    await expect(page.getByRole('heading', { name: 'Are these passkeys yours?' })).toBeFocused()
    await expect(page.getByRole('listitem').filter({ hasText: 'Added on' })).toHaveCount(1)
    await expectAccessible(page)
    await page.getByRole('button', { name: /^Remove/ }).click()
    await page.getByRole('dialog', { name: 'Is it you?' }).getByRole('button', { name: 'Use your passkey' }).click()
    await expectToast(page, 'This is your only second step. Add another one first.')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL('**/dashboard')
  })
})

for (const walk of SECOND_STEP_WALKS) testWalk(test, walk)

async function createAdminWithApp(site: Site, firstName: string): Promise<{ admin: Person; secret: string }> {
  const admin = await createAdmin(site, firstName)
  await callApi(admin, 'POST', '/api/login', { username: admin.email, password: admin.password })
  const { secret, setUp } = await callApi(admin, 'POST', '/api/user/authenticator/options', {})
  await callApi(admin, 'PUT', '/api/user/authenticator', { setUp, code: codeAt(secret, site.now) })
  return { admin, secret }
}
