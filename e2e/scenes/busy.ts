import type { Page } from '@playwright/test'
import type { Person } from '#testing/person.ts'
import { openTab } from '../admin.ts'
import { busyWeeks, LONG_NAMES, LONG_TITLE, memberWithTwentyBookings } from '../busy.ts'
import { expect, type Site, signIn, succeed } from '../site.ts'
import { heading, inTurn, type Open, type Walk } from './scene.ts'

/** A studio as full as it gets: twelve classes a day, long names and titles, sums of five figures. Made once for each site. */
const members = new WeakMap<Site, Promise<Person>>()
const memberOf = (site: Site) => {
  const known = members.get(site) ?? furnish(site)
  members.set(site, known)
  return known
}

async function furnish(site: Site): Promise<Person> {
  await busyWeeks(site, LONG_TITLE)
  const member = await memberWithTwentyBookings(site)
  const admin = await site.admin()
  const sold = await succeed(admin, 'POST', '/api/packages', {
    name: 'A Year of Mornings, Evenings and Every Second Saturday for Two',
    price: '12345.50',
    classCount: 200,
    validityMonths: 12,
    description: 'For whoever comes more often than they go home, with a place kept by the window and tea afterwards.',
  })
  for (const [i, method] of ['bank_transfer', 'card_reader', 'cash', 'other', 'bank_transfer'].entries()) {
    const buyer = await site.member({ ...LONG_NAMES, firstName: `${LONG_NAMES.firstName} ${i + 1}` })
    const sale = { packageId: sold.id, method, note: 'Paid in full, after a long talk about hamstrings' }
    await succeed(admin, 'POST', `/api/admin/users/${buyer.id}/purchases`, sale)
  }
  return member
}

const asMember =
  (path: string, shown: Open): Open =>
  async (page, site) => {
    await signIn(page, await memberOf(site))
    await page.goto(path)
    await shown(page, site)
  }

const tab =
  (name: string, more = ''): Open =>
  async (page, site) => {
    await memberOf(site)
    await openTab(page, site, name, more)
  }
const wordsOf = (title: string) => (page: Page) =>
  expect(page.getByText(title).filter({ visible: true }).first()).toBeVisible()

/** The main screens of a busy studio; only for pictures, since they need a site of their own. */
export const BUSY_WALKS: readonly Walk[] = [
  [
    { name: 'busy, home', main: true, open: asMember('/', heading(/^Hello/)) },
    { name: 'busy, dashboard', main: true, open: asMember('/dashboard', heading(/^Hello/)) },
    {
      name: 'busy, dashboard, all twenty',
      open: inTurn(
        (page) => page.getByRole('button', { name: 'Show all 20' }).click(),
        heading('Week of Monday 28 December 2026'),
      ),
    },
    {
      name: 'busy, dashboard, detailed',
      main: true,
      open: asMember('/dashboard?view=detailed', heading('Booking History')),
    },
    { name: 'busy, booking', main: true, open: asMember('/booking?date=2026-12-14', wordsOf(LONG_TITLE)) },
    { name: 'busy, pricing', main: true, open: asMember('/pricing', wordsOf('A Year of Mornings')) },
  ],
  [
    { name: 'busy, admin, overview', main: true, open: tab('Overview') },
    { name: 'busy, admin, analytics', main: true, open: tab('Analytics') },
    { name: 'busy, admin, users', main: true, open: tab('Users', '&search=Wilhelmina') },
    { name: 'busy, admin, classes', main: true, open: tab('Classes') },
    { name: 'busy, admin, packages', main: true, open: tab('Packages') },
    { name: 'busy, admin, purchases', open: tab('Packages', '&view=purchases') },
    { name: 'busy, admin, bookings', main: true, open: tab('Bookings') },
  ],
]
