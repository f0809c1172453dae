import type { Page } from '@playwright/test'
import { expect, newEmail, type Site, signIn, succeed } from '../site.ts'
import { answer, hold } from '../traffic.ts'
import { closeDialog, inTurn, type Open, type Walk } from './scene.ts'

/** Somebody with something to look after in tomorrow's first class, made once for each site. */
const casts = new WeakMap<Site, Promise<void>>()
const castOf = (site: Site) => {
  const known = casts.get(site) ?? furnish(site)
  casts.set(site, known)
  return known
}

const NAME = 'Philippa Fairweather-Bottomley'
const BEGUN = 'Daybreak Reformer'
async function furnish(site: Site): Promise<void> {
  const [firstName = '', lastName = ''] = NAME.split(' ')
  const member = await site.member({ firstName, lastName, health: true, credits: 3 })
  await succeed(member, 'POST', '/api/health/questionnaire', {
    hasHeartCondition: true,
    hasBackProblems: true,
    previousInjuries: 'Left knee, physiotherapy finished in spring.\nRight wrist when the weather turns.',
    pregnancyStatus: 'postnatal',
    fitnessGoals: 'To lift my daughter without thinking about it',
  })
  const held = await site.class({ at: '2026-12-08 07:30', title: 'Sunrise Reformer' })
  await site.books(member, held)
  const early = await site.class({ at: '2026-12-08 06:30', title: BEGUN })
  await site.books(member, early)
  await site.books(await site.member({ firstName: 'Winifred', lastName: 'Holroyd', health: true, credits: 1 }), early)
}

const open =
  (path: string, next: (page: Page) => Promise<unknown>): Open =>
  async (page, site) => {
    await castOf(site)
    await signIn(page, await site.admin())
    await page.goto(path)
    await next(page)
  }
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()
const shows = (page: Page, text: string | RegExp) => expect(page.getByText(text).first()).toBeVisible()

/** The states and dialogs behind Overview, Analytics, Bookings and Health Updates. */
export const ADMIN_DAY_WALKS: readonly Walk[] = [
  [
    {
      name: 'admin, overview, attendance',
      open: async (page, site) => {
        await castOf(site)
        await site.itIs('2026-12-08 06:40', page)
        await signIn(page, await site.admin())
        await page.goto('/admin')
        await page
          .getByRole('listitem')
          .filter({ hasText: BEGUN })
          .getByRole('button', { name: 'Came' })
          .first()
          .click()
        await shows(page, 'Completed')
      },
    },
  ],
  [
    {
      name: 'admin, overview, a quiet day',
      open: async (page, site) => {
        await answer(page, '**/api/admin/sessions?*', 200, [])
        await answer(page, '**/api/admin/bookings?*', 200, [])
        await open('/admin', (there) => shows(there, 'No bookings yet'))(page, site)
      },
    },
  ],
  [
    {
      name: 'admin, overview, needs attention',
      open: async (page, site) => {
        await answer(page, '**/api/admin/attention', 200, [
          {
            kind: 'queue_late',
            about: 'mail',
            since: '2026-12-07T06:10:00Z',
            title: 'Late: emails (12)',
            text: 'They are tried again by themselves until they get through. The last answer was: “421 Service not available, closing transmission channel”.',
            actions: ['send_again'],
            link: null,
          },
          {
            kind: 'mail_undelivered',
            about: 'philippa.fairweather-bottomley@a-long-name-for-a-mail-provider.example',
            since: '2026-12-06T18:20:00Z',
            title: '3 emails to philippa.fairweather-bottomley@a-long-name-for-a-mail-provider.example did not arrive',
            text: 'The mail server says: “550 5.1.1 no such user”. Correct the address in Users if it is wrong, then send them again.',
            actions: ['send_again', 'done'],
            link: { label: 'Find in Users', path: '/admin?tab=Users' },
          },
          {
            kind: 'disk_full',
            about: 'all',
            since: null,
            title: 'The server’s disk is nearly full',
            text: '0.8 of 40.0 GB are free. When nothing is, nobody can book or pay.',
            actions: [],
            link: null,
          },
        ])
        await open('/admin', (there) => shows(there, 'Needs attention'))(page, site)
      },
    },
  ],
  [
    {
      name: 'admin, cancel class',
      open: open('/admin', async (page) => {
        await press(page, /^Cancel class at 07:30, Sunrise/)
        await shows(page, /1 booking cancelled/)
      }),
    },
    {
      name: 'admin, cancel booking',
      open: inTurn(closeDialog, async (page) => {
        await press(page, `Cancel booking of ${NAME}`)
        await shows(page, 'Return the credit')
      }),
    },
    {
      name: 'admin, health of a member',
      open: inTurn(closeDialog, async (page) => {
        await press(page, `Health information of ${NAME}`)
        await shows(page, /physiotherapy/)
      }),
    },
  ],
  [
    {
      name: 'admin, overview, lists',
      open: async (page, site) => {
        const member = await site.member({ firstName: 'Araminta', lastName: 'Thistlethwaite' })
        await site.gives(member, 1, 1)
        await site.pool.query("update passes set expires_at = '2026-12-15T23:59:59Z' where user_id = $1", [member.id])
        await open('/admin', async (there) => {
          await shows(there, 'Worth a look')
          for (const list of await there.getByRole('region', { name: 'Worth a look' }).locator('summary').all()) {
            await list.click()
          }
          await shows(there, 'Message those of them')
        })(page, site)
      },
    },
  ],
  [
    {
      name: 'admin, messages',
      open: async (page, site) => {
        await castOf(site)
        const { id } = await site.class({ at: '2026-12-09 19:05', title: 'Evening Stretch' })
        const member = await site.member({ firstName: 'Wilhelmina', lastName: 'Ogden', health: true, credits: 1 })
        await site.books(member, { id })
        const words = { subject: 'A word about tomorrow', text: 'Hello {firstName},\n\nplease bring socks.' }
        await succeed(await site.admin(), 'POST', '/api/admin/messages', { audience: { classId: id }, ...words })
        await open('/admin?view=messages&to=days:2026-12-08..2026-12-09', async (there) => {
          await there.getByText('Names, addresses and phone numbers').click()
          await there.getByText('Message and outcome').first().click()
          await shows(there, 'please bring socks')
        })(page, site)
      },
    },
    {
      name: 'admin, messages, preview',
      open: async (page) => {
        await press(page, 'Running late')
        await press(page, 'Preview')
        await expect(page.getByRole('dialog').getByRole('article')).toBeVisible()
      },
    },
  ],
  [
    {
      name: 'admin, analytics, tables',
      open: open('/admin?tab=Analytics', async (page) => {
        await expect(page.locator('.recharts-bar-rectangle').first()).toBeAttached()
        for (const summary of await page.getByText('As a table').all()) await summary.click()
      }),
    },
  ],
  [
    {
      name: 'admin, analytics, nothing',
      alike: true,
      open: open('/admin?tab=Analytics&from=2020-01-01&to=2020-02-01', (page) =>
        shows(page, 'Nothing in this period.'),
      ),
    },
  ],
  [
    {
      name: 'admin, manage a booking',
      open: open('/admin?tab=Bookings&search=Fairweather', async (page) => {
        await press(page, /^Manage the booking of Philippa .* 07:30/)
        await page.getByRole('dialog').getByText('History').click()
        await expect(page.getByRole('dialog').getByText('Nothing has been changed yet.')).toBeVisible()
      }),
    },
    {
      name: 'admin, book for a member, whom',
      open: inTurn(closeDialog, async (page) => {
        await press(page, 'Book for a member')
        await expect(page.getByRole('dialog').getByRole('option').first()).toBeVisible()
      }),
    },
    {
      name: 'admin, book for a member, nobody fits',
      alike: true,
      open: async (page) => {
        await page.getByRole('combobox').fill('zelda Quist-Featherstonehaugh')
        await shows(page, 'Nobody fits.')
      },
    },
    {
      name: 'admin, add member',
      open: async (page) => {
        await press(page, 'Add member')
        await page.getByRole('dialog', { name: 'Add member' }).getByRole('button', { name: 'Add member' }).click()
        await shows(page, 'Invalid email address')
      },
    },
    {
      name: 'admin, a new member has no credits',
      open: async (page) => {
        const dialog = page.getByRole('dialog', { name: 'Add member' })
        await dialog.getByLabel('Email').fill(newEmail('zelda'))
        await dialog.getByLabel('Phone').fill('+44 (0)1632 960-122')
        await dialog.getByRole('button', { name: 'Add member' }).click()
        await shows(page, 'Zelda has been added')
      },
    },
  ],
  [
    {
      name: 'admin, import, looked at',
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
        await shows(page, /no whole number of credits/)
      }),
    },
  ],
  [
    {
      name: 'admin, an invited member',
      open: async (page, site) => {
        const email = newEmail('marmaduke')
        const form = { firstName: 'Marmaduke', lastName: 'Featherstonehaugh', email, phone: '01632 960 123' }
        const { id } = await succeed(await site.admin(), 'POST', '/api/admin/users', form)
        await open(`/admin?tab=Users&user=${id}`, (there) => shows(there, 'Send invitation again'))(page, site)
      },
    },
  ],
  [
    {
      name: 'admin, bookings, nothing fits',
      open: open('/admin?tab=Bookings&status=no_show&search=Nobody+of+this+name', (page) =>
        shows(page, 'No booking fits'),
      ),
    },
    {
      name: 'admin, bookings, a calendar',
      open: async (page) => {
        const shown = page.getByRole('dialog', { name: 'Classes to' })
        // A walk that goes on at another width finds it open already.
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
      alike: true,
      open: async (page, site) => {
        await hold(page, '**/api/admin/health-updates?*')
        await open('/admin?tab=Health+Updates', (there) => shows(there, 'Loading health updates...'))(page, site)
      },
    },
  ],
]
