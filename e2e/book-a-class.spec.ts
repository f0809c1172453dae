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
import { expect, signIn, test } from './site.ts'

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
    await expect(
      page.getByText('Payment failed, Please try using a different card or method of payment').first(),
    ).toBeVisible()
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

  test('a full class opens nothing', async ({ page, site }) => {
    await site.pool.query(
      `insert into classes (title, date, start_time, end_time, starts_at, ends_at, max_participants, price_pence, pass_price_pence, instructor_name, created_at, updated_at)
       values ('Full House', '2026-12-10', '10:00', '10:45', '2026-12-10T10:00Z', '2026-12-10T10:45Z', 1, 6500, 5000, 'Eleanor Marsh', now(), now())`,
    )
    await fillFullHouse(site.pool)
    await signUp(page, 'Fern')
    await page.goto('/booking')
    await page.getByRole('button', { name: /10 December/ }).click()
    await expect(page.getByText('FULL - Join waiting list')).toBeVisible()
    await expect(page.getByRole('button', { name: /Book Full House/ })).toHaveCount(0)
    await page.getByText('Full House').click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  test('a class that starts this very minute has started', async ({ page, site }) => {
    await signUp(page, 'Stan')
    await site.itIs('2026-12-07 09:30', page)
    await page.goto('/booking')
    await expect(page.getByText('Class has started').first()).toBeVisible()
    await expect(page.getByRole('button', { name: /at 09:30/ })).toHaveCount(0)
    await expect(
      page
        .getByRole('button', { name: /at 11:30|FULL/ })
        .or(page.getByText('FULL'))
        .first(),
    ).toBeVisible()
  })
})

/** The demo member takes the one place, as booking would write it. */
async function fillFullHouse(pool: { query(text: string): Promise<unknown> }): Promise<void> {
  await pool.query(
    `with taken as (
       insert into bookings (user_id, class_id, pass_id, status, payment_status, total_amount_pence, booked_at)
       select p.user_id, c.id, p.id, 'confirmed', 'paid', 5000, now()
       from classes c, passes p where c.title = 'Full House' and p.credits_remaining > 0 limit 1
       returning id, pass_id)
     insert into credit_ledger (pass_id, kind, credits, booking_id, at) select pass_id, 'booking', -1, id, now() from taken`,
  )
}
