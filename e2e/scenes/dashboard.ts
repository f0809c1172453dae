import type { Page } from '@playwright/test'
import { Person } from '#testing/person.ts'
import { packageNamed } from '../admin.ts'
import { LONG_TITLE } from '../busy-studio.ts'
import { openInSite, openMore } from '../member.ts'
import { callApi, expect, newEmail, type Site, signIn } from '../site.ts'
import { failRequests, holdRequests, intercept } from '../traffic.ts'
import { membersOf, openPage } from './members.ts'
import { click, closeDialog, dialog, heading, inTurn, type Walk } from './scene.ts'

const detailed = inTurn(click('link', 'Detailed'), heading('My Dashboard'))

async function redeem(page: Page, code: string, refusal: string): Promise<void> {
  const form = page.getByRole('dialog', { name: 'Redeem a voucher' })
  await form.getByLabel('Code').fill(code)
  await form.getByRole('button', { name: 'Redeem voucher' }).click()
  await expect(form).toContainText(refusal)
}

/** The code of a voucher that another member has redeemed. */
async function redeemedCode(site: Site): Promise<string> {
  const [buyer, recipient] = [await site.member({ firstName: 'Georgina' }), await site.member({ firstName: 'Henry' })]
  const { id: packageId } = await packageNamed(site, '8 Class Pass')
  const recipientEmail = newEmail('voucher')
  const sold = { packageId, method: 'cash', gift: { recipientName: 'Henry', recipientEmail } }
  await callApi(await site.admin(), 'POST', `/api/admin/users/${buyer.id}/vouchers`, sold)
  const { text } = await site.mailTo(recipientEmail, /has given you Pilates/)
  const code = /[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}/.exec(text)?.[0]
  await callApi(recipient, 'POST', '/api/vouchers/redeem', { code })
  return code ?? ''
}

export const DASHBOARD_WALKS: readonly Walk[] = [
  [
    { name: 'dashboard, summary, empty', open: openPage('/dashboard', 'No upcoming classes booked', 'empty') },
    {
      name: 'dashboard, detailed, empty',
      open: inTurn(detailed, (page) => expect(page.getByText('No upcoming bookings')).toBeVisible()),
    },
  ],
  [
    { name: 'dashboard, summary, full', main: true, open: openPage('/dashboard', 'Upcoming classes', 'full') },
    { name: 'dashboard, receipts', open: inTurn(click('button', 'Receipts'), dialog) },
    { name: 'dashboard, redeem a voucher', open: inTurn(closeDialog, click('button', 'Use a voucher'), dialog) },
    {
      name: 'dashboard, redeem an unknown code',
      open: (page) => redeem(page, 'ABCD EFGH JKMN', 'We do not know this code.'),
    },
    {
      name: 'dashboard, redeem a redeemed code',
      open: async (page, site) => redeem(page, await redeemedCode(site), 'This voucher has been redeemed already.'),
    },
    { name: 'dashboard, view history', open: inTurn(closeDialog, click('button', 'View History'), dialog) },
    { name: 'dashboard, detailed, full', main: true, open: inTurn(closeDialog, detailed, heading('Booking History')) },
  ],
  [
    {
      name: 'dashboard, of a teacher',
      open: async (page, site) => {
        const member = await site.member({
          firstName: 'Araminta',
          lastName: 'Thistlethwaite',
          health: true,
          credits: 2,
        })
        await site.book(member, await site.class({ at: '2026-12-07 18:00', title: LONG_TITLE }))
        const teacher = await site.member({ firstName: 'Tabitha' })
        await callApi(await site.admin(), 'PUT', `/api/admin/users/${teacher.id}`, { role: 'teacher' })
        await signIn(page, teacher)
        await page.goto('/dashboard')
        await expect(page.getByRole('link', { name: /^Today Today’s people/ })).toBeVisible()
      },
    },
    {
      name: 'dashboard, a teacher’s day',
      open: inTurn(click('link', /^Today Today’s people/), (page) =>
        expect(page.getByText('Araminta Thistlethwaite').first()).toBeVisible(),
      ),
    },
    {
      name: 'dashboard, a teacher’s day, health of a member',
      open: inTurn(click('button', 'Health and emergency contact of Araminta Thistlethwaite'), (page) =>
        expect(page.getByRole('dialog').getByText('Notes on sessions')).toBeVisible(),
      ),
    },
  ],
  [
    {
      name: 'dashboard, a booking that is not weekly yet',
      open: async (page, site) => {
        const repeats = { isRepeating: true, repeatFrequency: 'weekly', repeatUntilDate: '2027-03-26' }
        const times = { date: '2026-12-17', startTime: '06:40', endTime: '07:25', maxParticipants: 2 }
        const sent = { title: LONG_TITLE, ...times, ...repeats }
        const made: { id: number } = await callApi(await site.admin(), 'POST', '/api/classes', sent)
        const member = await site.member({ health: true, credits: 9 })
        await callApi(member, 'POST', '/api/bookings', { classId: made.id })
        await signIn(page, member)
        await page.goto('/dashboard')
        await openMore(page)
        await expect(page.getByRole('button', { name: /^Every Thursday at 06:40/ })).toBeVisible()
      },
    },
    {
      name: 'dashboard, every Thursday',
      open: inTurn(click('button', /^Every Thursday at 06:40/), (page) =>
        expect(page.getByText('Health information complete')).toBeVisible(),
      ),
    },
    {
      name: 'dashboard, every Thursday, booked',
      open: async (page) => {
        await page.getByRole('checkbox').first().check()
        await page.getByRole('checkbox').last().check()
        await page.getByRole('button', { name: 'Book every Thursday' }).click()
        await expect(page.getByText(/^9 classes booked until/).first()).toBeVisible()
      },
    },
    {
      name: 'dashboard, regular bookings',
      open: inTurn(click('button', 'Done'), async (page) => {
        await page.getByText('Dates', { exact: true }).click()
        await expect(page.getByRole('button', { name: 'Skip 24/12/2026' })).toBeVisible()
      }),
    },
    { name: 'dashboard, stop a regular booking', open: inTurn(click('button', 'Stop'), dialog) },
  ],
  [
    {
      name: 'dashboard, a booking just cancelled',
      open: async (page, site) => {
        const member = await site.member({ health: true, credits: 2 })
        await site.book(member, await site.class({ at: '2026-12-17 10:00', title: LONG_TITLE }))
        await signIn(page, member)
        await page.goto('/dashboard?view=detailed')
        await page
          .getByRole('button', { name: /^Cancel/ })
          .first()
          .click()
        await expect(page.getByRole('button', { name: /^Undo cancelling/ }).first()).toBeVisible()
      },
    },
  ],
  [
    {
      name: 'your sign-in',
      open: async (page, site) => {
        const { long } = await membersOf(site)
        await signIn(page, long)
        const otherBrowser = new Person(site.origin, 'Elsewhere')
        const body = { username: long.email, password: long.password }
        const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
        await otherBrowser.request('POST', '/api/login', body, { 'user-agent': agent })
        await page.goto('/dashboard?view=sign-in')
        await expect(page.getByText('Firefox on Linux').first()).toBeVisible()
      },
    },
    {
      name: 'your sign-in, wrong password',
      open: async (page) => {
        await page.getByLabel('Current password').fill('not-the-one')
        await page.getByLabel('New password', { exact: true }).fill('reformer2026')
        await page.getByLabel('Confirm new password').fill('reformer2026')
        await page.getByRole('button', { name: 'Show what is typed' }).nth(1).click()
        await page.getByRole('button', { name: 'Change password' }).click()
        await expect(page.getByText('This is not your current password.')).toBeVisible()
      },
    },
  ],
  [
    {
      name: 'your details',
      open: async (page, site) => {
        await signIn(page, await site.member({ firstName: 'Wilhelmina-Theodora' }))
        await page.goto('/dashboard?view=profile')
        await expect(page.getByLabel('New email address')).toBeVisible()
      },
    },
    {
      name: 'your details, refused address',
      open: async (page) => {
        await page.getByLabel('New email address').fill('admin@studio.example')
        await page.getByRole('button', { name: 'Change email address' }).click()
        await expect(page.getByText('An account with this email address already exists.').first()).toBeVisible()
      },
    },
    {
      name: 'your details, change of address waiting',
      open: async (page) => {
        await page.getByLabel('New email address').fill(newEmail('another-rather-long-address-of-hers'))
        await page.getByRole('button', { name: 'Change email address' }).click()
        await expect(page.getByText('Waiting for you to confirm')).toBeVisible()
      },
    },
  ],
  [
    { name: 'dashboard, summary, long names', open: openPage('/dashboard', LONG_TITLE, 'long') },
    {
      name: 'dashboard, detailed, long names',
      open: inTurn(detailed, (page) => expect(page.getByText(LONG_TITLE).first()).toBeVisible()),
    },
  ],
  [
    {
      name: 'dashboard, summary, a place for a few minutes',
      open: async (page, site) => {
        const holder = await site.member({ health: true, credits: 1 })
        const next = await site.member({ firstName: 'Wilhelmina-Theodora', health: true, credits: 1 })
        const full = await site.class({ at: '2026-12-07 19:25', places: 1, title: LONG_TITLE })
        const booking = await site.book(holder, full)
        await callApi(next, 'POST', `/api/classes/${full.id}/waitlist`)
        await callApi(holder, 'PUT', `/api/bookings/${booking}/cancel`)
        await site.endUndo()
        await site.mailTo(next.email, /^Yours until/)
        await signIn(page, next)
        await page.goto('/dashboard')
        await expect(page.getByText(/^Yours until/)).toBeVisible()
      },
    },
  ],
  [
    { name: 'dashboard, summary, on waiting lists', open: openPage('/dashboard', 'On the waiting list', 'rich') },
    {
      name: 'dashboard, cancel without credit',
      open: inTurn(click('button', /^Cancel Reformer before Lunch/), dialog),
    },
    {
      name: 'dashboard, detailed, in the last 120 minutes',
      open: inTurn(closeDialog, detailed, (page) =>
        expect(page.getByText('Cannot cancel (within 120 min)').first()).toBeVisible(),
      ),
    },
  ],
  [
    {
      name: 'dashboard, summary, more',
      open: inTurn(openPage('/dashboard', 'Late Reformer', 'mover'), (page) => openMore(page)),
    },
    {
      name: 'dashboard, reschedule, choose',
      open: inTurn(closeDialog, click('button', /^Reschedule Late Reformer/), (page) =>
        expect(
          page
            .getByRole('dialog')
            .getByRole('button', { name: /^Choose/ })
            .first(),
        ).toBeVisible(),
      ),
    },
    {
      name: 'dashboard, reschedule, confirm',
      open: inTurn(click('button', /^Choose Evening Reformer/), (page) =>
        expect(page.getByRole('button', { name: 'Move booking' })).toBeVisible(),
      ),
    },
  ],
  [
    {
      name: 'dashboard, loading',
      open: async (page, site) => {
        await holdRequests(page, '**/api/user/passes')
        await signIn(page, (await membersOf(site)).full)
        // /auth redirects to the dashboard. Opened directly, the dashboard would be server-rendered with its data.
        await page.goto('/auth')
        await expect(page.getByRole('navigation', { name: 'Dashboard layout' })).toBeVisible()
      },
    },
  ],
  [
    {
      name: 'dashboard, unreachable',
      open: inTurn(
        (page) => failRequests(page, '**/api/user/passes'),
        openPage('/', 'Personalisation', 'full'),
        (page) => openInSite(page, '/dashboard'),
        (page) => expect(page.getByRole('button', { name: 'Try again' })).toBeVisible(),
      ),
    },
  ],
  [
    {
      name: 'dashboard, thank you',
      open: inTurn(
        (page) =>
          intercept(page, '**/api/purchase-package', async (route) => {
            const [pass] = await (await page.request.get('/api/user/passes')).json()
            await route.fulfill({ status: 200, json: pass })
          }),
        openPage(
          '/dashboard?packageId=1&payment_intent=pi_1&redirect_status=succeeded',
          'Thank You for Your Purchase!',
          'full',
        ),
      ),
    },
  ],
  [
    {
      name: 'dashboard, authentication failed',
      open: openPage(
        '/dashboard?packageId=1&payment_intent=pi_1&redirect_status=failed',
        /try using a different card/,
        'full',
      ),
    },
  ],
  [
    {
      name: 'offline, the next class',
      open: inTurn(
        openPage('/dashboard', 'Upcoming classes', 'long'),
        (page) => expect.poll(() => page.evaluate(() => localStorage.length)).toBeGreaterThan(0),
        async (page) => {
          await page.goto('/offline.html')
          await expect(page.getByRole('region', { name: 'Your next class' })).toContainText(LONG_TITLE)
        },
      ),
    },
  ],
  [
    {
      name: 'studio unreachable',
      open: async (page) => {
        await failRequests(page, '**/api/**')
        await page.goto('/dashboard')
        await expect(page.getByText('The studio could not be reached')).toBeVisible()
      },
    },
  ],
]
