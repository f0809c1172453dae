import type { Page } from '@playwright/test'
import { expect } from '../site.ts'
import { openPage } from './members.ts'
import { click, closeDialog, dialog, heading, inTurn, type Walk } from './scene.ts'

const next = (page: Page) => page.getByRole('button', { name: 'Next' }).click()

export const HEALTH_WALKS: readonly Walk[] = [
  [
    { name: 'health, incomplete', open: openPage('/health', 'Incomplete', 'empty') },
    {
      name: 'health, step 1',
      main: true,
      open: inTurn(click('button', 'Complete Questionnaire'), heading('Medical History')),
    },
    { name: 'health, step 2', open: inTurn(next, heading('Exercise Background')) },
    { name: 'health, step 3', open: inTurn(next, heading('Emergency Contact')) },
    {
      name: 'health, step 3 with errors',
      open: inTurn(next, (page) => expect(page.getByRole('alert')).toBeVisible()),
    },
    {
      name: 'health, step 4',
      open: async (page) => {
        await page.getByLabel('Emergency contact name').fill('Sam Stranger')
        await page.getByLabel('Relationship').fill('Partner')
        await page.getByLabel('Phone number').fill('01632 960199')
        await next(page)
        await heading('Disclaimers & Consent')(page)
      },
    },
  ],
  [
    { name: 'health, complete', main: true, open: openPage('/health', 'Complete', 'full') },
    { name: 'health, delete account', open: inTurn(click('button', 'Delete my account'), dialog) },
    {
      name: 'health, own data opened',
      open: inTurn(closeDialog, async (page, site) => {
        const admin = await site.admin()
        const { rows } = await site.pool.query('select user_id from health_questionnaires')
        for (const { user_id: id } of rows) await admin.request('GET', `/api/admin/users/${id}/health`)
        for (const heading of ['Who read', 'What we keep', 'What you agreed', 'Make a complaint']) {
          await page.getByText(new RegExp(`^${heading}`)).click()
        }
        await expect(page.getByText('read all your answers').first()).toBeVisible()
        await expect(page.getByText('Your account and bookings')).toBeVisible()
        await expect(page.getByRole('button', { name: 'Send complaint' })).toBeVisible()
      }),
    },
    {
      name: 'health, withdraw the consent',
      open: inTurn(click('button', 'Withdraw and erase my answers'), (page) =>
        expect(page.getByText(/ahead stay booked|no upcoming classes/)).toBeVisible(),
      ),
    },
    {
      name: 'health, update',
      isScreenshotOnly: true,
      open: inTurn(closeDialog, click('button', 'Update Information'), heading('Medical History')),
    },
  ],
]
