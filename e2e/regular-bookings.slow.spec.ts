import type { Page } from '@playwright/test'
import { openTab, packageNamed } from './admin.ts'
import { expectToast, openMore, section } from './member.ts'
import { callApi, expect, newEmail, type Site, signIn, test } from './site.ts'
import { holdRequests } from './traffic.ts'

test.use({ viewport: { width: 390, height: 844 } })

/** Creates a weekly series on Fridays from 11 December. */
async function fridays(site: Site, title: string, startTime: string, maxParticipants = 1) {
  const times = { date: '2026-12-11', startTime, endTime: startTime.replace(/\d\d$/, '55'), maxParticipants }
  const repeats = { isRepeating: true, repeatFrequency: 'weekly', repeatUntilDate: '2027-03-26' }
  await callApi(await site.admin(), 'POST', '/api/classes', { title, ...times, ...repeats })
}

/** Counts the presses of a journey. */
function counter(page: Page) {
  let taps = 0
  const tap = async (role: 'button' | 'checkbox', name: string | RegExp) => {
    taps += 1
    await page.getByRole(role, { name }).filter({ visible: true }).first().click()
  }
  return { tap, taps: () => taps }
}

test('a member books twelve Fridays in five taps, skips one in two, and stops', async ({ page, site }) => {
  await fridays(site, 'Reformer at six', '06:10')
  const member = await site.member({ health: true, credits: 12 })
  await signIn(page, member)
  await page.goto('/booking?date=2026-12-11')
  await page.getByRole('button', { name: 'Book Reformer at six at 06:10' }).click()

  const booking = counter(page)
  await booking.tap('button', 'Every Friday at 06:10')
  const sheet = page.getByRole('dialog')
  await expect(sheet).toContainText('Books now: 12 classes, 11 Dec to 26 Feb')
  for (const part of [...(await sheet.getByRole('checkbox').all()), sheet.getByRole('button', { name: /^Book every/ })])
    await expect(part).toBeInViewport({ ratio: 1 })
  await booking.tap('checkbox', /cancellation policy/)
  await booking.tap('checkbox', /terms and conditions/)
  await booking.tap('button', 'Book every Friday')
  await expect(page.getByRole('dialog')).toContainText('12 classes booked until Friday 26 February')
  await booking.tap('button', 'Done')
  expect(booking.taps()).toBe(5)

  const scripts = await holdRequests(page, '**/assets/*.js')
  await page.goto('/dashboard')
  const panel = section(page, 'Regular bookings')
  await expect(panel).toContainText('12 classes booked until Friday 26 February')
  const skipping = counter(page)
  // Before hydration, the browser opens it.
  await panel.getByText('Dates', { exact: true }).click()
  await scripts.release()
  await skipping.tap('button', 'Skip 18/12/2026')
  expect(skipping.taps() + 1).toBe(2)
  await expectToast(page, 'Date Skipped', 'Friday 18 December is not booked for you. Your credit is back on your pass.')
  await expect(panel).toContainText('11 classes booked until Friday 26 February')
  await expect(panel.getByRole('listitem').filter({ hasText: /^Friday 18 December/ })).toContainText('Not coming')
  await expect(panel).toBeFocused()
  await page.getByRole('button', { name: 'Undo cancelling Reformer at six on 18/12/2026' }).click()
  await expect(panel).toContainText('12 classes booked until Friday 26 February')

  await panel.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('radio', { name: 'Cancel them' }).check()
  await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click()
  await expectToast(page, 'Regular Booking Stopped', '12 bookings cancelled.')
  await expect(panel).toHaveCount(0)
})

test('a booking becomes a regular one from its row, as far as credits and places go', async ({ page, site }) => {
  await fridays(site, 'Reformer at seven', '06:20')
  const classes = (await callApi(await site.admin(), 'GET', '/api/classes?from=2026-12-11&to=2026-12-18')) as {
    id: number
    title: string
  }[]
  const [first, second] = classes.filter(({ title }) => title === 'Reformer at seven')
  const member = await site.member({ health: true, credits: 3 })
  await callApi(member, 'POST', '/api/bookings', { classId: first?.id })
  const other = await site.member({ health: true, credits: 1 })
  await callApi(other, 'POST', '/api/bookings', { classId: second?.id })
  await signIn(page, member)
  await page.goto('/dashboard')
  await openMore(page, 'Reformer at seven')
  await page.getByRole('button', { name: /^Every Friday at 06:20/ }).click()
  // The first is booked already, the second is full, and two credits are left.
  await expect(page.getByRole('dialog')).toContainText('Books now: 25 Dec, 1 Jan')
  await page.getByRole('checkbox', { name: /cancellation policy/ }).check()
  await page.getByRole('checkbox', { name: /terms and conditions/ }).check()
  await page.getByRole('button', { name: 'Book every Friday' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('3 classes booked until Friday 1 January')
  await expect(dialog).toContainText('Friday 18 DecemberFull: you are on the waiting list')
  await dialog.getByRole('button', { name: 'Done' }).click()
  const panel = section(page, 'Regular bookings')
  await expect(panel).toContainText('No credit from Friday 8 January')
  await openMore(page, 'Reformer at seven')
  await expect(page.getByRole('link', { name: 'Add to Google calendar' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Every Friday at 06:20/ })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(section(page, 'On the waiting list')).toContainText('Friday 18 December 2026')

  const sold = await packageNamed(site, '8 Class Pass')
  await page.goto(`/checkout?packageId=${sold.id}&amount=${Number(sold.price)}`)
  const order = section(page, 'Order summary')
  await expect(order).toContainText('From tonight, your regular bookings use free credits, the earliest class first.')
  await page.getByRole('button', { name: 'Give as a gift' }).click()
  await expect(order).not.toContainText('From tonight')
})

test('a member books every Friday with a companion, who leaves out a date and stops', async ({
  page,
  site,
  browser,
}) => {
  await fridays(site, 'Duo at dawn', '06:40', 2)
  const member = await site.member({ firstName: 'Henrietta', health: true, credits: 24 })
  const bea = await site.member({ firstName: 'Bea', health: true })
  await signIn(page, member)
  await page.goto('/booking?date=2026-12-11')
  await page.getByRole('button', { name: 'Book Duo at dawn at 06:40' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Book for two' }).click()
  await dialog.getByLabel('Their first name').fill('Bea')
  await dialog.getByLabel('Their last name').fill('Best')
  await dialog.getByLabel('Their email address').fill(bea.email)
  await dialog.getByRole('button', { name: 'Every Friday at 06:40, with Bea' }).click()
  await expect(dialog.getByRole('checkbox', { name: /^Bea comes along/ })).toBeChecked()
  await expect(dialog).toContainText('Books now: 12 classes, 11 Dec to 26 Feb')
  await dialog.getByRole('checkbox', { name: /cancellation policy/ }).check()
  await dialog.getByRole('checkbox', { name: /terms and conditions/ }).check()
  await dialog.getByRole('button', { name: 'Book every Friday' }).click()
  await expect(dialog).toContainText('12 classes booked until Friday 26 February')
  await expect(dialog).toContainText('Once Bea has accepted')
  await dialog.getByRole('button', { name: 'Done' }).click()

  const mail = await site.mailTo(bea.email, /has booked you a place/)
  const path = /\/auth#invitation=[\w.-]+/.exec(mail.text)?.[0] ?? ''
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, baseURL: site.origin })
  const other = await context.newPage()
  await other.clock.setFixedTime(new Date(Date.parse('2026-12-07T08:00:00Z')))
  await signIn(other, bea)
  await other.goto(path)
  await other.waitForURL('**/dashboard**')
  await expect(other.getByText('Once you accept, we book every Friday at 06:40 for you too')).toBeVisible()
  await other.getByRole('checkbox', { name: /cancellation policy/ }).check()
  await other.getByRole('checkbox', { name: /terms and conditions/ }).check()
  await other.getByRole('button', { name: 'Accept the place' }).click()
  await expect(other.getByText('Henrietta booked and paid for this place.').first()).toBeVisible()
  await site.mailTo(bea.email, /every Friday at 06:40 with Henrietta/)
  await other.goto('/dashboard')
  const along = section(other, 'Regular bookings')
  await expect(along).toContainText('Every Friday at 06:40, with Henrietta')
  await expect(along).toContainText('12 classes booked until Friday 26 February')

  await page.goto('/dashboard')
  const panel = section(page, 'Regular bookings')
  await expect(panel).toContainText('Every Friday at 06:40, with Bea')
  await page.setViewportSize({ width: 1440, height: 900 })
  await along.getByRole('button', { name: 'Stop' }).click()
  await other.getByRole('radio', { name: 'Cancel them' }).check()
  await other.getByRole('dialog').getByRole('button', { name: 'Stop' }).click()
  await expectToast(other, 'Regular Booking Stopped', '12 bookings cancelled.')
  await context.close()
  await page.reload()
  await expect(panel).toContainText('Every Friday at 06:40')
  await expect(panel).not.toContainText('with Bea')
})

test('the owner sets up a regular booking for two, sees who has the slot, and ends it', async ({ page, site }) => {
  await fridays(site, 'Reformer at dawn', '06:30', 2)
  const member = await site.member({ firstName: 'Perpetua', lastName: 'Weekly', health: true, credits: 4 })
  await openTab(page, site, 'Users', `&user=${member.id}`)
  await page.getByRole('button', { name: 'Set up a regular booking' }).click()
  await page.getByLabel('First class').selectOption({ label: 'Fri 11/12/2026 06:30, Reformer at dawn (2 free)' })
  await page.getByRole('checkbox', { name: 'A companion comes too' }).check()
  await page.getByRole('button', { name: 'Book every week' }).click()
  await expect(page.getByText('First name is required')).toBeVisible()
  await page.getByLabel('Their first name').fill('Fidel')
  await page.getByLabel('Their last name').fill('Friend')
  await page.getByLabel('Their email').fill(newEmail('fidel'))
  await page.getByRole('button', { name: 'Book every week' }).click()
  // The held place takes one of the four credits.
  await expectToast(page, 'Success', '3 classes booked for Perpetua Weekly')
  await expect(page.getByText('Every Friday at 06:30, with Fidel')).toBeVisible()
  await expect(page.getByText('3 classes booked until Friday 25 December')).toBeVisible()
  await page.getByRole('button', { name: 'Set up a regular booking' }).click()
  await expect(page.getByLabel('First class')).toContainText('Choose a class')
  await expect(page.getByLabel('First class')).not.toContainText('Reformer at dawn')

  await openTab(page, site, 'Classes')
  await openMore(page, 'Classes')
  await page.getByRole('button', { name: 'Regular bookings' }).click()
  const row = page.getByRole('row').filter({ hasText: 'Perpetua Weekly' })
  await expect(row).toContainText('25/12/2026')
  await page.getByRole('button', { name: 'End Every Friday at 06:30 of Perpetua Weekly' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click()
  await expectToast(page, 'Success', 'Ended')
})
