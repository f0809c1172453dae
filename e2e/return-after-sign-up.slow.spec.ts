import {
  CARDS,
  completeHealth,
  confirmBooking,
  expectToast,
  fillSignUpForm,
  pay,
  waitForDialogToClose,
} from './member.ts'
import { expect, newEmail, signIn, test } from './site.ts'

test.use({ viewport: { width: 390, height: 844 } })

test('leads a guest who chose a pass back to it after sign-up, and shows three steps', async ({ page }) => {
  await page.goto('/pricing')
  await page.getByRole('button', { name: 'Select Package 8 Class Pass' }).click()
  await page.getByRole('button', { name: 'Create Account' }).click()
  await fillSignUpForm(page, newEmail('nora'), 'Nora')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expectToast(page, 'Welcome, Nora!', 'Your account has been created.')
  await page.waitForURL('**/dashboard')

  const reminder = page.getByRole('region', { name: 'Where you were' })
  await expect(reminder).toContainText('You were choosing the 8 Class Pass')
  const steps = page.getByRole('region', { name: 'Three steps to your first class' }).getByRole('listitem')
  await expect(steps).toContainText([/Health information To do/, /Class pass To do/, /First booking To do/])

  await reminder.getByRole('link', { name: 'Continue to checkout' }).click()
  await pay(page, CARDS.accepted)
  await expect(page.getByText('Thank You for Your Purchase!')).toBeVisible()
  await expect(reminder).toHaveCount(0)
  await expect(steps).toContainText([/Health information To do/, /Class pass Done/, /First booking To do/])
})

test('leads a guest who chose a gift back to it after sign-up', async ({ page }) => {
  await page.goto('/pricing')
  await page.getByRole('button', { name: 'Give as a gift 8 Class Pass' }).click()
  await page.getByRole('button', { name: 'Create Account' }).click()
  await fillSignUpForm(page, newEmail('gail'), 'Gail')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expectToast(page, 'Welcome, Gail!', 'Your account has been created.')
  const reminder = page.getByRole('region', { name: 'Where you were' })
  await expect(reminder).toContainText('You were choosing the 8 Class Pass as a gift')
  await reminder.getByRole('link', { name: 'Continue to checkout' }).click()
  await page.getByLabel('Who is it for?').fill('Henrietta')
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await pay(page, CARDS.accepted)
  const thanks = page.getByRole('status').filter({ hasText: 'Thank You for Your Purchase!' })
  await expect(thanks).toContainText('For Henrietta. We’ve emailed you the card to print.')
})

test('leads back to a chosen class from the dashboard and after the questionnaire', async ({ page, site }) => {
  await signIn(page, await site.member({ credits: 1 }))
  const chosen = await site.class({ at: '2026-12-10 14:00', places: 1 })
  await page.goto('/booking?date=2026-12-10')
  await expect(page.getByRole('listitem').filter({ hasText: chosen.title })).toContainText('One-on-one')
  await page.getByRole('button', { name: `Book ${chosen.title}` }).click()
  await page.getByRole('link', { name: 'Complete health questionnaire' }).click()
  await page.waitForURL('**/health')

  await page.goto('/dashboard')
  const reminder = page.getByRole('region', { name: 'Where you were' })
  await expect(reminder).toContainText('You were booking Thursday 10 December, 14:00')
  await expect(reminder.getByRole('link', { name: 'Continue' })).toBeVisible()

  await completeHealth(page)
  await page.getByRole('link', { name: 'Continue your booking' }).click()
  const dialog = page.getByRole('dialog', { name: chosen.title })
  await expect(dialog).toContainText('One credit books one place')
  await confirmBooking(page)
  await expectToast(page, 'Booking Confirmed')
  await waitForDialogToClose(page)
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Upcoming classes' })).toBeVisible()
  await expect(reminder).toHaveCount(0)
  await expect(page.getByText('Three steps to your first class')).toHaveCount(0)
})

test('shows that the chosen class is now full', async ({ page, site }) => {
  await signIn(page, await site.member({ health: true, credits: 1 }))
  const chosen = await site.class({ at: '2026-12-10 16:00', places: 1 })
  await page.goto('/booking?date=2026-12-10')
  await page.getByRole('button', { name: `Book ${chosen.title}` }).click()
  await expect(page.getByRole('dialog', { name: chosen.title })).toBeVisible()
  await site.book(await site.member({ health: true, credits: 1 }), chosen)
  await page.goto('/dashboard')
  const reminder = page.getByRole('region', { name: 'Where you were' })
  await expect(reminder).toContainText('Thursday 10 December, 16:00, which you were booking, is full now.')
  await reminder.getByRole('button', { name: 'Not now' }).click()
  await expect(reminder).toHaveCount(0)
})
