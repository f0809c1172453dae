import type { Page } from '@playwright/test'
import { layoutProblems } from './accessibility.ts'
import { figure, gotoHydrated, openMore, rowsOf, section, signInWithTwoBookings } from './member.ts'
import { expect, signIn, test } from './site.ts'
import { changeResponse, holdRequests } from './traffic.ts'

const card = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true }) })

test.describe('the summary layout', () => {
  test('shows zero figures and links for a member without bookings or passes', async ({ page, site }) => {
    await signIn(page, await site.member({ firstName: 'Nell' }))
    await page.goto('/dashboard')
    await expect(page.getByRole('heading', { name: 'Hello, Nell' })).toBeVisible()
    await expect(figure(page, 'Credits remaining')).toHaveText('0')
    await expect(figure(page, 'Next class')).toHaveText('None booked')
    await expect(figure(page, 'Active passes')).toHaveText('0')
    await expect(figure(page, 'This month')).toHaveText('0')
    await expect(section(page, 'Upcoming classes')).toContainText('No upcoming classes booked')
    await expect(section(page, 'Active passes')).toContainText('No active passes')
    await expect(page.getByRole('link', { name: 'Buy a Pass' })).toHaveAttribute('href', '/pricing')
    await page.getByRole('link', { name: 'Book Your First Class' }).click()
    await page.waitForURL('**/booking')
  })

  test('shows credits, next class, passes and the number of upcoming classes', async ({ page, site }) => {
    const { member, first, second } = await signInWithTwoBookings(page, site)
    const far = await site.class({ at: '2027-01-10 11:00' })
    await site.book(member, far)
    await site.grantCredits(member, 2)
    await page.goto('/dashboard')
    await expect(figure(page, 'Credits remaining')).toHaveText('7')
    await expect(figure(page, 'Next class')).toHaveText('10:0010/12/2026')
    await expect(figure(page, 'Active passes')).toHaveText('2')
    await expect(figure(page, 'This month')).toHaveText('3')
    const rows = rowsOf(page, 'Upcoming classes')
    for (const [i, booked] of [first, second, far].entries()) await expect(rows.nth(i)).toContainText(booked.title)
    await expect(rows.first()).toContainText('Thursday 10 December 2026')
    await expect(rows.first().getByRole('button', { name: /^Reschedule/ })).toBeEnabled()
    await expect(rows.first().getByRole('button', { name: /^Cancel/ })).toBeEnabled()
    await expect(rows.first()).toContainText('Cancel before 08:00')
    await openMore(rows.first())
    for (const calendar of ['Google', 'Apple', 'Outlook'])
      await expect(rows.first().getByRole('link', { name: `Add to ${calendar} calendar` })).toBeVisible()
    const downloading = page.waitForEvent('download')
    await rows.first().getByRole('link', { name: 'Add to Apple calendar' }).click()
    expect((await downloading).suggestedFilename()).toBe('class.ics')
    await expect(rowsOf(page, 'Active passes').filter({ hasText: '5 credits left' })).toContainText('8 Class Pass')
    await expect(rowsOf(page, 'Active passes').first()).toContainText('Expires 07/12/2027')
    await expect(page.getByText('One credit books one place')).toBeVisible()
  })

  test('greets a member without a first name with "there"', async ({ page, site }) => {
    await signIn(page, await site.member())
    await changeResponse<object>(page, '**/api/auth/user', (user) => ({ ...user, firstName: '' }))
    await page.goto('/dashboard')
    await expect(page.getByRole('heading', { name: 'Hello, there' })).toBeVisible()
  })

  test('offers Book New Class, Buy Class Pass and View History', async ({ page, site }) => {
    await signIn(page, await site.member())
    await page.goto('/dashboard')
    const actions = section(page, 'Quick actions')
    await expect(actions.getByRole('link', { name: 'Book New Class' })).toHaveAttribute('href', '/booking')
    await expect(actions.getByRole('link', { name: 'Buy Class Pass' })).toHaveAttribute('href', '/pricing')
    await actions.getByRole('button', { name: 'View History' }).click()
    await expect(page.getByRole('dialog', { name: 'Booking History' })).toContainText('No bookings yet')
  })

  test('does not count an expired pass', async ({ page, site }) => {
    const member = await site.member()
    await site.grantCredits(member, 3, 3)
    await signIn(page, member)
    await page.clock.setFixedTime(new Date('2027-03-08T00:00:00Z'))
    await page.goto('/dashboard')
    await expect(figure(page, 'Credits remaining')).toHaveText('0')
    await expect(section(page, 'Active passes')).toContainText('No active passes')
    await page.clock.setFixedTime(new Date('2027-03-07T23:59:58Z'))
    await page.reload()
    await expect(figure(page, 'Credits remaining')).toHaveText('3')
  })
})

test('explains next to every Cancel button whether the credit is returned', async ({ page, site }) => {
  const { member } = await signInWithTwoBookings(page, site)
  await site.book(member, await site.class({ at: '2026-12-07 09:35' }))
  for (const [layout, list] of [
    ['summary', 'Upcoming classes'],
    ['detailed', 'Upcoming Bookings'],
  ] as const) {
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 })
      await page.goto(`/dashboard?view=${layout}`)
      const rows = rowsOf(page, list)
      await expect(rows).toHaveCount(3)
      const within = rows.nth(0)
      const explanations = {
        Reschedule: within.getByText('Reschedule: cannot be moved (within 120 min)'),
        Cancel: within.getByText('Cancel: the credit would not be returned'),
      }
      for (const [name, explanation] of Object.entries(explanations)) {
        await expect(explanation).toBeVisible()
        const button = within.getByRole('button', { name: new RegExp(`^${name}`) })
        await expect(button).toHaveAccessibleDescription(await explanation.innerText())
      }
      const [above, below] = [await explanations.Reschedule.boundingBox(), await explanations.Cancel.boundingBox()]
      expect(below?.y, 'each on a line of its own').toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0))
      const later = rows.nth(1).getByText('Cancel before 08:00 that day to get your credit back')
      expect((await later.boundingBox())?.height, 'not for screen readers alone').toBeGreaterThan(10)
      expect(await layoutProblems(page)).toEqual([])
    }
  }
})

test.describe('the detailed layout', () => {
  test('shows empty cards and no history for a member without bookings or passes', async ({ page, site }) => {
    await signIn(page, await site.member({ firstName: 'Nell' }))
    await page.goto('/dashboard')
    await page.getByRole('link', { name: 'Detailed' }).click()
    await expect(page.getByRole('heading', { name: 'My Dashboard' })).toBeVisible()
    await expect(page.getByText('Welcome back, Nell')).toBeVisible()
    await expect(card(page, 'Active Passes')).toContainText('No active passes')
    await expect(card(page, 'Active Passes').getByRole('link', { name: 'Buy a Pass' })).toHaveAttribute(
      'href',
      '/pricing',
    )
    await expect(card(page, 'Next Class')).toContainText('No upcoming classes')
    await expect(card(page, 'Next Class').getByRole('link', { name: 'Book a Class' })).toHaveAttribute(
      'href',
      '/booking',
    )
    await expect(section(page, 'Upcoming Bookings')).toContainText('No upcoming bookings')
    await expect(section(page, 'Upcoming Bookings').getByRole('link', { name: 'Book Your First Class' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Booking History' })).toHaveCount(0)
    await expect(page.getByRole('main').getByRole('link', { name: 'Logout' })).toHaveAttribute('href', '/api/logout')
  })

  test('shows the next class, badges and Cancel buttons', async ({ page, site }) => {
    const { first, second } = await signInWithTwoBookings(page, site)
    await page.goto('/dashboard?view=detailed')
    const next = card(page, 'Next Class')
    for (const text of [first.title, 'Thursday 10 December 2026', '10:00 - 10:45', 'Individual session']) {
      await expect(next).toContainText(text)
    }
    await expect(next.getByRole('button', { name: /^Cancel/ })).toBeEnabled()
    await expect(card(page, 'Active Passes')).toContainText('6 credits left')
    await expect(card(page, 'Active Passes')).toContainText('Expires 07/12/2027')
    const rows = rowsOf(page, 'Upcoming Bookings')
    await expect(rows).toHaveCount(2)
    await expect(rows.nth(1)).toContainText(second.title)
    for (const row of await rows.all()) {
      await expect(row.getByText('Confirmed')).toBeVisible()
      await expect(row.getByRole('button', { name: /^Cancel/ })).toBeEnabled()
    }
    const actions = card(page, 'Quick Actions')
    await expect(actions.getByRole('link', { name: 'Book a Class' })).toHaveAttribute('href', '/booking')
    await expect(actions.getByRole('link', { name: 'Buy Class Pass' })).toHaveAttribute('href', '/pricing')
    await expect(actions.getByRole('button', { name: 'View History' })).toBeVisible()
  })

  test('greets a member without a first name as Member', async ({ page, site }) => {
    await signIn(page, await site.member())
    await changeResponse<object>(page, '**/api/auth/user', (user) => ({ ...user, firstName: '' }))
    await gotoHydrated(page, '/')
    await page.getByRole('banner').getByRole('link', { name: 'Dashboard' }).click()
    await page.getByRole('link', { name: 'Detailed' }).click()
    await expect(page.getByText('Welcome back, Member')).toBeVisible()
  })

  test('shows the first five bookings with their status, and all of them after View History', async ({
    page,
    site,
  }) => {
    const member = await site.member({ health: true, credits: 8 })
    for (const [i, day] of ['14', '15', '16', '17', '18', '19', '20'].entries()) {
      const id = await site.book(member, await site.class({ at: `2026-12-${day} 15:00` }))
      if (i === 6) await member.request('PUT', `/api/bookings/${id}/cancel`)
    }
    type Booked = { status: string; participantCount: number }
    const statuses = ['cancelled', 'completed', 'no_show']
    await changeResponse<Booked[]>(page, '**/api/user/bookings', (all) =>
      all.map((booked, i) => ({
        ...booked,
        status: statuses[i] ?? booked.status,
        participantCount: i === 1 ? 2 : booked.participantCount,
      })),
    )
    await signIn(page, member)
    await gotoHydrated(page, '/dashboard')
    await page.getByRole('link', { name: 'Detailed' }).click()
    const rows = rowsOf(page, 'Booking History')
    await expect(rows).toHaveCount(5)
    await expect(rows.nth(0)).toContainText('Cancelled')
    await expect(rows.nth(1)).toContainText('Completed')
    await expect(rows.nth(1)).toContainText('Duo')
    await expect(rows.nth(2)).toContainText('No show')
    await expect(rows.nth(3)).toContainText('Confirmed')
    await expect(rows.nth(3)).toContainText('17/12/2026, 15:00 - 15:45 · Individual session')
    await page.getByRole('button', { name: 'View History' }).click()
    const dialog = page.getByRole('dialog', { name: 'Booking History' })
    await expect(dialog.getByRole('listitem')).toHaveCount(7)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('button', { name: 'View History' })).toBeFocused()
  })

  test('has the whole footer at a desk, and its last line on a phone', async ({ page, site }) => {
    await signIn(page, await site.member())
    const footer = page.getByRole('contentinfo')
    for (const path of ['/dashboard', '/booking']) {
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.goto(path)
      for (const name of ['Blog', 'Pricing', 'Duo sessions', 'Book Now'])
        await expect(footer.getByRole('link', { name })).toBeVisible()
      await page.setViewportSize({ width: 390, height: 844 })
      await expect(footer.getByRole('link', { name: 'Blog' })).toBeHidden()
      await expect(footer.getByRole('link', { name: 'Privacy policy' })).toBeVisible()
    }
  })

  test('keeps the layout after a reload', async ({ page, site }) => {
    await signIn(page, await site.member())
    await page.goto('/dashboard')
    await page.getByRole('link', { name: 'Detailed' }).click()
    await expect(page).toHaveURL('/dashboard?view=detailed')
    await page.reload()
    await expect(page.getByRole('heading', { name: 'My Dashboard' })).toBeVisible()
    await page.getByRole('link', { name: 'Summary' }).click()
    await expect(page.getByRole('heading', { name: /^Hello/ })).toBeVisible()
  })
})

test('creates a calendar link, shows it once, and replaces it', async ({ page, site }) => {
  const { first } = await signInWithTwoBookings(page, site)
  await page.goto('/dashboard')
  const dialog = page.getByRole('dialog', { name: 'Subscribe in your calendar' })
  const address = dialog.getByLabel('Your calendar link')
  await page.getByRole('button', { name: 'Sync calendar' }).click()
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await expect(dialog).toContainText('It is shown only now')
  const url = await address.inputValue()
  await expect(dialog.getByRole('link', { name: 'Open in calendar app' })).toHaveAttribute(
    'href',
    url.replace('http:', 'webcal:'),
  )
  // Calendars read the link without a cookie.
  const read = () => fetch(new URL(new URL(url).pathname, page.url()))
  expect(await (await read()).text()).toContain(`SUMMARY:${first.title}`)
  await dialog.getByRole('button', { name: 'Done' }).click()

  await page.getByRole('button', { name: 'Sync calendar' }).click()
  await expect(dialog).toContainText('A new link replaces it')
  await dialog.getByRole('button', { name: 'Create a new link' }).click()
  await expect(address).not.toHaveValue(url)
  expect((await read()).status).toBe(404)
})

test('shows a placeholder while the data loads', async ({ page, site }) => {
  await signIn(page, await site.member())
  // A dashboard opened directly is server-rendered with its data.
  await page.goto('/pricing')
  const passes = await holdRequests(page, '**/api/user/passes')
  await page.getByRole('banner').getByRole('link', { name: 'Dashboard' }).click()
  await expect(page.getByRole('main').getByRole('status')).toContainText('Loading...')
  await passes.release()
  await expect(page.getByText('No active passes')).toBeVisible()
})
