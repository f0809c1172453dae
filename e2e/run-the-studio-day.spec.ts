import type { Locator, Page } from '@playwright/test'
import { expectToast } from './member.ts'
import { expect, type Site, signIn, succeed, test } from './site.ts'
import { answer, change, hold } from './traffic.ts'

/** A phone, and a clock: the day begins on Monday 7 December 2026 at 08:00. */
const PHONE = { width: 390, height: 844 }
const BUSY = { completed: 'Came', no_show: 'No show' }

const figure = (page: Page, name: string) => page.locator('dl > div').filter({ hasText: name }).locator('dd')
const day = (page: Page, name: 'Today' | 'Tomorrow') => page.getByRole('region', { name, exact: true })
const session = (page: Page, name: 'Today' | 'Tomorrow', title: string) =>
  day(page, name).getByRole('listitem').filter({ hasText: title }).first()

async function asOwner(page: Page, site: Site, path = '/admin') {
  await signIn(page, await site.admin())
  await page.goto(path)
}

/** Somebody with a back and a knee to look after, booked into a class of this time. */
async function somebodyComes(site: Site, at: string, firstName = 'Rosamund') {
  const member = await site.member({ firstName, lastName: 'Pickersgill', health: true, credits: 3 })
  const answers = { hasBackProblems: true, previousInjuries: 'Left knee, in spring', pregnancyStatus: 'postnatal' }
  await succeed(member, 'POST', '/api/health/questionnaire', answers)
  const held = await site.class({ at })
  await site.books(member, held)
  return { member, held }
}

/** The same, and the class begins this very minute: too late to book it, so the booking is moved there. */
async function hasBegun(site: Site) {
  const { member, held: later } = await somebodyComes(site, '2026-12-11 15:30')
  const held = await site.class({ at: '2026-12-07 08:00' })
  await site.pool.query('update bookings set class_id = $1 where class_id = $2', [held.id, later.id])
  return { member, held }
}

test.describe('what needs attention', () => {
  const undelivered = async (site: Site, email: string) => {
    const mail = { mail: 'welcome', data: { to: { email, firstName: 'Rosamund' } } }
    await site.pool.query(
      `insert into undelivered_mails (id, address, mail, reason, failed_at) values (gen_random_uuid(), $1, $2, '550 no such user', $3)`,
      [email, mail, '2026-12-06T18:20:00Z'],
    )
  }

  /** Leaves out what the demo's purchases and other stories need. */
  const nothingElse = (page: Page) =>
    change<{ kind: string }[]>(page, '**/api/admin/attention{,/*}', (items) =>
      Array.isArray(items) ? items.filter(({ kind }) => kind === 'mail_undelivered') : items,
    )

  test('stands above the day, can be settled with the keyboard alone, and is gone when nothing is left', async ({
    page,
    site,
  }) => {
    const [mia, other] = [await site.member(), await site.member()]
    await nothingElse(page)
    for (const { email } of [mia, other]) await undelivered(site, email)
    await asOwner(page, site)
    const card = page.getByRole('region', { name: 'Needs attention' })
    await expect(card.getByRole('listitem')).toHaveCount(2)
    await expect(card).toContainText('The mail server says: “550 no such user”')
    await card.getByRole('button', { name: `Send again: 1 email to ${mia.email}` }).focus()
    await page.keyboard.press('Enter')
    await expectToast(page, 'Success', 'Sent again')
    await expect(card.getByRole('listitem')).toHaveCount(1)
    await expect(card.getByRole('heading', { name: 'Needs attention' })).toBeFocused()
    await card.getByRole('button', { name: `Mark as done: 1 email to ${other.email}` }).click()
    await expect(card).toHaveCount(0)
    await site.mailTo(mia.email, /Welcome/)
  })

  test('that somebody else settled meanwhile says so and goes; what cannot be loaded can be tried again', async ({
    page,
    site,
  }) => {
    const mia = await site.member()
    await nothingElse(page)
    await undelivered(site, mia.email)
    await asOwner(page, site)
    const card = page.getByRole('region', { name: 'Needs attention' })
    const done = card.getByRole('button', { name: `Mark as done: 1 email to ${mia.email}` })
    await expect(done).toBeVisible()
    await site.pool.query('delete from undelivered_mails')
    await done.click()
    await expectToast(page, 'Error', 'This has been settled meanwhile.')
    await expect(card).toHaveCount(0)

    await answer(page, '**/api/admin/attention', 500, { message: 'no' })
    await page.reload()
    await expect(page.getByText('What needs attention could not be loaded.')).toBeVisible()
    await answer(page, '**/api/admin/attention', 200, [])
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('What needs attention could not be loaded.')).toHaveCount(0)
  })
})

test.describe('the overview', () => {
  test('has its four cards, the last five bookings and quick actions that open the right dialog', async ({
    page,
    site,
  }) => {
    const figures = { totalUsers: 63, monthBookings: 41, monthConfirmed: 17, monthRevenue: '4570.50' }
    await answer(page, '**/api/admin/overview', 200, figures)
    const { member, held } = await somebodyComes(site, '2026-12-09 15:30')
    await asOwner(page, site)
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
    await expect(page.getByRole('table', { name: 'Bookings' })).toContainText(held.title)
    expect(member.id).toBeTruthy()
  })

  test('says what it waits for, what failed and that there is nothing', async ({ page, site }) => {
    const sessions = await hold(page, '**/api/admin/sessions?*')
    await answer(page, '**/api/admin/bookings?*', 200, [])
    await answer(page, '**/api/admin/overview', 500, {})
    await asOwner(page, site)
    await expect(page.getByText('Loading sessions...')).toBeVisible()
    // What is below would be pushed down by the sessions: it is shown together with them.
    await expect(page.getByRole('heading', { name: 'Recent Bookings' })).toBeHidden()
    await sessions.go()
    await expect(day(page, 'Today')).toBeVisible()
    await expect(page.getByText('No bookings yet')).toBeVisible()
    await expect(page.getByText('The figures could not be loaded.')).toBeVisible()
    await answer(page, '**/api/admin/sessions?*', 200, [])
    await answer(page, '**/api/admin/bookings?*', 500, {})
    await page.reload()
    await expect(page.getByText('The bookings could not be loaded.')).toBeVisible()
    await expect(day(page, 'Today')).toContainText('No sessions.')
    await answer(page, '**/api/admin/sessions?*', 500, {})
    await page.reload()
    await expect(page.getByText('The sessions could not be loaded.')).toBeVisible()
  })
})

test.describe('the owner’s day on a phone', () => {
  test.use({ viewport: PHONE })

  test('who comes, attendance and cancelling tomorrow’s 09:30 take at most four taps each', async ({ page, site }) => {
    const now = await hasBegun(site)
    const tomorrow = await somebodyComes(site, '2026-12-08 09:30', 'Winifred')
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
    const person = session(page, 'Today', now.held.title)
    for (const text of ['08:00', 'Rosamund Pickersgill', 'Back problems', 'Injuries', 'Postnatal']) {
      await expect(person).toContainText(text)
    }
    await expect(page.getByText('Left knee')).toHaveCount(0)
    expect(taps.count).toBeLessThanOrEqual(4)

    await fromHome()
    await tap(person.getByRole('button', { name: BUSY.completed }))
    await expectToast(page, 'Success', 'Rosamund Pickersgill marked as attended')
    await expect(person.getByText('Completed')).toBeVisible()
    expect(taps.count).toBeLessThanOrEqual(4)

    await fromHome()
    await tap(page.getByRole('button', { name: `Cancel class at 09:30, ${tomorrow.held.title}` }))
    const dialog = page.getByRole('dialog', { name: 'Cancel this class?' })
    await expect(dialog).toContainText('1 booking cancelled, 1 credit returned, 1 member mailed.')
    await tap(dialog.getByRole('button', { name: 'Cancel class' }))
    await expectToast(page, 'Success', 'Class updated successfully')
    await expect(session(page, 'Tomorrow', tomorrow.held.title)).toContainText('Inactive')
    expect(taps.count).toBeLessThanOrEqual(4)
    await site.mailTo(tomorrow.member.email, /We are sorry.* is cancelled/)
  })
})

test.describe('attendance', () => {
  test('is corrected, said once however often it is clicked, and a failure says so', async ({ page, site }) => {
    const { held } = await hasBegun(site)
    await asOwner(page, site)
    const person = session(page, 'Today', held.title)
    const [came, missed] = [
      person.getByRole('button', { name: 'Came' }),
      person.getByRole('button', { name: 'No show' }),
    ]
    const call = await hold(page, '**/api/admin/bookings/*/attendance')
    await missed.dblclick()
    await missed.click()
    await expect.poll(call.calls).toBe(1)
    await call.go()
    await expectToast(page, 'Rosamund Pickersgill marked as a no-show')
    expect(call.calls()).toBe(1)
    await expect(missed).toHaveAttribute('aria-pressed', 'true')
    // With the keyboard alone, one step back from the other answer.
    await page.keyboard.press('Shift+Tab')
    await expect(came).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(came).toHaveAttribute('aria-pressed', 'true')
    await expectToast(page, 'Rosamund Pickersgill marked as attended')
    await answer(page, '**/api/admin/bookings/*/attendance', 500, {})
    await missed.click()
    await expectToast(page, 'Error', 'Failed to mark attendance')
    await expect(came).toHaveAttribute('aria-pressed', 'true')
  })

  test('401 in the middle says so and leads to /auth', async ({ page, site }) => {
    const { held } = await hasBegun(site)
    await asOwner(page, site)
    await answer(page, '**/api/admin/bookings/*/attendance', 401, { message: 'Unauthorized' })
    await session(page, 'Today', held.title).getByRole('button', { name: 'Came' }).click()
    await expectToast(page, 'Unauthorized', 'You are logged out. Logging in again...')
    await page.waitForURL('**/auth')
  })
})

test('a booking is cancelled for a member, its credit as the owner decides; the class in between says no', async ({
  page,
  site,
}) => {
  const { member, held } = await somebodyComes(site, '2026-12-07 09:50')
  await asOwner(page, site)
  const dialog = page.getByRole('dialog', { name: 'Cancel this booking?' })
  await session(page, 'Today', held.title)
    .getByRole('button', { name: 'Cancel booking of Rosamund Pickersgill' })
    .click()
  await expect(dialog).toContainText('Less than 120 minutes before the start the credit is forfeited by the rules.')
  await expect(dialog.getByRole('checkbox', { name: 'Return the credit' })).not.toBeChecked()
  await answer(page, '**/api/admin/bookings/*/cancel', 500, {})
  await dialog.getByRole('button', { name: 'Cancel booking' }).click()
  await expectToast(page, 'Error', 'Failed to cancel booking')
  await page.unroute('**/api/admin/bookings/*/cancel')
  await dialog.getByRole('checkbox', { name: 'Return the credit' }).check()
  await dialog.getByRole('button', { name: 'Cancel booking' }).click()
  await expectToast(page, 'Success', 'Booking cancelled successfully')
  await expect(session(page, 'Today', held.title)).toContainText('0 of 2 booked')
  const passes = await succeed(member, 'GET', '/api/user/passes')
  expect(passes[0].creditsRemaining).toBe(3)
})

test('a forfeited credit is given back with a reason, and the member reads the whole story', async ({ page, site }) => {
  const { member, held } = await somebodyComes(site, '2026-12-07 09:50')
  const [booking] = await succeed(member, 'GET', '/api/user/bookings')
  await succeed(member, 'PUT', `/api/bookings/${booking.id}/cancel`)
  await asOwner(page, site)
  await page.goto(`/admin?tab=Users&user=${booking.userId}`)
  await page.getByRole('button', { name: `Give back the credit of ${held.title} on 07/12/2026` }).click()
  const dialog = page.getByRole('dialog', { name: 'Give the credit back?' })
  await dialog.getByRole('button', { name: 'Give credit back' }).click()
  await expect(dialog.getByText('Please say why')).toBeVisible()
  await dialog.getByLabel('Why').fill('The bus broke down')
  await dialog.getByRole('button', { name: 'Give credit back' }).click()
  await expectToast(page, 'Success', 'Credit given back')
  const ledger = page.getByRole('table', { name: 'Credit ledger' }).getByRole('row')
  await expect(ledger.filter({ hasText: 'Credit given back' })).toContainText('Eleanor Marsh')
  await expect(ledger.filter({ hasText: 'Cancelled, credit not returned' })).toContainText('The member')

  await signIn(page, member)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Credit history' }).click()
  const story = page.getByRole('dialog', { name: 'Credit history' }).getByRole('listitem')
  await expect(story.first()).toContainText('Credit given back')
  for (const text of [held.title, '07/12/2026 at 09:50', 'The bus broke down', 'by the studio']) {
    await expect(story.first()).toContainText(text)
  }
  await expect(story.nth(1)).toContainText('Cancelled in the last 120 minutes before the start')
})

test('health information is opened deliberately, and who opened it stands in the access log', async ({
  page,
  site,
}) => {
  const { held } = await somebodyComes(site, '2026-12-08 16:30', 'Philippa')
  await asOwner(page, site)
  await session(page, 'Tomorrow', held.title)
    .getByRole('button', { name: 'Health information of Philippa Pickersgill' })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Health information of Philippa Pickersgill' })
  for (const text of ['Left knee, in spring', 'Postnatal (within 12 months)', 'Sam Stranger', '01632 960199']) {
    await expect(dialog).toContainText(text)
  }
  await page.goto('/admin?tab=Health+Updates&search=Philippa')
  await page.getByText('Access log: Philippa').click()
  const log = page.getByRole('table', { name: 'Access log' })
  const opened = log.getByRole('row').filter({ hasText: 'All answers' }).first()
  await expect(opened).toContainText('Eleanor Marsh')
  await expect(opened).toContainText('Philippa Pickersgill')
  await expect(opened).toContainText('07/12/2026 08:00')
})
