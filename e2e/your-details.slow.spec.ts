import { expectToast, gotoHydrated } from './member.ts'
import { expect, newEmail, signIn, test } from './site.ts'
import { mockResponse } from './traffic.ts'

test.use({ viewport: { width: 390, height: 844 } })

test('a member changes their name, phone and email address, and restores the old one', async ({ page, site }) => {
  const member = await site.member({ firstName: 'Beatrix' })
  await signIn(page, member)
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Your details' }).click() // tap 1
  await expect(page.getByRole('heading', { name: 'Your details' })).toBeInViewport()
  await page.getByLabel('First name').fill('Bea')
  await page.getByLabel('Phone (optional)').fill('ring me')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByLabel('Phone (optional)')).toBeFocused()
  await page.getByLabel('Phone (optional)').fill('01632 960155')
  await page.getByRole('button', { name: 'Save' }).click() // tap 2
  await expectToast(page, 'Your details are up to date.')

  const email = newEmail('bea')
  await page.getByLabel('New email address').fill(email)
  await page.getByRole('button', { name: 'Change email address' }).click()
  await expect(page.getByText(`Waiting for you to confirm ${email}.`)).toBeVisible()
  await page.getByRole('button', { name: 'Send the email again' }).click()
  await expectToast(page, `We have emailed the link to ${email} again.`)
  const link = /https?:\/\/\S+#email=\S+/.exec((await site.mailTo(email, /confirm your new email/)).text)?.[0] ?? ''

  await gotoHydrated(page, new URL(link).pathname + new URL(link).hash)
  await page.getByRole('button', { name: 'Use this address' }).click()
  await expect(page.getByText(`Your email address is now ${email}.`)).toBeVisible()
  await page.getByRole('link', { name: 'Continue to your dashboard' }).click()
  await expect(page.getByRole('heading', { name: 'Hello, Bea' })).toBeVisible()

  const undo = /\/auth#undo=\S+/.exec((await site.mailTo(member.email, /has changed/)).text)?.[0] ?? ''
  await gotoHydrated(page, undo)
  await page.getByRole('button', { name: 'Restore my address' }).click()
  await expect(page.getByText('Your email address is restored')).toBeVisible()
})

test('the choice about texts is saved with the phone number, and says when only it fails', async ({ page, site }) => {
  await signIn(page, await site.member())
  await page.goto('/dashboard?view=profile')
  await page.getByLabel('Phone (optional)').fill('07700 900156')
  const texts = page.getByRole('checkbox', { name: /^Text me/ })
  await texts.uncheck()
  await mockResponse(page, '**/api/user/texts', 500, {}, 'PUT')
  await page.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Texts Not Saved', 'Your name and phone number are saved')
  await page.unroute('**/api/user/texts')
  await expect(page.getByRole('button', { name: 'Save' })).not.toHaveAttribute('aria-busy')
  await page.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'We won’t text you any more.')
  await page.reload()
  await expect(page.getByLabel('Phone (optional)')).toHaveValue('07700 900156')
  await expect(texts).not.toBeChecked()
  await expect(texts).toBeEnabled()
  await texts.check()
  await page.getByLabel('Phone (optional)').fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Saved', 'Your details are up to date.')
})

test('an admin’s dashboard begins with a link to Admin and does not greet them as a new member', async ({
  page,
  site,
}) => {
  await signIn(page, await site.admin())
  await page.goto('/dashboard')
  await expect(page.getByText('Tell us about your health')).toHaveCount(0)
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Admin/ })
    .click()
  await expect(page).toHaveURL(/\/admin$/)
})
