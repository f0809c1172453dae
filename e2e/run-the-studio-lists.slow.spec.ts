import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { chooseDay, openAsOwner, packageNamed } from './admin.ts'
import { expectFailure, expectToast } from './member.ts'
import { callApi, expect, test } from './site.ts'
import { changeResponse, holdRequests, mockResponse } from './traffic.ts'

test.describe('Bookings', () => {
  const rows = (page: Page, table = 'Bookings') =>
    page
      .getByRole('table', { name: table, exact: true })
      .getByRole('row')
      .filter({ has: page.getByRole('cell') })

  test('shows every field, filters, pages and exports a CSV file', async ({ page, site }) => {
    const member = await site.member({ firstName: '=1+1', lastName: 'Formula', health: true, credits: 9 })
    const studioClass = await site.class({ at: '2026-12-14 15:30' })
    const other = await site.class({ at: '2026-12-15 15:30' })
    await site.book(member, studioClass)
    await member.request('PUT', `/api/bookings/${await site.book(member, other)}/cancel`)
    await changeResponse<{ participantCount: number; class: { title: string } }[]>(
      page,
      '**/api/admin/bookings?*',
      (all) => all.map((each) => (each.class.title === other.title ? { ...each, participantCount: 2 } : each)),
    )
    await openAsOwner(page, site, '/admin?tab=Bookings')
    await expect(page.getByText('1 to 25 of')).toBeVisible()
    await page.getByRole('button', { name: 'Next' }).click()
    await expect(page.getByText('26 to 50 of')).toBeVisible()
    await page.getByRole('searchbox', { name: 'Search by member or class' }).fill('formula')
    await expect(rows(page)).toHaveCount(2)
    const [cancelled, booked] = [rows(page).nth(0), rows(page).nth(1)]
    for (const text of [
      '=1+1 Formula',
      studioClass.title,
      '14/12/2026, 15:30 - 16:15',
      'Individual session',
      '£50.00',
    ]) {
      await expect(booked).toContainText(text)
    }
    for (const width of [390, 768, 1024, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      for (const text of ['Individual session', '£50.00', 'Confirmed', 'Paid with a credit'])
        await expect(booked.getByText(text), `${text} at ${width} px`).toBeVisible()
    }
    await expect(cancelled).toContainText('Duo')
    await expect(cancelled).toContainText('Cancelled')
    await expect(cancelled).toContainText('Credit returned')
    await page.getByLabel('Status').selectOption('Cancelled')
    await expect(rows(page)).toHaveCount(1)
    await page.getByLabel('Status').selectOption('All')
    await chooseDay(page, 'Classes from', '2026-12-15')
    await expect(rows(page)).toHaveCount(1)
    await page.getByRole('button', { name: 'Classes from 15/12/2026' }).click()
    await page.getByRole('button', { name: 'Any day', exact: true }).click()
    await expect(rows(page)).toHaveCount(2)
    await chooseDay(page, 'Classes to', '2026-12-14')
    await expect(rows(page)).toHaveCount(1)
    await expect(rows(page).filter({ hasText: '15/12/2026' })).toHaveCount(0)
    await expect(rows(page)).toHaveText(/14\/12\/2026/)
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'CSV' }).click()
    const file = await readFile(await (await download).path(), 'utf8')
    expect(file).toContain(
      `'=1+1,Formula,${studioClass.title},14/12/2026,15:30,16:15,1,50.00,confirmed,Paid with a credit`,
    )
    expect(file.trim().split('\r\n')).toHaveLength(2)
    await chooseDay(page, 'Classes to', '2026-12-01')
    await expect(page.getByText('No bookings match')).toBeVisible()
    await page.getByRole('button', { name: 'Clear search' }).click()
    await expect(page.getByText('1 to 25 of')).toBeVisible()
    await expect(page).toHaveURL(/\/admin\?tab=Bookings$/)
  })

  test('sorts by the last booking, or by class from today with earlier ones collapsed', async ({ page, site }) => {
    const member = await site.member({ firstName: 'Petronella', lastName: 'Winterbottom', health: true, credits: 3 })
    await site.book(member, await site.class({ at: '2026-12-09 15:45' }))
    await site.book(member, await site.class({ at: '2026-12-07 21:45' }))
    // A class that has started cannot be booked, so book a later one and move the booking.
    const past = await site.class({ at: '2026-12-04 15:45' })
    const booking = await site.book(member, await site.class({ at: '2026-12-08 15:45' }))
    await site.pool.query('update bookings set class_id = $1 where id = $2', [past.id, booking])
    await openAsOwner(page, site, '/admin?tab=Bookings&search=Winterbottom')
    await expect(rows(page)).toContainText(['04/12/2026', '07/12/2026', '09/12/2026'])

    await page.getByLabel('Order').selectOption('Today’s classes first')
    await expect(page).toHaveURL(/order=class/)
    await expect(rows(page)).toContainText(['07/12/2026', '09/12/2026'])
    const headings = page.getByRole('table', { name: 'Bookings', exact: true }).locator('tbody th')
    await expect(headings).toHaveText(['Monday 07/12/2026Today', 'Wednesday 09/12/2026'])
    const before = rows(page, 'Bookings before today')
    await expect(before).toHaveCount(0)
    await page.getByText('Before today').click()
    await expect(before).toContainText(['04/12/2026'])

    await chooseDay(page, 'Classes to', '2026-12-06')
    await expect(before).toContainText(['04/12/2026'])
    await expect(rows(page)).toHaveCount(0)
    await page.getByLabel('Order').selectOption('Most recently booked')
    await expect(rows(page)).toContainText(['04/12/2026'])
    await expect(page.getByText('Before today')).toHaveCount(0)
  })

  test('sets, leaves and clears a date filter with the keyboard alone', async ({ page, site }) => {
    await openAsOwner(page, site, '/admin?tab=Bookings&search=Nobody+by+the+keys')
    const from = page.getByRole('button', { name: /^Classes from / })
    const calendar = page.getByRole('dialog', { name: 'Classes from' })
    await expect(from).toHaveAccessibleName('Classes from Any day')
    await from.press('Enter')
    await expect(calendar.getByRole('button', { name: 'Monday, 7 December 2026' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(calendar).toHaveCount(0)
    await expect(from).toBeFocused()
    await from.press('Enter')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('PageDown')
    await expect(calendar.getByRole('button', { name: 'Friday, 8 January 2027' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(from).toBeFocused()
    await expect(from).toHaveAccessibleName('Classes from 08/01/2027')
    await expect(page).toHaveURL(/from=2027-01-08/)

    await chooseDay(page, 'Classes to', '2027-01-09')
    await from.press('Enter')
    await expect(calendar.getByRole('button', { name: 'Sunday, 10 January 2027' })).toBeDisabled()
    await page.getByRole('heading', { level: 1 }).click()
    await expect(calendar).toHaveCount(0)
    await from.press('Enter')
    await calendar.getByRole('button', { name: 'Any day' }).press('Enter')
    await expect(from).toBeFocused()
    await expect(from).toHaveAccessibleName('Classes from Any day')
    await expect(page).not.toHaveURL(/from=/)
  })

  test('manages a booking in its dialog, with its history', async ({ page, site }) => {
    const member = await site.member({ firstName: 'Beatrix', lastName: 'Ollerenshaw', health: true, credits: 2 })
    const past = await site.class({ at: '2026-12-07 08:00' })
    const ahead = await site.class({ at: '2026-12-10 15:30' })
    await site.book(member, ahead)
    // A class that has started cannot be booked, so book a later one and move the booking.
    const booking = await site.book(member, await site.class({ at: '2026-12-10 17:30' }))
    await site.pool.query('update bookings set class_id = $1 where id = $2', [past.id, booking])
    await openAsOwner(page, site, '/admin?tab=Bookings&search=Ollerenshaw')
    await page.getByRole('button', { name: /^Manage .* 10\/12\/2026 15:30/ }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('Attendance can be marked once the class has started.')
    await dialog.getByRole('button', { name: 'Cancel booking' }).click()
    await expect(dialog.getByRole('checkbox', { name: 'Return the credit' })).toBeChecked()
    await dialog.getByRole('button', { name: 'Cancel booking' }).click()
    await expectToast(page, 'Booking cancelled successfully')
    // The change takes the booking out of this list.
    await page.getByLabel('Status').selectOption('Confirmed')
    await page.getByRole('button', { name: /^Manage .* 07\/12\/2026/ }).click()
    await dialog.getByRole('button', { name: 'No show' }).click()
    await expect(rows(page)).toHaveCount(0)
    await expect(dialog).toContainText('Credit kept')
    await dialog.getByText('History').click()
    await expect(dialog.getByText('Marked as a no-show')).toBeVisible()
  })

  test('books for a member and shows why a booking is refused', async ({ page, site }) => {
    const member = await site.member({ firstName: 'Cordelia', lastName: 'Barraclough', health: true, credits: 1 })
    const studioClass = await site.class({ at: '2026-12-10 15:30' })
    await openAsOwner(page, site, '/admin?tab=Bookings&search=Barraclough')
    await page.getByRole('button', { name: 'Book for a member' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Name, email or phone' }).fill('Barraclough')
    await dialog.getByRole('option', { name: /^Cordelia Barraclough/ }).click()
    await site.book(member, await site.class({ at: '2026-12-11 15:30' }))
    await dialog.getByLabel('Class').selectOption({ label: `Thu 10/12/2026 15:30, ${studioClass.title} (2 free)` })
    await dialog.getByRole('button', { name: 'Book class' }).click()
    await expect(dialog.getByRole('alert')).toContainText('Your class pass has no credits left.')
    await site.grantCredits(member, 1)
    await dialog.getByRole('button', { name: 'Book class' }).click()
    await expect(dialog).toBeHidden()
    await expect(rows(page).first()).toContainText('Cordelia Barraclough')
  })

  test('shows error and empty states', async ({ page, site }) => {
    await mockResponse(page, '**/api/admin/bookings?*', 500, {})
    await openAsOwner(page, site, '/admin?tab=Bookings')
    await expect(page.getByText('The bookings could not be loaded.')).toBeVisible()
    await mockResponse(page, '**/api/admin/bookings?*', 200, [])
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('No bookings yet')).toBeVisible()
  })
})

test.describe('Health Updates', () => {
  test('describes the changes and marks an update as sent once', async ({ page, site }) => {
    const member = await site.member({ firstName: 'Millicent', lastName: 'Hebblethwaite', health: true })
    const changed = { allergies: 'Latex', hasBackProblems: true, fitnessLevel: 'advanced' }
    await callApi(member, 'POST', '/api/health/questionnaire', changed)
    await openAsOwner(page, site, '/admin?tab=Health%20Updates&search=Hebblethwaite')
    await expect(page.getByText('How this works')).toBeVisible()
    const explained = page.getByText('Read the change and tell the member’s teacher in person')
    await expect(explained).toBeVisible()
    await expect(page.getByRole('heading', { name: 'New', exact: true })).toBeVisible()
    const updates = page.getByRole('list', { name: 'Health updates' }).getByRole('listitem')
    const newest = updates.filter({ hasText: 'Health Questionnaire' }).first()
    await newest.locator('summary').first().click()
    for (const text of ['None that I know of → Latex', 'Back problems', 'No → Yes', 'Fitness level', 'Advanced']) {
      await expect(newest).toContainText(text)
    }
    await expect(updates.filter({ hasText: 'Emergency Contact' })).toContainText('Sam Stranger')
    await expect(newest.getByText('New', { exact: true })).toBeVisible()
    await mockResponse(page, '**/api/admin/health-updates/*/mark-sent', 500, {})
    await newest.getByRole('button', { name: /^Mark as Sent/ }).click()
    await expectFailure(page, 'Error', 'Failed to mark notification as sent')
    await page.unroute('**/api/admin/health-updates/*/mark-sent')
    const sent = await holdRequests(page, '**/api/admin/health-updates/*/mark-sent')
    await newest.getByRole('button', { name: /^Mark as Sent/ }).dblclick()
    await expect.poll(sent.calls).toBe(1)
    await sent.release()
    await expectToast(page, 'Success', 'Notification marked as sent')
    expect(sent.calls()).toBe(1)
    await expect(newest.getByText('Notified')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Notified' })).toBeVisible()
    await expect(updates).toHaveCount(1)
    await page.goto('/admin?tab=Health%20Updates')
    await expect(page.getByRole('heading', { name: /^(New|Notified)$/ }).first()).toBeVisible()
    await expect(explained).toBeHidden()
  })

  test('shows loading, error and empty states', async ({ page, site }) => {
    const updates = await holdRequests(page, '**/api/admin/health-updates?*')
    await openAsOwner(page, site, '/admin?tab=Health%20Updates')
    await expect(page.getByText('Loading health updates...')).toBeVisible()
    await updates.release()
    await mockResponse(page, '**/api/admin/health-updates?*', 500, {})
    await page.reload()
    await expect(page.getByText('Failed to load health updates')).toBeVisible()
    await mockResponse(page, '**/api/admin/health-updates?*', 200, [])
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('No health updates yet')).toBeVisible()
  })
})

const namesIn = async (part: Locator) =>
  (await part.ariaSnapshot()).match(/(?<=(link|button) ").*?(?=")/g)?.map(String) ?? []

test('names the actions of namesakes, and of vouchers for one recipient, differently', async ({ page, site }) => {
  const twins = [1, 2].map(() => site.member({ firstName: 'Ada', lastName: 'Twin' }))
  const [ada] = await Promise.all(twins)
  const { id: packageId } = await packageNamed(site, '8 Class Pass')
  const gift = { recipientName: 'Grace Gift', recipientEmail: null, message: null, sendOn: null }
  for (const method of ['cash', 'cash'])
    await callApi(await site.admin(), 'POST', `/api/admin/users/${ada?.id}/vouchers`, { packageId, method, gift })
  for (const [address, list] of [
    ['/admin?tab=Users&search=Twin', 'Members'],
    ['/admin?tab=Packages&view=vouchers&search=Grace', 'Vouchers'],
  ] as const) {
    await openAsOwner(page, site, address)
    const rows = page
      .getByRole('table', { name: list })
      .getByRole('row')
      .filter({ has: page.getByRole('cell') })
    await expect(rows).toHaveCount(2)
    const names = await namesIn(page.getByRole('table', { name: list }))
    for (const more of await page.getByRole('button', { name: /^More for/ }).all()) {
      if (list === 'Members') continue
      await more.click()
      names.push(...(await namesIn(page.getByRole('dialog'))))
      await page.keyboard.press('Escape')
    }
    const actions = names.filter((name) => list === 'Members' || name !== 'Ada Twin')
    expect(actions.length).toBeGreaterThan(5)
    expect(actions).toEqual([...new Set(actions)])
  }
})
