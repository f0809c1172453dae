import type { Locator } from '@playwright/test'
import { openTab } from './admin.ts'
import { expectToast, openMore, PASSWORD } from './member.ts'
import { expect, newEmail, signIn, test } from './site.ts'

test.use({ viewport: { width: 390, height: 844 } })

function counter() {
  let taps = 0
  const tap = async (target: Locator) => {
    taps += 1
    await target.click()
  }
  return { tap, taps: () => taps }
}

test('a member books for two in six taps, a new companion accepts in twelve, and one place is cancelled in two', async ({
  page,
  site,
  browser,
}) => {
  const held = await site.class({ at: '2026-12-15 06:20' })
  const member = await site.member({ firstName: 'Wilhelmina', health: true, credits: 4 })
  const email = newEmail('bartholomew')
  await signIn(page, member)
  await page.goto('/booking?date=2026-12-15')
  const dialog = page.getByRole('dialog')
  const booking = counter()
  await booking.tap(page.getByRole('button', { name: `Book ${held.title} at 06:20` }))
  await booking.tap(dialog.getByRole('button', { name: 'Book for two' }))
  await dialog.getByLabel('Their first name').fill('Bartholomew')
  await dialog.getByLabel('Their last name').fill('Featherstonehaugh')
  await dialog.getByLabel('Their email address').fill(email)
  await booking.tap(dialog.getByRole('checkbox', { name: /cancellation policy/ }))
  await booking.tap(dialog.getByRole('checkbox', { name: /terms and conditions/ }))
  await booking.tap(dialog.getByRole('button', { name: 'Confirm Booking' }))
  await expectToast(page, 'Booking Confirmed')
  expect(booking.taps()).toBeLessThanOrEqual(6)
  await page.goto('/dashboard')
  await expect(page.getByText(/Place held for Bartholomew until/)).toBeVisible()

  const mail = await site.mailTo(email, /Wilhelmina has booked you a place/)
  const path = /\/auth#invitation=[\w.-]+/.exec(mail.text)?.[0] ?? ''
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, baseURL: site.origin })
  const other = await context.newPage()
  await other.clock.setFixedTime(new Date(Date.parse('2026-12-07T08:00:00Z')))
  await other.goto(path)
  const accepting = counter()
  const button = (name: string | RegExp) => other.getByRole('button', { name })
  await expect(other.getByRole('heading', { name: 'A place next to Wilhelmina' })).toBeVisible()
  await other.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await accepting.tap(button('Continue'))
  await other.waitForURL('**/dashboard**')
  for (const step of ['Medical History', 'Exercise Background']) {
    await expect(other.getByRole('heading', { name: step })).toBeVisible()
    await accepting.tap(button('Next'))
  }
  await other.getByLabel('Emergency contact name').fill('Sam')
  await other.getByLabel(/Relationship/).fill('Partner')
  await other.getByLabel(/Phone/).fill('01632 960 199')
  await accepting.tap(button('Next'))
  await accepting.tap(other.getByLabel(/I confirm that my answers are true/))
  await accepting.tap(other.getByLabel(/I consent to the studio processing/))
  await accepting.tap(button('Complete Questionnaire'))
  await accepting.tap(other.getByRole('checkbox', { name: /cancellation policy/ }))
  await accepting.tap(other.getByRole('checkbox', { name: /terms and conditions/ }))
  await accepting.tap(button('Accept the place'))
  await expect(other.getByText('Wilhelmina booked and paid for this place.')).toBeVisible()
  expect(accepting.taps()).toBeLessThanOrEqual(12)
  await context.close()

  await page.reload()
  await expect(page.getByText('Bartholomew is coming with you')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel Bartholomew’s place' }).click()
  await expectToast(page, 'Place Cancelled')
  await openMore(page)
  await expect(page.getByRole('button', { name: /^Add companion/ })).toBeVisible()
})

test('an invited person with an account logs in and declines; the owner sees the held place', async ({
  page,
  site,
}) => {
  const held = await site.class({ at: '2026-12-07 19:10' })
  const [member, guest] = [await site.member({ health: true, credits: 2 }), await site.member({ firstName: 'Gus' })]
  const booking = await site.book(member, held)
  const companion = { firstName: 'Gus', lastName: 'Guest', email: guest.email }
  expect((await member.request('POST', `/api/bookings/${booking}/companion`, companion)).status).toBe(201)
  const mail = await site.mailTo(guest.email, /has booked you a place/)
  const path = /\/auth#invitation=[\w.-]+/.exec(mail.text)?.[0] ?? ''

  await signIn(page, await site.admin())
  await page.goto('/admin')
  await expect(page.getByText(/Held for Gus Guest, companion of Mia Stranger, until/).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add companion of Mia Stranger' })).toHaveCount(0)
  await page.context().clearCookies()
  await page.goto('/')
  await page.goto(path)
  await expect(page.getByRole('heading', { name: 'You are invited' })).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill(guest.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL('**/dashboard**')
  await page.getByRole('button', { name: 'Don’t invite me again' }).click()
  await expect(page.getByText('Declined. We will not invite you again.')).toBeVisible()
})

test('the owner adds a companion at the desk and confirms the place in Classes', async ({ page, site }) => {
  const today = await site.class({ at: '2026-12-07 19:20' })
  const alone = await site.class({ at: '2026-12-07 20:20', places: 1 })
  const member = await site.member({ firstName: 'Araminta', lastName: 'Solo', health: true, credits: 3 })
  for (const one of [today, alone]) await site.book(member, one)
  await signIn(page, await site.admin())
  await page.goto('/admin')
  await openMore(page, 'Araminta Solo')
  const name = 'Add companion of Araminta Solo'
  // Only in the class for two.
  await expect(page.getByRole('button', { name })).toHaveCount(1)
  await page.getByRole('button', { name }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('First name').fill('Ben')
  await dialog.getByLabel('Last name').fill('Desk')
  await dialog.getByLabel('Email').fill(newEmail('ben'))
  await dialog.getByRole('button', { name: 'Add companion' }).click()
  await expectToast(page, 'Success', 'Place held for Ben')
  await openTab(page, site, 'Classes')
  const row = page.getByRole('listitem').filter({ hasText: today.title })
  await row.scrollIntoViewIfNeeded()
  await row.getByRole('button', { name: 'Confirm the place of Ben Desk' }).click()
  await expectToast(page, 'Place Confirmed', 'Ben is booked.')
  await expect(row).toContainText('Ben Desk (companion of Araminta Solo)')
})
