import type { Page } from '@playwright/test'
import { LONG_TITLE } from '../busy-studio.ts'
import { openMore, PASSWORD } from '../member.ts'
import { callApi, expect, newEmail, type Site, signIn } from '../site.ts'
import { failRequests, holdRequests } from '../traffic.ts'
import { openPage } from './members.ts'
import { click, closeDialog, inTurn, type Walk } from './scene.ts'

const FRIEND = { firstName: 'Bartholomew-Maximilian', lastName: 'Throckmorton-Featherstonehaugh' }
const NAMES = { firstName: 'Wilhelmina-Theodora', lastName: 'Oldroyd-Cholmondeley', health: true, credits: 4 }

async function typeCompanion(page: Page, email: string): Promise<void> {
  await page.getByLabel('Their first name').fill(FRIEND.firstName)
  await page.getByLabel('Their last name').fill(FRIEND.lastName)
  await page.getByLabel('Their email address').fill(email)
}

/** Opens the link in the newest invitation to an address, logged out. */
async function openInvitation(page: Page, site: Site, email: string): Promise<void> {
  const { text } = await site.mailTo(email, /has booked you a place/)
  await page.context().clearCookies()
  await page.goto('/')
  await page.goto(/\/auth#invitation=[\w.-]+/.exec(text)?.[0] ?? '')
}

/** From the invitation to a booked companion. The scenes share the member and the invitation. */
function bringAFriend(): Walk {
  let member: Awaited<ReturnType<Site['member']>>
  const email = newEmail('bartholomew-maximilian.throckmorton')
  return [
    {
      name: 'booking dialog, book for two',
      open: async (page, site) => {
        member = await site.member(NAMES)
        const { title } = await site.class({ at: '2026-12-23 06:15', title: `${LONG_TITLE}, for Two` })
        await signIn(page, member)
        await page.goto('/booking?date=2026-12-23')
        await page.getByRole('button', { name: `Book ${title}` }).click()
        await page.getByRole('button', { name: 'Book for two' }).click()
        await typeCompanion(page, member.email)
      },
    },
    {
      name: 'booking dialog, book for two, own address',
      open: async (page) => {
        await page.getByRole('checkbox').first().check()
        await page.getByRole('checkbox').last().check()
        await page.getByRole('button', { name: 'Confirm Booking' }).click()
        await expect(page.getByText(/This is your own email address/).first()).toBeVisible()
      },
    },
    {
      name: 'dashboard, add companion',
      open: async (page, site) => {
        await closeDialog(page)
        await site.book(member, await site.class({ at: '2026-12-23 17:15', title: LONG_TITLE }))
        await page.goto('/dashboard')
        await openMore(page)
        await page
          .getByRole('button', { name: /^Add companion to/ })
          .first()
          .click()
        await typeCompanion(page, email)
      },
    },
    {
      name: 'dashboard, a held place',
      open: inTurn(click('button', 'Send invitation'), (page) =>
        expect(page.getByText(`Place held for ${FRIEND.firstName}`)).toBeVisible(),
      ),
    },
    {
      name: 'invitation, loading',
      open: async (page, site) => {
        const held = await holdRequests(page, '**/api/invitations*')
        await openInvitation(page, site, email)
        await expect(page.getByText('Loading your invitation').first()).toBeAttached()
        page.once('framenavigated', () => held.release())
      },
    },
    {
      name: 'invitation, without an account',
      open: async (page) => {
        await page.reload()
        await expect(page.getByText(`To accept, you need an account for ${email}.`)).toBeVisible()
      },
    },
    {
      name: 'invitation, without a password',
      open: inTurn(click('button', 'Continue'), (page) =>
        expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('aria-invalid', 'true'),
      ),
    },
    {
      name: 'invitation, health information',
      open: async (page) => {
        await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
        await page.getByRole('button', { name: 'Continue' }).click()
        await expect(page.getByRole('heading', { name: 'Medical History' })).toBeVisible()
      },
    },
    {
      name: 'invitation, ready to accept',
      open: async (page, site) => {
        const headers = { origin: site.origin }
        const contact = { contactName: 'Sam', relationship: 'Partner', phoneNumber: '01632 960199' }
        await page.request.post('/api/health/questionnaire', { headers, data: { allergies: 'None that I know of' } })
        await page.request.post('/api/health/emergency-contact', { headers, data: contact })
        await page.reload()
        await expect(page.getByRole('button', { name: 'Accept the place' })).toBeVisible()
      },
    },
    {
      name: 'dashboard, a place that another member booked',
      open: async (page) => {
        await page.getByRole('checkbox').first().check()
        await page.getByRole('checkbox').last().check()
        await page.getByRole('button', { name: 'Accept the place' }).click()
        await expect(page.getByText(`${NAMES.firstName} booked and paid for this place.`)).toBeVisible()
      },
    },
    {
      name: 'dashboard, with a companion',
      open: async (page) => {
        await signIn(page, member)
        await page.goto('/dashboard')
        await expect(page.getByText(`${FRIEND.firstName} is coming with you`)).toBeVisible()
      },
    },
  ]
}

/** A companion with an account, and the owner, who sees the place. */
function inviteAMember(): Walk {
  let email: string
  return [
    {
      name: 'admin, overview, a held place',
      open: async (page, site) => {
        const booked = await site.class({ at: '2026-12-07 20:40', title: LONG_TITLE })
        const member = await site.member(NAMES)
        const id = await site.book(member, booked)
        email = (await site.member(FRIEND)).email
        await callApi(member, 'POST', `/api/bookings/${id}/companion`, { ...FRIEND, email })
        await openPage('/admin', `Held for ${FRIEND.firstName}`, 'admin')(page, site)
      },
    },
    {
      name: 'invitation, with an account',
      open: async (page, site) => {
        await openInvitation(page, site, email)
        await expect(page.getByText(`You already have an account for ${email}`)).toBeVisible()
      },
    },
    {
      name: 'invitation, wrong password',
      open: async (page) => {
        await page.getByLabel('Password', { exact: true }).fill('not-the-one')
        await page.getByRole('button', { name: 'Log in' }).click()
        await expect(page.getByText('Invalid username or password')).toBeVisible()
      },
    },
    {
      name: 'invitation, declined',
      open: inTurn(click('button', 'Decline'), (page) => expect(page.getByText(/^Declined/)).toBeVisible()),
    },
  ]
}

export const COMPANION_WALKS: readonly Walk[] = [
  bringAFriend(),
  inviteAMember(),
  [{ name: 'invitation, ended', open: openPage('/auth#invitation=long.ago', 'See our classes') }],
  [
    {
      name: 'invitation, unreachable',
      open: inTurn((page) => failRequests(page, '**/api/invitations*'), openPage('/auth#invitation=a.b', 'Try again')),
    },
  ],
]
