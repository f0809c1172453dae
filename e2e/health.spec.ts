import type { Page } from '@playwright/test'
import { completeHealth, expectFailure, expectToast } from './member.ts'
import { completeHealthFor, expect, signIn, test } from './site.ts'
import { holdRequests, mockResponse } from './traffic.ts'

const step = (page: Page, name: string) => expect(page.getByRole('heading', { name, level: 2 })).toBeFocused()
const next = (page: Page) => page.getByRole('button', { name: 'Next' }).click()

async function openQuestionnaire(page: Page) {
  await page.goto('/health')
  await page.getByRole('button', { name: 'Complete Questionnaire' }).click()
  await step(page, 'Medical History')
}

async function goToContact(page: Page) {
  await openQuestionnaire(page)
  await next(page)
  await step(page, 'Exercise Background')
  await next(page)
  await step(page, 'Emergency Contact')
}

async function fillContact(page: Page, phone = '01632 960199') {
  await page.getByLabel('Emergency contact name').fill('Sam Stranger')
  await page.getByLabel('Relationship').fill('Partner')
  await page.getByLabel('Phone number').fill(phone)
}

test.describe('the overview', () => {
  test('shows a loading message until the questionnaire and the contact have loaded', async ({ page, site }) => {
    await signIn(page, await site.member())
    const contact = await holdRequests(page, '**/api/health/emergency-contact')
    await page.goto('/health')
    await expect(page.getByRole('status').filter({ hasText: 'Loading your health information' })).toBeVisible()
    await contact.release()
    await expect(page.getByText('Incomplete')).toBeVisible()
  })

  test('shows Incomplete, the purpose and the contact details without answers', async ({ page, site }) => {
    await signIn(page, await site.member())
    await page.goto('/health')
    await expect(page.getByText('Incomplete')).toBeVisible()
    await expect(page.getByText('Booking a class needs a completed questionnaire.')).toBeVisible()
    await expect(page.getByText('Not yet given')).toBeVisible()
    await expect(page.getByRole('main').getByRole('link', { name: '01632 960147' })).toBeVisible()
    await expect(page.getByRole('main').getByRole('link', { name: 'hello@aldergate.example' })).toBeVisible()
    await expect(page.getByRole('main')).toContainText('7 Aldergate Mews')
    await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toContainText('Health Info')
    await page.getByRole('link', { name: 'Back to Home' }).click()
    await expect(page).toHaveURL('/')
  })

  test('shows Incomplete with the questionnaire alone', async ({ page, site }) => {
    const member = await site.member()
    await member.request('POST', '/api/health/questionnaire', {})
    await signIn(page, member)
    await page.goto('/health')
    await expect(page.getByText('Incomplete')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Complete Questionnaire' })).toBeVisible()
  })

  test('shows Complete, the contact and the last update when both parts are filled in', async ({ page, site }) => {
    await signIn(page, await site.member({ health: true }))
    await page.goto('/health')
    await expect(page.getByText('Complete', { exact: true })).toBeVisible()
    await expect(page.getByText('Sam Stranger')).toBeVisible()
    await expect(page.getByText('07/12/2026')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Update Information' })).toBeVisible()
  })
})

test.describe('the questionnaire', () => {
  test('has four steps, and disables Previous at the first', async ({ page, site }) => {
    await signIn(page, await site.member())
    await openQuestionnaire(page)
    const names = await page.getByRole('list', { name: 'Steps' }).getByRole('listitem').allTextContents()
    expect(names.slice(0, 4)).toEqual([
      'Medical History',
      'Exercise Background',
      'Emergency Contact',
      'Disclaimers & Consent',
    ])
    await expect(page.getByRole('button', { name: 'Previous' })).toBeDisabled()
    await next(page)
    await step(page, 'Exercise Background')
    await page.getByRole('button', { name: 'Previous' }).click()
    await step(page, 'Medical History')
    await page.getByRole('button', { name: 'Back to Overview' }).click()
    await expect(page.getByText('Incomplete')).toBeVisible()
  })

  test('offers all choices', async ({ page, site }) => {
    await signIn(page, await site.member())
    await openQuestionnaire(page)
    for (const name of ['Not pregnant', 'Pregnant', 'Postnatal (within 12 months)', 'Prefer not to say']) {
      await expect(page.getByRole('radio', { name, exact: true })).toBeVisible()
    }
    await next(page)
    const groups = {
      'Fitness level': ['Beginner', 'Intermediate', 'Advanced'],
      'How often do you exercise?': ['Never', 'Rarely', 'Weekly', 'Daily'],
      'Pilates experience': ['None', 'Beginner', 'Some experience', 'Experienced'],
    }
    for (const [group, names] of Object.entries(groups)) {
      const radios = page.getByRole('group', { name: group }).getByRole('radio')
      await expect(radios).toHaveCount(names.length)
      for (const name of names) {
        await expect(page.getByRole('group', { name: group }).getByRole('radio', { name, exact: true })).toBeVisible()
      }
    }
  })

  test('shows Complete after the last step', async ({ page, site }) => {
    await signIn(page, await site.member())
    await completeHealth(page)
    await expectToast(page, 'Health information saved', 'Thank you for completing the health questionnaire.')
    await expect(page.getByText('Complete', { exact: true })).toBeVisible()
    await expect(page.getByText('Sam Stranger')).toBeVisible()
    await expect(page.getByText('Booking a class needs a completed questionnaire.')).toBeVisible()
  })

  test('shows the earlier answers in an update and asks for consent again', async ({ page, site }) => {
    await signIn(page, await site.member({ health: true }))
    await page.goto('/health')
    await page.getByRole('button', { name: 'Update Information' }).click()
    await step(page, 'Medical History')
    await expect(page.getByLabel('Allergies')).toHaveValue('None that I know of')
    await next(page)
    await next(page)
    await step(page, 'Emergency Contact')
    await expect(page.getByLabel('Emergency contact name')).toHaveValue('Sam Stranger')
    await page.getByLabel('Emergency contact name').fill('Robin Stranger')
    await next(page)
    await step(page, 'Disclaimers & Consent')
    await page.getByLabel(/I confirm that my answers are true/).check()
    await page.getByLabel(/I consent to the studio processing/).check()
    const reloaded = page.waitForEvent('domcontentloaded')
    await page.getByRole('button', { name: 'Update Information' }).click()
    await reloaded
    await expectToast(page, 'Health information saved', 'Your health information has been updated successfully.')
    await expect(page.getByText('Robin Stranger')).toBeVisible()
  })

  test('lists errors by field and links to the fields', async ({ page, site }) => {
    await signIn(page, await site.member())
    await goToContact(page)
    await next(page)
    const list = page.getByRole('alert')
    await expect(list).toBeFocused()
    await expect(list).toContainText('Emergency contact name is required')
    await expect(list).toContainText('Relationship is required')
    await expect(list).toContainText('Phone number is required')
    await list.getByRole('button', { name: /^Phone number/ }).click()
    await expect(page.getByLabel('Phone number')).toBeFocused()
  })

  test('refuses values that are too long, and an invalid phone number or email address', async ({ page, site }) => {
    await signIn(page, await site.member())
    await goToContact(page)
    const expectError = async (label: string, value: string, message: string) => {
      await page.getByLabel(label).fill(value)
      await next(page)
      await expect(page.getByLabel(label)).toHaveAccessibleDescription(new RegExp(message))
    }
    await expectError('Emergency contact name', 'x'.repeat(256), 'Name is too long')
    await expectError('Relationship', 'x'.repeat(101), 'Relationship is too long')
    for (const phone of ['0163296', '01632 ext 19', '0'.repeat(51)]) {
      await expectError('Phone number', phone, 'Please enter a valid phone number')
    }
    await expectError('Email address', 'sam at home', 'Please enter a valid email address')
    await page.getByLabel('Emergency contact name').fill('x'.repeat(255))
    await page.getByLabel('Relationship').fill('x'.repeat(100))
    await page.getByLabel('Phone number').fill('+44 (0)1632-960199')
    await page.getByLabel('Email address').fill('')
    await next(page)
    await step(page, 'Disclaimers & Consent')
  })

  test('requires both consents but not marketing', async ({ page, site }) => {
    await signIn(page, await site.member())
    await goToContact(page)
    await fillContact(page)
    await next(page)
    await step(page, 'Disclaimers & Consent')
    await page.getByRole('button', { name: 'Complete Questionnaire' }).click()
    const list = page.getByRole('alert')
    await expect(list).toContainText('Health disclaimer: You must accept the health disclaimer')
    await expect(list).toContainText('Data processing consent: You must consent to data processing')
    await expect(list.getByRole('button')).toHaveCount(2)
  })

  for (const part of ['questionnaire', 'emergency-contact']) {
    test(`shows an error and keeps the answers when saving fails (${part})`, async ({ page, site }) => {
      await signIn(page, await site.member())
      await mockResponse(page, `**/api/health/${part}`, 500, {}, 'POST')
      await goToContact(page)
      await fillContact(page)
      await next(page)
      await page.getByLabel(/I confirm that my answers are true/).check()
      await page.getByLabel(/I consent to the studio processing/).check()
      await page.getByRole('button', { name: 'Complete Questionnaire' }).click()
      await expectFailure(page, 'Error', 'Failed to save health information. Please try again.')
      await page.getByRole('button', { name: 'Previous' }).click()
      await expect(page.getByLabel('Emergency contact name')).toHaveValue('Sam Stranger')
    })
  }

  test('keeps a draft after a reload and deletes it at logout', async ({ page, site }) => {
    const member = await site.member()
    await signIn(page, member)
    await goToContact(page)
    await fillContact(page)
    await page.reload()
    await expect(page.getByLabel('Emergency contact name')).toHaveValue('Sam Stranger')
    await page.getByRole('banner').getByRole('link', { name: 'Logout' }).click()
    await page.waitForURL(`${site.origin}/`)
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
  })

  test('shows Complete after a reload when it was completed elsewhere', async ({ page, site }) => {
    const member = await site.member()
    await signIn(page, member)
    await page.goto('/health')
    await expect(page.getByText('Incomplete')).toBeVisible()
    await completeHealthFor(member)
    await page.reload()
    await expect(page.getByText('Complete', { exact: true })).toBeVisible()
  })
})
