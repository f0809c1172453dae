import { jpeg } from '#pictures/server/pictures-under-test.ts'
import { callApi, expect, newEmail } from '../site.ts'
import { holdRequests } from '../traffic.ts'
import { createAdminData, expectText, open, press } from './admin-data.ts'
import { closeDialog, inTurn, type Walk } from './scene.ts'

export const ADMIN_LIST_WALKS: readonly Walk[] = [
  [
    {
      name: 'admin, messages',
      open: async (page, site) => {
        await createAdminData(site)
        const { id } = await site.class({ at: '2026-12-09 19:05', title: 'Evening Stretch' })
        const member = await site.member({ firstName: 'Wilhelmina', lastName: 'Ogden', health: true, credits: 1 })
        await site.book(member, { id })
        const words = { subject: 'A word about tomorrow', text: 'Hello {firstName},\n\nplease bring socks.' }
        await callApi(await site.admin(), 'POST', '/api/admin/messages', { audience: { classId: id }, ...words })
        await open('/admin?view=messages&to=days:2026-12-08..2026-12-09', async (adminPage) => {
          await adminPage.getByText('Names, addresses and phone numbers').click()
          await adminPage.getByText('Message and outcome').first().click()
          await expectText(adminPage, 'please bring socks')
        })(page, site)
      },
    },
    {
      name: 'admin, messages, preview',
      open: async (page) => {
        await press(page, 'Running late')
        const file = { name: 'room.jpg', mimeType: 'image/jpeg', buffer: await jpeg() }
        await page.getByLabel('Add a picture').setInputFiles(file)
        await page.getByLabel('What picture 1 shows').fill('A reformer by the window')
        await press(page, 'Preview')
        await expect(page.getByRole('dialog').getByRole('article')).toBeVisible()
      },
    },
  ],
  [
    {
      name: 'admin, analytics, tables',
      open: inTurn(
        (_page, site) =>
          site.pool.query(
            "insert into vitals (at, page, metric, value) values ('2026-12-06', '/blog/choosing-your-first-class', 'LCP', 1900)",
          ),
        open('/admin?tab=Analytics', async (page) => {
          await expect(page.locator('th > .bg-sage').first()).toBeVisible()
          await expect(page.getByRole('region', { name: 'Fill rate by class', exact: true })).toContainText('Monday')
          await expect(page.getByRole('region', { name: 'Speed', exact: true })).toContainText('1.9 s')
        }),
      ),
    },
  ],
  [
    {
      name: 'admin, analytics, card payouts of a tax year',
      open: open('/admin?tab=Analytics', async (page) => {
        await page.getByRole('combobox', { name: 'Period', exact: true }).selectOption('Tax year')
        await page.getByLabel('Tax year', { exact: true }).selectOption({ index: 0 })
        await page.getByText(/^\d+ card payouts?,/).click()
        await expect(page.getByRole('region', { name: 'Card payouts, as a table' })).toBeVisible()
      }),
    },
  ],
  [
    {
      name: 'admin, analytics, nothing',
      isScreenshotOnly: true,
      open: open('/admin?tab=Analytics&from=2020-01-01&to=2020-02-01', (page) =>
        expectText(page, 'Nothing in this period.'),
      ),
    },
  ],
  [
    {
      name: 'admin, manage a booking',
      open: open('/admin?tab=Bookings&search=Fairweather', async (page) => {
        await press(page, /^Manage the booking of Philippa .* 07:30/)
        await page.getByRole('dialog').getByText('History').click()
        await expect(page.getByRole('dialog').getByText('No changes yet.')).toBeVisible()
      }),
    },
    {
      name: 'admin, book for a member, search',
      open: inTurn(closeDialog, async (page) => {
        await press(page, 'Book for a member')
        await expect(page.getByRole('dialog').getByRole('option').first()).toBeVisible()
      }),
    },
    {
      name: 'admin, book for a member, no matches',
      isScreenshotOnly: true,
      open: async (page) => {
        await page.getByRole('combobox').fill('zelda Quist-Featherstonehaugh')
        await expectText(page, 'No member matches.')
      },
    },
    {
      name: 'admin, add member',
      open: async (page) => {
        await press(page, 'Add member')
        await page.getByRole('dialog', { name: 'Add member' }).getByRole('button', { name: 'Add member' }).click()
        await expectText(page, 'Please enter an email address')
      },
    },
    {
      name: 'admin, add member without email',
      open: async (page) => {
        const dialog = page.getByRole('dialog', { name: 'Add member' })
        await dialog.getByLabel('They are not online').check()
        await dialog.getByRole('button', { name: 'Add member' }).click()
        await expectText(page, 'Please enter a phone number')
        await dialog.getByLabel('They are not online').uncheck()
      },
    },
    {
      name: 'admin, a new member has no credits',
      open: async (page) => {
        const dialog = page.getByRole('dialog', { name: 'Add member' })
        await dialog.getByLabel('Email').fill(newEmail('zelda'))
        await dialog.getByLabel('Phone').fill('+44 (0)1632 960-122')
        await dialog.getByRole('button', { name: 'Add member' }).click()
        await expectText(page, 'Zelda has been added')
      },
    },
  ],
  [
    {
      name: 'admin, import, preview',
      open: open('/admin?view=import', async (page) => {
        const csv = [
          'First name,Last name,Email,Phone,Visits Remaining,Expiration Date,Pricing Option',
          `Wilhelmina-Josephine,Featherstonehaugh-Cholmondeley,${newEmail('wilhelmina')},01632 960124,8,31/01/2027,8 Class Pass`,
          `Ida,Holm,${newEmail('ida')},,5,,Ten Class Pack (legacy, not sold)`,
          'Ann,,nobody,call me,unlimited,12/31/2026,',
        ].join('\n')
        const buffer = Buffer.from(csv.replace('Pack (legacy, not sold)', 'Pack'))
        await page.getByLabel('CSV file').setInputFiles({ name: 'members.csv', mimeType: 'text/csv', buffer })
        await page.getByLabel('Show').selectOption('All rows')
        await expectText(page, /not a whole number of credits/)
      }),
    },
  ],
  [
    {
      name: 'admin, an invited member',
      open: async (page, site) => {
        const email = newEmail('marmaduke')
        const form = { firstName: 'Marmaduke', lastName: 'Featherstonehaugh', email, phone: '01632 960 123' }
        const { id } = await callApi(await site.admin(), 'POST', '/api/admin/users', form)
        await open(`/admin?tab=Users&user=${id}`, (adminPage) => expectText(adminPage, 'Send invitation again'))(
          page,
          site,
        )
      },
    },
  ],
  [
    {
      name: 'admin, bookings, today first',
      open: open('/admin?tab=Bookings&order=class', (page) => expectText(page, 'Before today')),
    },
    {
      name: 'admin, bookings, no matches',
      open: open('/admin?tab=Bookings&status=no_show&search=Nobody+of+this+name', (page) =>
        expectText(page, 'No bookings match'),
      ),
    },
    {
      name: 'admin, bookings, a calendar',
      open: async (page) => {
        const shown = page.getByRole('dialog', { name: 'Classes to' })
        // At the next width it is already open.
        if ((await shown.count()) === 0) await page.getByRole('button', { name: /^Classes to / }).click()
        await expect(shown).toBeVisible()
      },
    },
  ],
  [
    {
      name: 'admin, health updates, access log',
      open: open('/admin?tab=Health+Updates&search=Fairweather', async (page) => {
        await page.getByText(/^Access log/).click()
        await expect(page.getByRole('table', { name: 'Access log' })).toBeVisible()
      }),
    },
  ],
  [
    {
      name: 'admin, health updates, loading',
      isScreenshotOnly: true,
      open: async (page, site) => {
        await holdRequests(page, '**/api/admin/health-updates?*')
        await open('/admin?tab=Health+Updates', (adminPage) => expectText(adminPage, 'Loading health updates...'))(
          page,
          site,
        )
      },
    },
  ],
]
