import type { Page } from '@playwright/test'
import { expectToast, waitForDialogToClose } from './member.ts'
import { callApi, expect, type Site, signIn, test } from './site.ts'
import { holdRequests, mockResponse } from './traffic.ts'

async function fullDay(page: Page, site: Site, at: string) {
  const holder = await site.member({ health: true, credits: 1 })
  const member = await site.member({ firstName: 'Rosalind', health: true, credits: 3 })
  const full = await site.class({ at, places: 1 })
  const booking = await site.book(holder, full)
  await signIn(page, member)
  const open = () => page.goto(`/booking?date=${full.date}`)
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: full.title })
  const line = row.getByRole('button', { name: `Waiting list for ${full.title}` })
  await open()
  await expect(row).toContainText('FULL - Join waiting list')
  return { holder, member, full, booking, row, line, open }
}

const dialog = (page: Page) => page.getByRole('dialog', { name: /^Waiting list/ })
const join = (page: Page) => dialog(page).getByRole('button', { name: 'Join waiting list' })

test('explains, joins and leaves the waiting list, shows the place in the list on every screen, and books a freed place', async ({
  page,
  site,
}) => {
  const { holder, member, full, booking, row, line } = await fullDay(page, site, '2026-12-10 10:00')
  await row.getByRole('heading').click()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await line.click()
  for (const fact of [full.title, 'Thursday 10 December 2026', '10:00 - 10:45', 'Your class pass (3 credits left)'])
    await expect(dialog(page)).toContainText(fact)
  await dialog(page).getByText('How it works').click()
  await expect(dialog(page)).toContainText(
    'Until 22:00 on Wednesday 9 December 2026, 12 hours before the class, a place that becomes free goes to the first person on the waiting list',
  )
  await expect(dialog(page)).toContainText(
    'If that is you, we book it, take one credit from your class pass and send you an email.',
  )
  await expect(dialog(page)).toContainText('the first to book gets the place')
  await expect(dialog(page)).toContainText('Health information complete')

  const call = await holdRequests(page, '**/waitlist', 'POST')
  await join(page).dblclick()
  await expect(join(page)).toHaveAttribute('aria-busy', 'true')
  await call.release()
  await expectToast(page, 'On the Waiting List', `You are no. 1 on the waiting list for ${full.title}.`)
  expect(call.calls()).toBe(1)
  await expect(dialog(page)).toHaveCount(0)
  await expect(row).toContainText('FULL - No. 1 on the list')

  await line.click()
  await expect(dialog(page)).toContainText('No. 1')
  await dialog(page).getByRole('button', { name: 'Leave waiting list' }).click()
  await expectToast(page, 'Left the Waiting List', `You are no longer on the waiting list for ${full.title}.`)
  await expect(row).toContainText('FULL - Join waiting list')

  await callApi(member, 'POST', `/api/classes/${full.id}/waitlist`)
  const waiting = page.getByRole('region', { name: 'On the waiting list' }).getByRole('listitem')
  await page.goto('/dashboard?view=detailed')
  await expect(waiting).toContainText(full.title)
  await page.goto('/dashboard')
  await expect(waiting).toContainText('No. 1 on the list')
  await waiting.getByRole('button', { name: /^Leave/ }).click()
  await expectToast(page, 'Left the Waiting List')
  await expect(waiting).toHaveCount(0)

  await callApi(member, 'POST', `/api/classes/${full.id}/waitlist`)
  await callApi(holder, 'PUT', `/api/bookings/${booking}/cancel`)
  await site.endUndo()
  await site.mailTo(member.email, /^A place for you/)
  await page.reload()
  await expect(page.getByRole('region', { name: 'Upcoming classes' })).toContainText(full.title)
  await expect(waiting).toHaveCount(0)
})

test('in the last 12 hours, a freed place is offered to the member, who books it from the email', async ({
  page,
  site,
}) => {
  const { holder, member, full, booking, row, line, open } = await fullDay(page, site, '2026-12-07 19:30')
  await line.click()
  await dialog(page).getByText('How it works').click()
  await expect(dialog(page)).toContainText('Until 16:30 on Monday 7 December 2026, we offer it by email')
  await join(page).click()
  await expectToast(page, 'On the Waiting List')
  await callApi(holder, 'PUT', `/api/bookings/${booking}/cancel`)
  await site.endUndo()
  const mail = await site.mailTo(member.email, /^Yours until 08:20/)
  await waitForDialogToClose(page)
  await open()
  await expect(row).toContainText('Yours until 08:20')
  await expect(row.getByRole('button', { name: `Book now ${full.title}` })).toBeVisible()
  await page.goto(/\/booking\?date=\S+/.exec(mail.text)?.[0] ?? '')
  await expect(page.getByRole('dialog', { name: full.title })).toBeVisible()
})

test('a moved class shows its old time to a booked member, and asks a waiting member to confirm', async ({
  page,
  site,
}) => {
  const { holder, member, full, booking, row, line, open } = await fullDay(page, site, '2026-12-15 10:00')
  const booked = await site.class({ at: '2026-12-15 12:00' })
  await site.book(member, booked)
  await callApi(member, 'POST', `/api/classes/${full.id}/waitlist`)
  const admin = await site.admin()
  await callApi(admin, 'PUT', `/api/classes/${booked.id}`, { startTime: '12:30', endTime: '13:15' })
  await callApi(admin, 'PUT', `/api/classes/${full.id}`, { startTime: '10:30', endTime: '11:15' })
  await open()
  await line.click()
  await expect(dialog(page)).toContainText('The studio has moved this class')
  await callApi(holder, 'PUT', `/api/bookings/${booking}/cancel`)
  await site.endUndo()

  const mail = await site.mailTo(member.email, /^The class you are waiting for on .* has moved to .* at 10:30$/)
  await page.goto(/\/dashboard\?waiting=\d+/.exec(mail.text)?.[0] ?? '')
  const upcoming = page.getByRole('region', { name: 'Upcoming classes' }).getByRole('listitem')
  await expect(upcoming).toContainText(
    'Moved by the studio from Tuesday 15 December 2026, 12:00 - 12:45. Until it starts you can cancel and keep your credit.',
  )
  await expect(upcoming).toContainText('Cancel before 12:30')
  const waiting = page.getByRole('region', { name: 'On the waiting list' }).getByRole('listitem')
  await expect(waiting).toBeFocused()
  await waiting.getByRole('button', { name: /^I still want a place/ }).click()
  await expectToast(page, 'A Place for You', `A place was free: ${full.title} is booked with your class pass.`)
  await expect(upcoming).toHaveCount(2)
  await expect(waiting).toHaveCount(0)
  await open()
  await expect(row).toContainText('Already booked')
})

test("shows the server's refusal or a fallback message, and leads to /auth when the session has ended", async ({
  page,
  site,
}) => {
  const { holder, full, booking, row, line, open } = await fullDay(page, site, '2026-12-11 10:00')
  await line.click()
  await callApi(holder, 'PUT', `/api/bookings/${booking}/cancel`)
  await site.endUndo()
  await join(page).click()
  await expectToast(page, 'Could Not Join', 'This class has a free place. You can book it now.')
  await expect(row).toContainText('Available')

  await site.book(holder, full)
  await mockResponse(page, '**/waitlist', 500, '', 'POST')
  await open()
  await line.click()
  await join(page).click()
  await expectToast(page, 'You could not be put on the waiting list. Please try again.')

  await page.unrouteAll()
  await line.click()
  await expect(dialog(page)).toContainText('Health information complete')
  await page.context().clearCookies()
  await join(page).click()
  await expectToast(page, 'Unauthorized', 'You are logged out. Logging in again...')
  await page.waitForURL('**/auth**')
})

test('warns a member without a valid credit before joining and on the dashboard', async ({ page, site }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const holder = await site.member({ health: true, credits: 1 })
  const member = await site.member({ firstName: 'Perdita', health: true })
  const full = await site.class({ at: '2026-12-13 10:00', places: 1 })
  await site.book(holder, full)
  await signIn(page, member)
  await page.goto(`/booking?date=${full.date}`)
  await page.getByRole('button', { name: `Waiting list for ${full.title}` }).click()
  await expect(dialog(page)).toContainText('You have no credit that is valid for this class.')
  await join(page).click()
  await expectToast(page, 'On the Waiting List', /To get a place, you need a class pass/)
  await page.goto('/dashboard')
  const waiting = page.getByRole('region', { name: 'On the waiting list' }).getByRole('listitem')
  await expect(waiting).toContainText('If a place becomes free, it goes to the next person.')
  await waiting.getByRole('link', { name: 'Buy a class pass' }).click()
  await expect(page).toHaveURL(/\/pricing$/)
})

test('keeps the place in the list when leaving fails', async ({ page, site }) => {
  const { member, full } = await fullDay(page, site, '2026-12-12 10:00')
  await callApi(member, 'POST', `/api/classes/${full.id}/waitlist`)
  await mockResponse(page, '**/waitlist', 500, '', 'DELETE')
  await page.goto('/dashboard')
  await page.getByRole('button', { name: `Leave the waiting list for ${full.title} on 12/12/2026` }).click()
  await expectToast(page, 'Could Not Leave', 'You are still on the waiting list. Please try again.')
  await expect(page.getByText('No. 1 on the list')).toBeVisible()
})
