import {
  CARDS,
  choosePackage,
  completeHealth,
  confirmBooking,
  expectToast,
  openClassDialog,
  pay,
  signUp,
} from './member.ts'
import { expect, signIn, test } from './site.ts'
import { holdRequests } from './traffic.ts'

test('a new member signs up, buys a pass, completes the questionnaire, books, cancels and gets the credit back', async ({
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
  await pay(page, CARDS.accepted)
  await page.waitForURL('**/dashboard**')
  await expect(page.getByText('Thank You for Your Purchase!')).toBeVisible()
  expect((await site.mailTo(email, /receipt/i)).text).toContain('232.00')

  await completeHealth(page)
  const { title } = await site.class({ at: '2026-12-08 15:00' })
  await openClassDialog(page, /8 December/, '15:00')
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
  await expect(credits).toHaveText('4')
  await page.reload()
  await expect(page.getByText('No upcoming classes booked')).toBeVisible()
  await site.endUndo()
  expect((await site.mailTo(email, /cancelled/i)).text).toMatch(/credit/i)
})

test.describe('problems', () => {
  test('shows that a card was declined, and accepts another card', async ({ page }) => {
    await signUp(page, 'Dina')
    await choosePackage(page, 'Single Session')
    await pay(page, CARDS.declined)
    await expectToast(page, 'Payment Failed', 'Payment failed, Please try using a different card or method of payment')
    await page.getByLabel('Card number').fill(CARDS.accepted)
    await page.getByRole('button', { name: /^Complete Payment/ }).click()
    await expect(page.getByText('Thank You for Your Purchase!')).toBeVisible()
    await page.getByRole('status').getByRole('link', { name: 'Choose a time' }).click()
    await page.waitForURL('**/booking**')
  })

  test('on a phone, the toast about a declined card covers no button and closes on the next attempt', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await signUp(page, 'Delia')
    await choosePackage(page, 'Single Session')
    await pay(page, CARDS.declined)
    await expectToast(page, 'Payment Failed')
    const button = page.getByRole('button', { name: /^Complete Payment/ })
    await button.scrollIntoViewIfNeeded()
    await page.getByLabel('Card number').fill(CARDS.accepted)
    const paying = await holdRequests(page, '**/sandbox/**')
    await button.click({ trial: true })
    await button.click()
    await expect(page.getByText('Payment Failed').first()).toBeHidden()
    await paying.release()
    await expect(page.getByText('Thank You for Your Purchase!')).toBeVisible()
  })

  test('returns to the dashboard with an active pass after the bank’s authentication', async ({ page }) => {
    await signUp(page, 'Thea')
    await choosePackage(page, 'Single Session')
    await pay(page, CARDS.needsAuthentication)
    await page.getByRole('button', { name: 'Complete authentication' }).click()
    await page.waitForURL('**/dashboard**')
    await expect(page.getByText('Thank You for Your Purchase!')).toBeVisible()
    await expect(page.getByRole('definition').first()).toHaveText('1')
  })

  test('sells nothing when authentication fails', async ({ page }) => {
    await signUp(page, 'Fay')
    await choosePackage(page, 'Single Session')
    await pay(page, CARDS.needsAuthentication)
    await page.getByRole('button', { name: 'Fail authentication' }).click()
    await page.waitForURL('**/dashboard**')
    await expect(
      page.getByText('Payment failed, Please try using a different card or method of payment').first(),
    ).toBeVisible()
    await expect(page.getByText('No active passes')).toBeVisible()
  })

  test('disables Confirm without health information and links to the questionnaire', async ({ page, site }) => {
    await site.class({ at: '2026-12-10 11:00' })
    await signIn(page, await site.member({ credits: 1 }))
    await openClassDialog(page, /10 December/, '11:00')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('checkbox', { name: /cancellation policy/ }).check()
    await dialog.getByRole('checkbox', { name: /terms and conditions/ }).check()
    await expect(dialog.getByRole('button', { name: 'Confirm Booking' })).toBeDisabled()
    await expect(dialog.getByText('Health information required.')).toBeVisible()
    await dialog.getByRole('link', { name: 'Complete health questionnaire' }).click()
    await page.waitForURL('**/health')
  })

  test('shows the server’s message when the member has no credit', async ({ page, site }) => {
    await site.class({ at: '2026-12-10 12:00' })
    await signIn(page, await site.member({ health: true }))
    await openClassDialog(page, /10 December/, '12:00')
    await confirmBooking(page)
    await expectToast(page, 'Class Pass Required', 'You need a class pass to book.')
  })
})
