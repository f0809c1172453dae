import type { Page } from '@playwright/test'
import { jpeg } from '#pictures/server/pictures-under-test.ts'
import { Person } from '#testing/person.ts'
import {
  buyPackage,
  chooseDay,
  chooseSeveral,
  createWeeklySeries,
  expectTabLoaded,
  follow,
  openTab,
  packageNamed,
} from '../admin.ts'
import { openMore } from '../member.ts'
import { callApi, expect, type Site } from '../site.ts'
import { mockResponse } from '../traffic.ts'
import { createCode } from './checkout.ts'
import { openPage } from './members.ts'
import { click, closeDialog, inTurn, type Open, type Walk } from './scene.ts'

/** A member with purchases, notes and changes, and a series with bookings, created once per site. */
const dataBySite = new WeakMap<Site, Promise<{ memberId: string }>>()
const dataOf = (site: Site) => {
  const known = dataBySite.get(site) ?? createData(site)
  dataBySite.set(site, known)
  return known
}

const SERIES = 'Stretch and Strengthen'
async function createData(site: Site) {
  const member = await site.member({ firstName: 'Rosamund', lastName: 'Pickersgill', health: true, credits: 6 })
  const friend = await site.member({ firstName: 'Agnes', lastName: 'Thwaite', health: true, credits: 2 })
  const waiting = await site.member({ firstName: 'Winifred', lastName: 'Holroyd', health: true, credits: 2 })
  const first = await createWeeklySeries(site, SERIES, '2026-12-08 15:00', '2027-01-26')
  await site.book(member, first)
  await site.book(friend, first)
  await waiting.request('POST', `/api/classes/${first.id}/waitlist`)
  await buyPackage(site, member, '232.00')
  const admin = await site.admin()
  const packages: { id: number; classCount: number }[] = await callApi(admin, 'GET', '/api/packages')
  const packageId = packages.find(({ classCount }) => classCount === 4)?.id
  for (const [method, note] of [
    ['cash', 'Change from a hundred'],
    ['bank_transfer', ''],
  ]) {
    const sale = { packageId, method, note }
    const sold = await callApi(admin, 'POST', `/api/admin/users/${member.id}/purchases`, sale)
    if (method !== 'cash') await callApi(admin, 'DELETE', `/api/admin/users/${member.id}/purchases/${sold.id}`)
  }
  const note = 'Prefers the reformer by the window, and mornings.\nBrings her sister once a month.'
  await admin.request('POST', `/api/admin/users/${member.id}/notes`, { text: note })
  await admin.request('PUT', `/api/admin/users/${member.id}`, { lastName: 'Pickersgill-Lowe' })
  await admin.request('PUT', `/api/classes/${first.id}`, { description: 'Slow, with long springs.' })
  return { memberId: member.id }
}

const open =
  (tab: string, more: string, next: Open = async () => {}): Open =>
  async (page, site) => {
    const data = await dataOf(site)
    await openTab(page, site, tab, more.replace(':member', data.memberId))
    await next(page, site)
  }
const dialog = (page: Page) => page.getByRole('dialog')
const opened =
  (name: string | RegExp, shows?: string | RegExp) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('button', { name }).first().click()
    await expect(dialog(page)).toBeVisible()
    if (shows) await expect(dialog(page).getByText(shows).first()).toBeVisible()
  }
/** As `opened`, from the first menu of a row. */
const openedFrom =
  (of: string, name: string | RegExp, shows?: string | RegExp) =>
  async (page: Page): Promise<void> => {
    await openMore(page, of)
    await opened(name, shows)(page)
  }
/** As `opened`, from the first menu of a purchase that has it. */
const openedFromSome =
  (action: string, shows: string) =>
  async (page: Page): Promise<void> => {
    const name = new RegExp(`^${action} .*Pickersgill`)
    for (const menu of await page.getByRole('button', { name: /^More for .*Pickersgill/ }).all()) {
      await menu.click()
      if (await page.getByRole('button', { name }).isVisible()) break
      await page.keyboard.press('Escape')
    }
    await opened(name, shows)(page)
  }
const FOUND = '&search=Pickersgill'
const EDIT = `Edit ${SERIES} on 08/12/2026 at 15:00`

async function sellVoucher(site: Site): Promise<void> {
  const buyer = await site.member({ firstName: 'Beatrix' })
  const { id } = await packageNamed(site, '8 Class Pass')
  const gift = {
    recipientName: 'Wilhelmina Featherstonehaugh-Cholmondeley',
    recipientEmail: 'wilhelmina.featherstonehaugh@gifts.example',
    message: 'Happy birthday!',
  }
  const body = { packageId: id, method: 'cash', gift }
  await callApi(await site.admin(), 'POST', `/api/admin/users/${buyer.id}/vouchers`, body)
}

export const ADMIN_WALKS: readonly Walk[] = [
  [
    { name: 'admin, overview', main: true, open: openPage('/admin', 'Recent Bookings', 'admin') },
    ...['Analytics', 'Users', 'Classes', 'Packages', 'Bookings', 'Health Updates'].map((tab) => ({
      name: `admin, ${tab.toLowerCase()}`,
      main: true as const,
      open: async (page: Page) => {
        await follow(page, tab)
        await expectTabLoaded(page, tab)
      },
    })),
  ],
  [
    { name: 'admin, gift credits', open: open('Users', FOUND, opened(/^Gift Credits/, 'Package')) },
    {
      name: 'admin, edit user',
      open: inTurn(closeDialog, opened(/^Edit/), async (page) => {
        await page.getByText('History').click()
        await expect(dialog(page).getByText('Last name: Pickersgill →')).toBeVisible()
      }),
    },
    { name: 'admin, delete user', open: inTurn(closeDialog, opened(/^Delete/, 'What we delete')) },
  ],
  [
    {
      name: 'admin, paper health form',
      open: async (page, site) => {
        const names = { firstName: 'Winifred', lastName: 'Featherstonehaugh-Cholmondeley' }
        const body = { ...names, phone: '01423 960 111' }
        const member: { id: string } = await callApi(await site.admin(), 'POST', '/api/admin/users', body)
        await openTab(page, site, 'Users', `&user=${member.id}`)
        await openedFrom('Winifred', 'Health form', 'Emergency Contact')(page)
      },
    },
  ],
  [
    {
      name: 'admin, pause pass',
      open: open('Users', '&user=:member', opened(/^Pause/, /^The pass will be valid until/)),
    },
    { name: 'admin, extend pass', open: inTurn(closeDialog, opened(/^Extend/, 'New last day')) },
  ],
  [
    {
      name: 'admin, regular booking for a member',
      open: open('Users', '&user=:member', opened('Set up a regular booking', 'First class')),
    },
    { name: 'admin, regular booking for two', open: click('checkbox', 'A companion comes too') },
    {
      name: 'admin, regular bookings',
      open: async (page, site) => {
        const repeats = { isRepeating: true, repeatFrequency: 'weekly', repeatUntilDate: '2027-01-29' }
        const times = { date: '2026-12-19', startTime: '06:50', endTime: '07:35', maxParticipants: 2 }
        const admin = await site.admin()
        const made: { id: number } = await callApi(admin, 'POST', '/api/classes', {
          title: 'Early Saturday',
          ...times,
          ...repeats,
        })
        const names = { firstName: 'Wilhelmina-Theodora', lastName: 'Featherstonehaugh-Cholmondeley' }
        const member = await site.member({ ...names, health: true, credits: 4 })
        await callApi(member, 'POST', '/api/user/regular-bookings', { classId: made.id })
        await openTab(page, site, 'Classes')
        await openedFrom('Classes', 'Regular bookings', 'Every Saturday at 06:50')(page)
      },
    },
    {
      name: 'admin, end a regular booking',
      open: opened(/^End Every Saturday at 06:50/, 'Classes that are booked already'),
    },
  ],
  [{ name: 'admin, users, no matches', isScreenshotOnly: true, open: open('Users', '&search=Nobody+of+this+name') }],
  [
    {
      name: 'admin, complaints about data',
      open: async (page, site) => {
        const sent = { name: 'Winifred Featherstonehaugh-Cholmondeley', email: '', otherContact: '01632 960111' }
        const received = { channel: 'letter', receivedOn: '2026-11-30', complaint: 'You kept my number.' }
        await callApi(await site.admin(), 'POST', '/api/admin/data-complaints', { ...sent, ...received })
        await openTab(page, site, 'Users', '&complaints=open')
        await expect(dialog(page).getByText('You kept my number.').first()).toBeVisible()
      },
    },
    {
      name: 'admin, record a complaint',
      open: async (page) => {
        await dialog(page).getByRole('button', { name: 'Record a complaint' }).click()
        await expect(page.getByLabel('Another way to answer them')).toBeVisible()
      },
    },
  ],
  [
    {
      name: 'admin, a member',
      open: open('Users', '&user=:member', (page) => expect(page.getByText('Prefers the reformer')).toBeVisible()),
    },
    { name: 'admin, book for a member', isScreenshotOnly: true, open: opened('Book a class', 'Class') },
    { name: 'admin, record a sale', open: inTurn(closeDialog, opened('Record a sale', 'Paid by')) },
    {
      name: 'admin, sell a voucher',
      open: inTurn(closeDialog, openedFrom('Rosamund', 'Sell voucher', 'Who is it for?')),
    },
  ],
  [
    {
      name: 'admin, classes, two chosen',
      open: inTurn(open('Classes', ''), async (page) => {
        await chooseSeveral(page)
        const boxes = page.getByRole('checkbox', { name: /^Choose/ })
        await boxes.nth(0).check()
        await boxes.nth(1).check()
        // Ticking scrolls, and a target half under the header fails axe's size check.
        await page.evaluate(() => window.scrollTo(0, 0))
      }),
    },
    { name: 'admin, classes, moved together', open: opened('Move', 'Direction') },
  ],
  [{ name: 'admin, classes as a week', open: open('Classes', '&view=week') }],
  [
    {
      name: 'admin, my sign-in',
      open: async (page, site) => {
        await openTab(page, site, 'Overview')
        await follow(page, 'My sign-in')
        await expect(page.getByText('This device', { exact: true })).toBeVisible()
      },
      isScreenshotOnly: true,
    },
  ],
  [
    {
      name: 'admin, studio settings',
      open: async (page, site) => {
        await openTab(page, site, 'Overview')
        await follow(page, 'Studio settings')
        await expect(page.getByRole('form', { name: 'Studio settings' })).toBeVisible()
      },
    },
    {
      name: 'admin, studio settings, wrong',
      open: async (page) => {
        const form = page.getByRole('form', { name: 'Studio settings' })
        await form.getByLabel('Friday closes').fill('09:00')
        await form
          .getByLabel('Notice at the top of every page')
          .fill('We are closed over Christmas, and back on 2 January.')
        await form.getByRole('button', { name: 'Save' }).click()
        await expect(form.getByText('The closing time must be after the opening time')).toBeVisible()
      },
    },
  ],
  [
    {
      name: 'admin, studio settings, a picture of her own and one that was refused',
      open: async (page, site) => {
        await openTab(page, site, 'Overview')
        await page.goto('/admin?view=settings#pictures')
        const form = page.getByRole('form', { name: 'Studio settings' })
        const [duo, portrait] = ['Duo', 'Portrait of the teacher'].map((name) =>
          form.getByRole('listitem', { name, exact: true }),
        )
        const file = { name: 'room.jpg', mimeType: 'image/jpeg' }
        await duo?.locator('input[type=file]').setInputFiles({ ...file, buffer: await jpeg() })
        await expect(form.getByText('Shows your picture once you press Save.')).toBeVisible()
        await portrait?.locator('input[type=file]').setInputFiles({ ...file, buffer: Buffer.from('%PDF-1.7') })
        await expect(form.getByText('Please choose a picture in JPEG, PNG, WebP or AVIF format.')).toBeVisible()
      },
    },
  ],
  [
    {
      name: 'admin, security record',
      open: async (page, site) => {
        await dataOf(site)
        await new Person(site.origin, 'Nobody').request('POST', '/api/login', {
          username: 'nobody',
          password: 'wrong!',
        })
        await openTab(page, site, 'Overview')
        await page.goto('/admin?view=security')
        await expect(page.getByRole('list', { name: 'Security record' })).toBeVisible()
      },
    },
    {
      name: 'admin, security record, no matches',
      isScreenshotOnly: true,
      open: async (page) => {
        await page.getByLabel('Search by name or email').fill('nobody of this name')
        await expect(page.getByText('Nothing on record matches')).toBeVisible()
      },
    },
  ],
  [
    {
      name: 'admin, what we keep',
      open: async (page, site) => {
        await openTab(page, site, 'Overview')
        await page.goto('/admin?view=what-we-keep')
        await expect(page.getByRole('list', { name: 'What we keep' })).toBeVisible()
      },
    },
  ],
  [
    {
      name: 'admin, delete class',
      open: open('Classes', '', opened(`Delete ${EDIT.slice('Edit '.length)}`, /2 bookings/)),
    },
    {
      name: 'admin, edit class',
      open: inTurn(closeDialog, opened(EDIT, 'Agnes Thwaite'), async (page) => {
        await dialog(page)
          .getByLabel(/^All \d+ classes/)
          .check()
        await dialog(page)
          .getByLabel(/^Active/)
          .uncheck()
      }),
    },
    {
      name: 'admin, close days',
      open: inTurn(closeDialog, openedFrom('Classes', 'Close Days', 'Reason'), async (page) => {
        await chooseDay(dialog(page), 'First day', '2026-12-08')
        await expect(dialog(page).getByText('Classes to cancel')).toBeVisible()
      }),
    },
    {
      name: 'admin, close part of a day',
      open: async (page) => {
        await dialog(page).getByLabel('Part of the day').check()
        await expect(dialog(page).getByLabel('From', { exact: true })).toHaveValue('07:00')
      },
    },
    {
      name: 'admin, edit class, the email',
      open: inTurn(closeDialog, opened(EDIT, 'Agnes Thwaite'), async (page) => {
        await dialog(page).getByLabel('Start time').fill('15:15')
        await dialog(page).getByRole('button', { name: 'See the email' }).click()
        await expect(dialog(page).getByRole('article').first()).toBeVisible()
      }),
    },
    {
      name: 'admin, timetable',
      open: inTurn(closeDialog, openedFrom('Classes', 'Timetable', 'Add a class')),
    },
    {
      name: 'admin, fill the calendar',
      open: inTurn(closeDialog, opened('Fill the calendar', /in all$/), async (page) => {
        await dialog(page).getByText('Monday 09:30').first().click()
      }),
    },
    {
      name: 'admin, create class',
      open: inTurn(closeDialog, opened('Create Class'), async (page) => {
        await dialog(page).getByLabel('Start time').fill('18:00')
        await dialog(page).getByLabel('End time').fill('17:00')
        await dialog(page).getByLabel('Repeat this class').check()
        await dialog(page)
          .getByRole('button', { name: /^Repeat until/ })
          .click()
        await expect(dialog(page).getByRole('grid')).toBeVisible()
      }),
    },
  ],
  [
    {
      name: 'admin, edit class, changed in the meantime',
      isScreenshotOnly: true,
      open: open('Classes', '', async (page) => {
        const message = 'Someone else has changed this since you opened it. Reload and check it again.'
        await mockResponse(page, '**/api/classes/*', 409, { message }, 'PUT')
        await opened(EDIT, 'Agnes Thwaite')(page)
        await dialog(page).getByRole('button', { name: 'Save' }).click()
        await expect(dialog(page).getByRole('alert')).toBeVisible()
      }),
    },
  ],
  [
    { name: 'admin, create package', open: open('Packages', '', opened('Create Package')) },
    {
      name: 'admin, package with a next price',
      open: inTurn(closeDialog, opened(/^Edit 8 Class/), async (page) => {
        await dialog(page).getByRole('button', { name: 'Plan another price from a date' }).click()
      }),
    },
    { name: 'admin, delete package', isScreenshotOnly: true, open: inTurn(closeDialog, opened(/^Delete 8 Class/)) },
  ],
  [
    { name: 'admin, codes', open: inTurn((_page, site) => createCode(site), open('Packages', '&view=codes')) },
    { name: 'admin, create code', open: opened('Create Code') },
  ],
  [
    { name: 'admin, vouchers', open: inTurn((_page, site) => sellVoucher(site), open('Packages', '&view=vouchers')) },
    { name: 'admin, send voucher', open: openedFrom('the voucher for Wilhelmina', /^Send again/) },
    { name: 'admin, extend voucher', open: inTurn(closeDialog, openedFrom('the voucher for Wilhelmina', /^Extend/)) },
    {
      name: 'admin, void voucher',
      isScreenshotOnly: true,
      open: inTurn(closeDialog, openedFrom('the voucher for Wilhelmina', /^Void/)),
    },
  ],
  [
    { name: 'admin, purchases', open: open('Packages', '&view=purchases') },
    { name: 'admin, refund', open: openedFromSome('Refund', 'Processing fee') },
    {
      name: 'admin, paid another way',
      open: inTurn(closeDialog, openedFromSome('Paid another way', 'nothing is sent to a card')),
    },
    {
      name: 'admin, void a sale',
      isScreenshotOnly: true,
      open: inTurn(closeDialog, openedFromSome('Void', 'by mistake')),
    },
  ],
]
