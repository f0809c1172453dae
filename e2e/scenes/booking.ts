import type { Page } from '@playwright/test'
import { confirmBooking, dismissToast, openInSite } from '../member.ts'
import { expect, signIn } from '../site.ts'
import { failRequests, holdRequests } from '../traffic.ts'
import { openPage } from './members.ts'
import { click, closeDialog, inTurn, type Walk } from './scene.ts'

const healthComplete = (page: Page) => expect(page.getByText('Health information complete')).toBeVisible()

export const BOOKING_WALKS: readonly Walk[] = [
  [
    { name: 'booking, every kind of row', main: true, open: openPage('/booking', 'Evening Reformer', 'rich') },
    {
      name: 'booking dialog, ready',
      open: inTurn(click('button', /^Book Evening Reformer/), async (page) => {
        await healthComplete(page)
        await page.getByRole('checkbox').first().check()
        await page.getByRole('checkbox').last().check()
      }),
    },
    {
      name: 'waiting list dialog',
      open: inTurn(closeDialog, click('button', /^Waiting list for One-on-one Reformer/), healthComplete),
    },
    {
      name: 'waiting list dialog, with a position for tomorrow',
      open: inTurn(
        closeDialog,
        click('button', /8 December/),
        click('button', /^Waiting list for One-on-one in/),
        healthComplete,
      ),
    },
  ],
  [
    {
      name: 'booking, install prompt',
      only: 'phone',
      open: async (page, site) => {
        await page.addInitScript(() => Object.assign(Navigator.prototype, { standalone: false }))
        const member = await site.member({ health: true, credits: 2 })
        await site.book(member, await site.class({ at: '2026-12-19 06:10' }))
        await site.class({ at: '2026-12-20 06:10', title: 'Sunday Reformer' })
        await signIn(page, member)
        await page.goto('/booking?date=2026-12-20')
        await page.getByRole('button', { name: /^Book Sunday Reformer/ }).click()
        await confirmBooking(page)
        await expect(page.getByText('tap Share, then Add to Home Screen')).toBeVisible()
        await dismissToast(page)
      },
    },
  ],
  [{ name: 'booking, empty day', open: openPage('/booking?date=2026-12-27', /No classes scheduled for/, 'rich') }],
  [
    {
      name: 'booking, loading',
      open: inTurn(
        (page) => holdRequests(page, '**/api/classes?*'),
        openPage('/', 'Personalisation', 'rich'),
        click('link', 'Book Now'),
        (page) => expect(page.getByText('Loading classes...')).toBeVisible(),
      ),
    },
  ],
  [
    {
      name: 'booking, unreachable',
      isScreenshotOnly: true,
      open: inTurn(
        (page) => failRequests(page, '**/api/classes?*'),
        openPage('/', 'Personalisation', 'rich'),
        (page) => openInSite(page, '/booking'),
        (page) => expect(page.getByRole('button', { name: 'Try again' })).toBeVisible(),
      ),
    },
  ],
  [
    {
      name: 'booking dialog, without health information',
      open: inTurn(
        openPage('/booking', 'Evening Reformer', 'empty'),
        click('button', /^Book Evening Reformer/),
        (page) => expect(page.getByText('Health information required.')).toBeVisible(),
      ),
    },
  ],
]
