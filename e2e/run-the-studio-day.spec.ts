import type { Locator, Page } from '@playwright/test'
import { openAsOwner } from './admin.ts'
import { expectFailure, expectToast } from './member.ts'
import { createBookedMember, createStartedClass, day, sessionRow } from './overview.ts'
import { expect, type Site, signIn, test } from './site.ts'
import { changeResponse, holdRequests, mockResponse } from './traffic.ts'

const PHONE = { width: 390, height: 844 }
const ATTENDANCE = { completed: 'Came', no_show: 'No show' }

const figure = (page: Page, name: string) => page.locator('dl > div').filter({ hasText: name }).locator('dd')
test.describe('what needs attention', () => {
  const undelivered = async (site: Site, email: string) => {
    const mail = { mail: 'welcome', data: { to: { email, firstName: 'Rosamund' } } }
    await site.pool.query(
      `insert into undelivered_mails (id, address, mail, reason, failed_at) values (gen_random_uuid(), $1, $2, '550 no such user', $3)`,
      [email, mail, '2026-12-06T18:20:00Z'],
    )
  }

  const showOnlyUndelivered = (page: Page) =>
    changeResponse<{ kind: string }[]>(page, '**/api/admin/attention{,/*}', (items) =>
      Array.isArray(items) ? items.filter(({ kind }) => kind === 'mail_undelivered') : items,
    )

  test('is above the day, can be settled with the keyboard, and disappears when empty', async ({ page, site }) => {
    const [mia, other] = [await site.member(), await site.member()]
    await showOnlyUndelivered(page)
    for (const { email } of [mia, other]) await undelivered(site, email)
    await openAsOwner(page, site)
    const card = page.getByRole('region', { name: 'Needs attention' })
    await expect(card.getByRole('listitem')).toHaveCount(2)
    await expect(card).toContainText('The mail server’s reason: “550 no such user”')
    await card.getByRole('button', { name: `Send again: 1 email to ${mia.email}` }).focus()
    await page.keyboard.press('Enter')
    await expectToast(page, 'Success', 'Sent again')
    await expect(card.getByRole('listitem')).toHaveCount(1)
    await expect(card.getByRole('heading', { name: 'Needs attention' })).toBeFocused()
    await card.getByRole('button', { name: `Mark as done: 1 email to ${other.email}` }).click()
    await expect(card).toHaveCount(0)
    await site.mailTo(mia.email, /Welcome/)
  })

  test('shows two expandable lines on a phone, and all on request', async ({ page, site }) => {
    await page.setViewportSize(PHONE)
    const members = [await site.member(), await site.member(), await site.member()]
    await showOnlyUndelivered(page)
    for (const { email } of members) await undelivered(site, email)
    await openAsOwner(page, site)
    const card = page.getByRole('region', { name: 'Needs attention' })
    await expect(card.getByRole('listitem')).toHaveCount(2)
    await expect(page.getByRole('navigation', { name: 'Admin' })).toBeInViewport({ ratio: 1 })
    expect((await card.boundingBox())?.y).toBeLessThanOrEqual(212)
    await card.getByRole('button', { name: 'Show all 3' }).click()
    await expect(card.getByRole('listitem')).toHaveCount(3)
    await expect(card.getByRole('heading', { name: 'Needs attention' })).toBeFocused()
    const about = `1 email to ${members[2]?.email}`
    await expect(card.getByRole('button', { name: `Mark as done: ${about}` })).toBeHidden()
    await card.getByRole('button', { name: `What to do: ${about}` }).click()
    await card.getByRole('button', { name: `Mark as done: ${about}` }).click()
    await expect(card.getByRole('listitem')).toHaveCount(2)
    await site.pool.query('delete from undelivered_mails')
  })

  test('confirms a held retention run in a dialog', async ({ page, site }) => {
    await page.setViewportSize(PHONE)
    await site.pool.query(
      `insert into retention_hold (reason, held_at, tried_at, database_at, last_run_at, due, members)
       values ('last_run_long_ago', $1, $1, $1, '2026-11-20T03:45:00Z', 0, 20)`,
      ['2026-12-07T03:45:00Z'],
    )
    await changeResponse<{ kind: string }[]>(page, '**/api/admin/attention{,/*}', (items) =>
      Array.isArray(items) ? items.filter(({ kind }) => kind === 'retention_held') : items,
    )
    await openAsOwner(page, site)
    const card = page.getByRole('region', { name: 'Needs attention' })
    await card.getByRole('button', { name: 'What to do: Nothing was erased: please check the date' }).click()
    const erase = card.getByRole('button', { name: 'Erase now' })
    await erase.click()
    const dialog = page.getByRole('dialog', { name: 'Is the date right?' })
    await expect(dialog).toContainText('Data retention ran on 07/12/2026 03:45')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toHaveCount(0)
    await mockResponse(page, '**/api/admin/attention/confirm', 500, '', 'POST')
    await erase.click()
    await dialog.getByRole('button', { name: 'Erase now' }).click()
    await expectFailure(page, 'Error', 'Failed to confirm')
    await expect(dialog).toBeVisible()
    await page.unroute('**/api/admin/attention/confirm')
    await dialog.getByRole('button', { name: 'Erase now' }).click()
    await expectToast(page, 'Success', 'Confirmed. We are erasing it now')
    await expect(card).toHaveCount(0)
  })

  test('shows that another admin has dealt with an item, and can retry after a loading error', async ({
    page,
    site,
  }) => {
    const mia = await site.member()
    await showOnlyUndelivered(page)
    await undelivered(site, mia.email)
    await openAsOwner(page, site)
    const card = page.getByRole('region', { name: 'Needs attention' })
    const done = card.getByRole('button', { name: `Mark as done: 1 email to ${mia.email}` })
    await expect(done).toBeVisible()
    await site.pool.query('delete from undelivered_mails')
    await done.click()
    await expectToast(page, 'Error', 'This has already been dealt with.')
    await expect(card).toHaveCount(0)

    await mockResponse(page, '**/api/admin/attention', 500, { message: 'no' })
    await page.reload()
    await expect(page.getByText('The list of what needs attention could not be loaded.')).toBeVisible()
    await mockResponse(page, '**/api/admin/attention', 200, [])
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('The list of what needs attention could not be loaded.')).toHaveCount(0)
  })
})

test.describe('the overview', () => {
  test('shows four figures, the last five bookings and quick actions', async ({ page, site }) => {
    const figures = { totalUsers: 63, monthBookings: 41, monthConfirmed: 17, monthRevenue: '4570.50' }
    await mockResponse(page, '**/api/admin/overview', 200, figures)
    const { member, studioClass } = await createBookedMember(site, '2026-12-09 15:30')
    await openAsOwner(page, site)
    await expect(figure(page, 'Total Users')).toHaveText('63')
    await expect(figure(page, "This Month's Bookings")).toHaveText('41')
    await expect(figure(page, 'Confirmed This Month')).toHaveText('17')
    await expect(figure(page, "This Month's Revenue")).toHaveText('£4,570.50')
    const recent = page.getByRole('region', { name: 'Recent Bookings' }).getByRole('listitem')
    await expect(recent).toHaveCount(5)
    await expect(recent.first()).toContainText('Rosamund Pickersgill')
    await expect(recent.first()).toContainText('09/12/2026, 15:30')
    await expect(recent.first()).toContainText('Confirmed')
    const actions = page.getByRole('region', { name: 'Quick Actions' })
    await actions.getByRole('link', { name: 'Create New Class' }).click()
    await expect(page.getByRole('dialog', { name: 'Create Class' })).toBeVisible()
    await page.goto('/admin')
    await actions.getByRole('link', { name: 'Create New Package' }).click()
    await expect(page.getByRole('dialog', { name: 'Create Package' })).toBeVisible()
    await page.goto('/admin')
    await actions.getByRole('link', { name: 'View All Bookings' }).click()
    await expect(page.getByRole('table', { name: 'Bookings' })).toContainText(studioClass.title)
    expect(member.id).toBeTruthy()
  })

  test('shows loading, error and empty states', async ({ page, site }) => {
    const sessions = await holdRequests(page, '**/api/admin/sessions?*')
    await mockResponse(page, '**/api/admin/bookings?*', 200, [])
    await mockResponse(page, '**/api/admin/overview', 500, {})
    await openAsOwner(page, site)
    await expect(page.getByText('Loading sessions...')).toBeVisible()
    // Otherwise the sessions would push it down.
    await expect(page.getByRole('heading', { name: 'Recent Bookings' })).toBeHidden()
    await sessions.release()
    await expect(day(page, 'Today')).toBeVisible()
    await expect(page.getByText('No bookings yet')).toBeVisible()
    await expect(page.getByText('The figures could not be loaded.')).toBeVisible()
    await mockResponse(page, '**/api/admin/sessions?*', 200, [])
    await mockResponse(page, '**/api/admin/bookings?*', 500, {})
    await page.reload()
    await expect(page.getByText('The bookings could not be loaded.')).toBeVisible()
    await expect(day(page, 'Today')).toContainText('No sessions.')
    await mockResponse(page, '**/api/admin/sessions?*', 500, {})
    await page.reload()
    await expect(page.getByText('The sessions could not be loaded.')).toBeVisible()
  })
})

test.describe('the owner’s day on a phone', () => {
  test.use({ viewport: PHONE })

  test('shows the day, marks attendance and cancels a class in at most four taps each', async ({ page, site }) => {
    const now = await createStartedClass(site)
    const tomorrow = await createBookedMember(site, '2026-12-08 09:30', 'Winifred')
    const taps = { count: 0 }
    const tap = async (target: Locator) => {
      taps.count += 1
      await target.click()
    }
    const fromHome = async () => {
      taps.count = 0
      await page.goto('/')
      await tap(page.getByRole('button', { name: 'Open menu' }))
      await tap(page.getByRole('link', { name: 'Admin' }))
    }
    await signIn(page, await site.admin())

    await fromHome()
    const person = sessionRow(page, 'Today', now.studioClass.title)
    for (const text of ['08:00', 'Rosamund Pickersgill', 'Back problems', 'Injuries', 'Postnatal']) {
      await expect(person).toContainText(text)
    }
    await expect(page.getByText('Left knee')).toHaveCount(0)
    expect(taps.count).toBeLessThanOrEqual(4)

    await fromHome()
    await tap(person.getByRole('button', { name: ATTENDANCE.completed }))
    await expectToast(page, 'Success', 'Rosamund Pickersgill marked as attended')
    await expect(person.getByText('Completed')).toBeVisible()
    expect(taps.count).toBeLessThanOrEqual(4)

    await fromHome()
    await tap(page.getByRole('button', { name: `Cancel class at 09:30, ${tomorrow.studioClass.title}` }))
    const dialog = page.getByRole('dialog', { name: 'Cancel this class?' })
    await expect(dialog).toContainText('1 booking will be cancelled and 1 credit returned. We’ll email 1 person.')
    await tap(dialog.getByRole('button', { name: 'Cancel class' }))
    await expectToast(page, 'Success', 'Class updated successfully')
    await expect(sessionRow(page, 'Tomorrow', tomorrow.studioClass.title)).toContainText('Inactive')
    expect(taps.count).toBeLessThanOrEqual(4)
    await site.mailTo(tomorrow.member.email, /We are sorry.* is cancelled/)
  })
})
