import type { Page } from '@playwright/test'
import {
  CARDS,
  chooseClass,
  choosePackage,
  completeHealth,
  confirmBooking,
  expectToast,
  pay,
  signUp,
} from './member.ts'
import { expect, type Site, signIn, test } from './site.ts'
import { answer, cut, hold } from './traffic.ts'

test('a stranger signs up, buys a pass, fills in health, books, is told by mail, cancels and has the credit back', async ({
  page,
  site,
}) => {
  await page.goto('/pricing')
  await page
    .getByRole('listitem')
    .filter({ hasText: '4 Class Pass' })
    .getByRole('button', { name: /Select Package/ })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Account Required' })
  await dialog.getByRole('button', { name: 'Create Account' }).click()
  await page.waitForURL('**/auth**')
  const email = await signUp(page, 'Stella')

  await choosePackage(page, '4 Class Pass')
  await pay(page, CARDS.pays)
  await page.waitForURL('**/dashboard**')
  await expect(page.getByText('Thank You for Your Purchase!')).toBeVisible()
  expect((await site.mailTo(email, /receipt/i)).text).toContain('232.00')

  await completeHealth(page)
  const { title } = await site.class({ at: '2026-12-08 15:00' })
  await chooseClass(page, /8 December/, '15:00')
  await expect(page.getByRole('dialog').getByText('Health information complete')).toBeVisible()
  await confirmBooking(page)
  await expectToast(page, 'Booking Confirmed', `Your booking for ${title} has been confirmed using your class pass.`)
  const confirmation = await site.mailTo(email, /booked/i)
  expect(confirmation.attachments).toHaveLength(1)
  expect(confirmation.text).toContain('15:00')

  await page.goto('/dashboard')
  const credits = page.getByRole('definition').first()
  await expect(credits).toHaveText('3')
  await page.getByRole('button', { name: /^Cancel Reformer/ }).click()
  await expectToast(page, 'Success', 'Booking cancelled successfully')
  await expect(page.getByText('No upcoming classes booked')).toBeVisible()
  await expect(credits).toHaveText('4')
  expect((await site.mailTo(email, /cancelled/i)).text).toMatch(/credit/i)
})

test.describe('the unhappy ways', () => {
  test('a declined card says so, and another card pays', async ({ page }) => {
    await signUp(page, 'Dina')
    await choosePackage(page, 'Single Session')
    await pay(page, CARDS.declined)
    await expectToast(page, 'Payment Failed', 'Payment failed, Please try using a different card or method of payment')
    await page.getByLabel('Card number').fill(CARDS.pays)
    await page.getByRole('button', { name: /^Complete Payment/ }).click()
    await expect(page.getByText('Thank You for Your Purchase!')).toBeVisible()
  })

  test('a bank that asks for authentication sends back to the dashboard with an active pass', async ({ page }) => {
    await signUp(page, 'Thea')
    await choosePackage(page, 'Single Session')
    await pay(page, CARDS.asksForAuthentication)
    await page.getByRole('button', { name: 'Complete authentication' }).click()
    await page.waitForURL('**/dashboard**')
    await expect(page.getByText('Thank You for Your Purchase!')).toBeVisible()
    await expect(page.getByRole('definition').first()).toHaveText('1')
  })

  test('a failed authentication buys nothing', async ({ page }) => {
    await signUp(page, 'Fay')
    await choosePackage(page, 'Single Session')
    await pay(page, CARDS.asksForAuthentication)
    await page.getByRole('button', { name: 'Fail authentication' }).click()
    await page.waitForURL('**/dashboard**')
    await expect(
      page.getByText('Payment failed, Please try using a different card or method of payment').first(),
    ).toBeVisible()
    await expect(page.getByText('No active passes')).toBeVisible()
  })

  test('without health information Confirm stays disabled and the dialog leads to the questionnaire', async ({
    page,
    site,
  }) => {
    await site.class({ at: '2026-12-10 11:00' })
    await signIn(page, await site.member({ credits: 1 }))
    await chooseClass(page, /10 December/, '11:00')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('checkbox', { name: /cancellation policy/ }).check()
    await dialog.getByRole('checkbox', { name: /terms and conditions/ }).check()
    await expect(dialog.getByRole('button', { name: 'Confirm Booking' })).toBeDisabled()
    await expect(dialog.getByText('Health information required.')).toBeVisible()
    await dialog.getByRole('link', { name: 'Complete health questionnaire' }).click()
    await page.waitForURL('**/health')
  })

  test('without a credit the server says what is missing', async ({ page, site }) => {
    await site.class({ at: '2026-12-10 12:00' })
    await signIn(page, await site.member({ health: true }))
    await chooseClass(page, /10 December/, '12:00')
    await confirmBooking(page)
    await expectToast(page, 'Class Pass Required', 'You need a class pass to book.')
  })
})

const row = (page: Page, title: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: title })

test.describe('the calendar', () => {
  test('has its title, trail, filters that do nothing, and a week from Monday to Sunday', async ({ page, site }) => {
    await signIn(page, await site.member())
    await page.goto('/booking')
    await expect(page.getByRole('heading', { name: 'Book Your Class', level: 1 })).toBeVisible()
    await expect(page.getByText('Choose your preferred time and secure your spot')).toBeVisible()
    await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toContainText('Book a Class')
    await expect(page.getByRole('heading', { name: 'Select Date & Time' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'December 2026', exact: true })).toBeVisible()
    const days = page.getByRole('group', { name: 'Days of the week' }).getByRole('button')
    expect((await days.allTextContents()).map((text) => text.slice(0, 3))).toEqual([
      'Mon',
      'Tue',
      'Wed',
      'Thu',
      'Fri',
      'Sat',
      'Sun',
    ])
    await expect(days.first()).toHaveAttribute('aria-pressed', 'true')
    const before = await page.getByRole('main').innerText()
    await page.getByRole('button', { name: 'All Activities' }).click()
    await page.getByRole('button', { name: 'Instructor' }).click()
    expect(await page.getByRole('main').innerText()).toBe(before)
  })

  test('moves by weeks, keeps the day over a reload, and says when nothing is on', async ({ page, site }) => {
    await signIn(page, await site.member())
    await page.goto('/booking')
    await page.getByRole('button', { name: /13 December/ }).click()
    await page.getByRole('button', { name: 'Previous week' }).click()
    await expect(page.getByRole('button', { name: /30 November/ })).toHaveAttribute('aria-pressed', 'true')
    await expect(page.getByRole('heading', { name: 'November 2026', exact: true })).toBeVisible()
    for (const monday of [/\b7 December/, /14 December/, /21 December/]) {
      await page.getByRole('button', { name: 'Next week' }).click()
      await expect(page.getByRole('button', { name: monday })).toBeVisible()
    }
    await page.getByRole('button', { name: /27 December/ }).click()
    await page.reload()
    await expect(page.getByRole('button', { name: /27 December/ })).toHaveAttribute('aria-pressed', 'true')
    await expect(page.getByText('No classes scheduled for Sunday 27 December 2026')).toBeVisible()
  })

  test('waits with words until classes and own bookings are known', async ({ page, site }) => {
    await signIn(page, await site.member())
    const classes = await hold(page, '**/api/classes?*')
    await page.goto('/booking')
    await expect(page.getByText('Loading classes...')).toBeVisible()
    await classes.go()
    await expect(page.getByText('Loading classes...')).toHaveCount(0)
  })

  test('shows each class as started, already booked, full or available, in the order of time', async ({
    page,
    site,
  }) => {
    const member = await site.member({ health: true, credits: 3 })
    const other = await site.member({ health: true, credits: 3 })
    const available = await site.class({ at: '2026-12-07 18:30' })
    const started = await site.class({ at: '2026-12-07 06:45' })
    const full = await site.class({ at: '2026-12-07 17:30', places: 1 })
    const booked = await site.class({ at: '2026-12-07 16:30' })
    const half = await site.class({ at: '2026-12-07 19:30' })
    await site.books(member, booked)
    await site.books(other, full)
    await site.books(other, half)
    await signIn(page, member)
    await page.goto('/booking')
    await expect(row(page, started.title)).toContainText('Class has started')
    await expect(row(page, booked.title)).toContainText('Already booked')
    await expect(row(page, full.title)).toContainText('FULL - Join waiting list')
    await expect(row(page, full.title).getByText('Places: 1')).toBeVisible()
    await expect(row(page, available.title)).toContainText('Available')
    await expect(row(page, half.title)).toContainText('1 space left')
    for (const text of ['18:30', available.title, '19:15', 'with Eleanor Marsh']) {
      await expect(row(page, available.title)).toContainText(text)
    }
    for (const { title } of [started, booked, full]) {
      await expect(row(page, title).getByRole('button', { name: /^Book/ })).toHaveCount(0)
      await row(page, title).getByText(title).click()
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
    const titles = await page.getByRole('main').getByRole('heading', { level: 4 }).allTextContents()
    const ours = [started, booked, full, available, half].map(({ title }) => title)
    expect(titles.filter((title) => ours.includes(title))).toEqual(ours)
  })
})

test.describe('the booking dialog', () => {
  /** A class of Thursday with its dialog open. */
  async function open(page: Page, site: Site, has = { health: true, credits: 2 }, places: 1 | 2 = 2) {
    const member = await site.member(has)
    const chosen = await site.class({ at: '2026-12-10 13:00', places })
    await signIn(page, member)
    await page.goto('/booking?date=2026-12-10')
    await page.getByRole('button', { name: `Book ${chosen.title} at 13:00` }).click()
    await expect(page.getByRole('dialog', { name: chosen.title })).toBeVisible()
    return { member, chosen }
  }

  test('says what, when, with whom, what cancelling costs, and confirms only with both ticks', async ({
    page,
    site,
  }) => {
    const { chosen } = await open(page, site)
    const dialog = page.getByRole('dialog')
    for (const text of [
      chosen.title,
      'Thursday 10 December 2026',
      '13:00 - 13:45',
      'Eleanor Marsh',
      'bookings cancelled within 120 minutes of the scheduled time are charged in full',
      'Only earlier cancellation gives pass credit',
      'Health information complete',
    ]) {
      await expect(dialog).toContainText(text)
    }
    await expect(dialog.getByRole('link', { name: 'terms and conditions' })).toHaveAttribute(
      'href',
      '/terms-and-conditions',
    )
    const confirm = dialog.getByRole('button', { name: 'Confirm Booking' })
    await expect(confirm).toBeDisabled()
    await expect(confirm).toHaveAccessibleDescription('Please tick both boxes to confirm.')
    await dialog.getByRole('checkbox', { name: /cancellation policy/ }).check()
    await expect(confirm).toBeDisabled()
    await dialog.getByRole('checkbox', { name: /terms and conditions/ }).check()
    await expect(confirm).toBeEnabled()
    await dialog.getByRole('checkbox', { name: /cancellation policy/ }).uncheck()
    await expect(confirm).toBeDisabled()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('button', { name: `Book ${chosen.title} at 13:00` })).toBeFocused()
  })

  test('booked, the row says so and cannot be chosen again', async ({ page, site }) => {
    const { chosen } = await open(page, site)
    await confirmBooking(page)
    await expectToast(page, 'Booking Confirmed')
    await expect(row(page, chosen.title)).toContainText('Already booked')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  test('a class that has become full meanwhile is refused in the words of the server', async ({ page, site }) => {
    const { chosen } = await open(page, site, undefined, 1)
    await site.books(await site.member({ health: true, credits: 1 }), chosen)
    await confirmBooking(page)
    await expectToast(page, 'Booking Failed', 'This class is fully booked.')
  })

  test('a class booked in another tab meanwhile: 409', async ({ page, site }) => {
    const { member, chosen } = await open(page, site)
    await site.books(member, chosen)
    await confirmBooking(page)
    await expectToast(
      page,
      'Booking Failed',
      'You already have a confirmed booking for this class. You can only book each class once.',
    )
  })

  test('a booking that the page did not know of is found before it is sent', async ({ page, site }) => {
    const member = await site.member({ health: true, credits: 2 })
    const chosen = await site.class({ at: '2026-12-10 14:00' })
    await site.books(member, chosen)
    await signIn(page, member)
    await cut(page, '**/api/user/bookings')
    await page.goto('/booking?date=2026-12-10')
    await expect(page.getByRole('button', { name: `Book ${chosen.title} at 14:00` })).toBeVisible()
    await page.unroute('**/api/user/bookings')
    const sent = await hold(page, '**/api/bookings', 'POST')
    const known = page.waitForResponse('**/api/user/bookings')
    await page.getByRole('button', { name: `Book ${chosen.title} at 14:00` }).click()
    await known
    await confirmBooking(page)
    await expectToast(
      page,
      'Already Booked',
      'You already have a confirmed booking for this class. You can only book each class once.',
    )
    expect(sent.calls()).toBe(0)
  })

  test('a server that says nothing: our own words', async ({ page, site }) => {
    await open(page, site)
    await answer(page, '**/api/bookings', 500, {}, 'POST')
    await confirmBooking(page)
    await expectToast(page, 'Booking Failed', 'Unable to complete your booking. Please try again.')
  })

  test('a pass without credits: Class Pass Required', async ({ page, site }) => {
    const { member } = await open(page, site, { health: true, credits: 1 })
    await site.books(member, await site.class({ at: '2026-12-10 20:00' }))
    await confirmBooking(page)
    await expectToast(
      page,
      'Class Pass Required',
      'Your class pass has no credits left. Please buy a new class pass to book.',
    )
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('alert')).toContainText('has no credits left')
    await expect(dialog.getByRole('link', { name: 'See prices' })).toHaveAttribute('href', '/pricing')
  })
})
