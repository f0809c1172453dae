import { expect, type Locator, type Page } from '@playwright/test'
import { newEmail, type Site, signIn } from './site.ts'

export const PASSWORD = 'six-or-more'
export const CARDS = {
  accepted: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  needsAuthentication: '4000 0027 6000 3184',
}

/** Signs up with the form and ends on the dashboard. @returns the email address */
export async function signUp(page: Page, firstName: string): Promise<string> {
  const email = newEmail(firstName.toLowerCase())
  await page.goto('/auth')
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await fillSignUpForm(page, email, firstName)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await page.waitForURL('**/dashboard')
  return email
}

export async function fillSignUpForm(
  page: Page,
  email: string,
  firstName: string,
  password = PASSWORD,
  again = password,
) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('First name').fill(firstName)
  await page.getByLabel('Last name').fill('Stranger')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password').fill(again)
}

/** Chooses a package on the pricing page and ends at the card form. */
export async function choosePackage(page: Page, name: string): Promise<void> {
  await page.goto('/pricing')
  await page
    .getByRole('listitem')
    .filter({ hasText: name })
    .getByRole('button', { name: /Select Package/ })
    .click()
  await page.waitForURL('**/checkout?**')
  await expect(page.getByLabel('Card number')).toBeVisible()
}

export async function pay(page: Page, card: string): Promise<void> {
  await page.getByLabel('Card number').fill(card)
  await page.getByLabel('Expiry').fill('12 / 34')
  await page.getByLabel('CVC').fill('123')
  await page.getByLabel('Name on card').fill('A Stranger')
  await page.getByRole('button', { name: /^Complete Payment/ }).click()
}

export async function completeHealth(page: Page): Promise<void> {
  await page.goto('/health')
  await page.getByRole('button', { name: 'Complete Questionnaire' }).first().click()
  await expect(page.getByRole('heading', { name: 'Medical History' })).toBeFocused()
  await page.getByLabel('Allergies').fill('None that I know of')
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByRole('heading', { name: 'Exercise Background' })).toBeFocused()
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByRole('heading', { name: 'Emergency Contact' })).toBeFocused()
  await page.getByLabel(/name/i).first().fill('Sam Stranger')
  await page.getByLabel(/Relationship/).fill('Partner')
  await page.getByLabel(/Phone/).fill('01632 960 199')
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByRole('heading', { name: 'Disclaimers & Consent' })).toBeFocused()
  await page.getByLabel(/I confirm that my answers are true/).check()
  await page.getByLabel(/I consent to the studio processing/).check()
  await page.getByRole('button', { name: 'Complete Questionnaire' }).click()
  await expectToast(page, 'Health information saved')
}

/** Looks in the toast only, because its text is also in a live region. */
export async function expectToast(page: Page, ...texts: (string | RegExp)[]): Promise<void> {
  const toast = page.getByRole('region', { name: /Notifications/ }).getByRole('listitem')
  for (const text of texts) await expect(toast).toContainText(text)
}

/** Expects an error toast and waits until the button accepts clicks again. */
export async function expectFailure(page: Page, ...texts: (string | RegExp)[]): Promise<void> {
  await expectToast(page, ...texts)
  await expect(page.locator('button[aria-busy="true"]')).toHaveCount(0)
}

/** On a phone the toast covers the bottom of the page and stays while the pointer is over it. */
export async function dismissToast(page: Page): Promise<void> {
  const toasts = page.getByRole('region', { name: /Notifications/ })
  await toasts.getByRole('button', { name: 'Close' }).click()
  await expect(toasts.getByRole('listitem')).toHaveCount(0)
}

/** Opens a server-rendered page and waits until it is hydrated. */
export async function gotoHydrated(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await waitForHydration(page)
}

/** Waits until the page is hydrated and knows whether the visitor is signed in. */
export async function waitForHydration(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => 'early' in window)).toBe(false)
}

/** Opens a page from another one, so that the browser reads its data, not the server. */
export async function openInSite(page: Page, path: string): Promise<void> {
  await gotoHydrated(page, '/about')
  await page.evaluate((path) => {
    history.pushState(null, '', path)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
}

export async function openClassDialog(page: Page, day: RegExp, time: string): Promise<void> {
  await page.goto('/booking')
  await page.getByRole('button', { name: day }).click()
  await page.getByRole('button', { name: new RegExp(`^Book .* at ${time}`) }).click()
}

export async function confirmBooking(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('checkbox', { name: /cancellation policy/ }).check()
  await dialog.getByRole('checkbox', { name: /terms and conditions/ }).check()
  await dialog.getByRole('button', { name: 'Confirm Booking' }).click()
}

/** Also waits for the step back in the history that closing a dialog takes. */
export async function waitForDialogToClose(page: Page): Promise<void> {
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect.poll(() => page.evaluate(() => history.state?.usr?.open)).toBeUndefined()
}

/** react-hook-form focuses the first invalid field again in a timer. */
export async function waitForFocusToSettle(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => setTimeout(done)))
}

export async function logIn(page: Page, username: string, password: string): Promise<void> {
  await page.goto('/auth')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
}

export const LOGGED_OUT = 'You are logged out. Logging in again...'

export async function expectLoggedOut(page: Page): Promise<void> {
  await expectToast(page, 'Unauthorized', LOGGED_OUT)
  await page.waitForURL('**/auth**')
}

/** Signs in a member with a class on Thursday at 15:00. */
export async function signInWithBooking(page: Page, site: Site) {
  const member = await site.member({ health: true, credits: 3 })
  const booked = await site.class({ at: '2026-12-10 15:00' })
  await site.book(member, booked)
  await signIn(page, member)
  return { member, booked }
}

/** Signs in a member with a class on Thursday at 10:00 and one on Sunday at 11:00. */
export async function signInWithTwoBookings(page: Page, site: Site) {
  const member = await site.member({ firstName: 'Rosalind', health: true, credits: 8 })
  const first = await site.class({ at: '2026-12-10 10:00' })
  const second = await site.class({ at: '2026-12-13 11:00' })
  await site.book(member, second)
  await site.book(member, first)
  await signIn(page, member)
  return { member, first, second }
}

export const figure = (page: Page, term: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.getByRole('term').filter({ hasText: term }) })
    .getByRole('definition')

export const section = (page: Page, name: string) => page.getByRole('region', { name })
export const rowsOf = (page: Page, name: string) => section(page, name).getByRole('listitem')

/** Opens the first menu of a row; `of` starts what the row is called. */
export const openMore = (within: Page | Locator, of = '') =>
  within
    .getByRole('button', { name: `More for ${of}` })
    .first()
    .click()
