import type { Locator } from '@playwright/test'
import { expectToast, PASSWORD } from './member.ts'
import { expect, newEmail, test } from './site.ts'

test.use({ viewport: { width: 390, height: 844 } })

test('a visitor books a first class from the home page with at most 20 taps and 11 fields', async ({ page }) => {
  let taps = 0
  let fields = 0
  const tap = async (target: Locator) => {
    taps += 1
    await target.click()
  }
  const type = async (target: Locator, text: string) => {
    fields += 1
    await target.fill(text)
  }
  const button = (name: string | RegExp) => page.getByRole('button', { name })

  await page.goto('/')
  await tap(page.getByRole('link', { name: 'Book this place' }))
  await tap(button('Create Account'))
  await page.waitForURL('**/auth**')
  await type(page.getByLabel('Email'), newEmail('tess'))
  await type(page.getByLabel('First name'), 'Tess')
  await type(page.getByLabel('Last name'), 'Fewtaps')
  await type(page.getByLabel('Password', { exact: true }), PASSWORD)
  await type(page.getByLabel('Confirm password'), PASSWORD)
  await tap(button('Create Account'))
  await page.waitForURL('**/dashboard')

  // The class that was tapped is waiting.
  await expect(page.getByRole('region', { name: 'Where you were' })).toContainText('You were booking')
  await tap(page.getByRole('region', { name: 'Three steps' }).getByRole('link').first())
  await tap(button('Complete Questionnaire'))
  for (const step of ['Medical History', 'Exercise Background']) {
    await expect(page.getByRole('heading', { name: step })).toBeFocused()
    await tap(button('Next'))
  }
  await expect(page.getByRole('heading', { name: 'Emergency Contact' })).toBeFocused()
  await type(page.getByLabel('Emergency contact name'), 'Sam Fewtaps')
  await type(page.getByLabel(/Relationship/), 'Partner')
  await type(page.getByLabel(/Phone/), '01632 960 199')
  await tap(button('Next'))
  await tap(page.getByLabel(/I confirm that my answers are true/))
  await tap(page.getByLabel(/I consent to the studio processing/))
  await tap(button('Complete Questionnaire'))
  await expectToast(page, 'Health information saved')

  await tap(page.getByRole('link', { name: 'Choose a pass' }))
  await tap(button(/^Select Package .*Single Session/))
  await type(page.getByLabel('Card number'), '4242 4242 4242 4242')
  await type(page.getByLabel('Expiry'), '12 / 34')
  await type(page.getByLabel('CVC'), '123')
  await tap(button(/^Complete Payment/))
  await expect(page.getByText('Thank You for Your Purchase!')).toBeVisible()

  await tap(page.getByRole('region', { name: 'Where you were' }).getByRole('link', { name: 'Continue' }))
  const dialog = page.getByRole('dialog')
  for (const name of [/cancellation policy/, /terms and conditions/]) {
    const tick = dialog.getByRole('checkbox', { name })
    const card = await tick.locator('xpath=..').boundingBox()
    expect(card?.height).toBeGreaterThanOrEqual(56)
    expect(card?.width).toBeGreaterThan(300)
    taps += 1
    // Anywhere on the card, here at its right edge.
    await tick.locator('xpath=..').click({ position: { x: (card?.width ?? 0) - 12, y: 12 } })
    await expect(tick).toBeChecked()
  }
  await tap(dialog.getByRole('button', { name: 'Confirm Booking' }))
  await expectToast(page, 'Booking Confirmed')
  console.log(`From home to the first booking: ${taps} taps, ${fields} fields.`)
  expect(taps).toBeLessThanOrEqual(20)
  expect(fields).toBeLessThanOrEqual(11)
})
