import type { Page } from '@playwright/test'
import { expect } from '../site.ts'
import { cut, hold } from '../traffic.ts'
import { at } from './cast.ts'
import { click, closeDialog, inTurn, type Walk } from './scene.ts'

const healthComplete = (page: Page) => expect(page.getByText('Health information complete')).toBeVisible()

/** The calendar and its dialogs. */
export const BOOKING_WALKS: readonly Walk[] = [
  [
    { name: 'booking, every kind of row', open: at('/booking', 'Evening Reformer', 'rich') },
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
      name: 'waiting list dialog, in line for tomorrow',
      open: inTurn(
        closeDialog,
        click('button', /8 December/),
        click('button', /^Waiting list for One-on-one in/),
        healthComplete,
      ),
    },
  ],
  [{ name: 'booking, empty day', open: at('/booking?date=2026-12-27', /No classes scheduled for/, 'rich') }],
  [
    {
      name: 'booking, loading',
      open: inTurn(
        (page) => hold(page, '**/api/classes?*'),
        at('/', 'Personalisation', 'rich'),
        click('link', 'Book Now'),
        (page) => expect(page.getByText('Loading classes...')).toBeVisible(),
      ),
    },
  ],
  [
    {
      name: 'booking, unreachable',
      alike: true,
      open: inTurn((page) => cut(page, '**/api/classes?*'), at('/booking', 'Try again', 'rich')),
    },
  ],
  [
    {
      name: 'booking dialog, without health information',
      open: inTurn(at('/booking', 'Evening Reformer', 'empty'), click('button', /^Book Evening Reformer/), (page) =>
        expect(page.getByText('Health information required.')).toBeVisible(),
      ),
    },
  ],
]
