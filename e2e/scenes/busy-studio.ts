import type { Page } from '@playwright/test'
import type { Person } from '#testing/person.ts'
import { openTab } from '../admin.ts'
import { fillFourWeeks, LONG_NAMES, LONG_TITLE, memberWithTwentyBookings } from '../busy-studio.ts'
import { callApi, expect, type Site, signIn } from '../site.ts'
import { heading, inTurn, type Open, type Walk } from './scene.ts'

/** A member of a studio with twelve classes a day, long names and large amounts, created once per site. */
const memberBySite = new WeakMap<Site, Promise<Person>>()
const memberOf = (site: Site) => {
  const known = memberBySite.get(site) ?? createData(site)
  memberBySite.set(site, known)
  return known
}

async function createData(site: Site): Promise<Person> {
  await fillFourWeeks(site, LONG_TITLE)
  const member = await memberWithTwentyBookings(site)
  const admin = await site.admin()
  const sold = await callApi(admin, 'POST', '/api/packages', {
    name: 'A Year of Mornings, Evenings and Every Second Saturday for Two',
    price: '12345.50',
    classCount: 200,
    validityMonths: 12,
    description:
      'For members who come more often than they go home, with a place kept by the window and tea afterwards.',
  })
  for (const [i, method] of ['bank_transfer', 'card_reader', 'cash', 'other', 'bank_transfer'].entries()) {
    const buyer = await site.member({ ...LONG_NAMES, firstName: `${LONG_NAMES.firstName} ${i + 1}` })
    const sale = { packageId: sold.id, method, note: 'Paid in full, after a long talk about hamstrings' }
    await callApi(admin, 'POST', `/api/admin/users/${buyer.id}/purchases`, sale)
  }
  return member
}

const asMember =
  (path: string, expectShown: Open): Open =>
  async (page, site) => {
    await signIn(page, await memberOf(site))
    await page.goto(path)
    await expectShown(page, site)
  }

const tab =
  (name: string, more = ''): Open =>
  async (page, site) => {
    await memberOf(site)
    await openTab(page, site, name, more)
  }
const shows = (title: string) => (page: Page) =>
  expect(page.getByText(title).filter({ visible: true }).first()).toBeVisible()

/** Only for screenshots, because it needs its own site. */
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
    { name: 'busy, booking', main: true, open: asMember('/booking?date=2026-12-14', shows(LONG_TITLE)) },
    { name: 'busy, pricing', main: true, open: asMember('/pricing', shows('A Year of Mornings')) },
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
