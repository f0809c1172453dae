import { openAsOwner } from '../admin.ts'
import { openMore } from '../member.ts'
import { mockResponse } from '../traffic.ts'
import { createAdminData, expectText, MEMBER_NAME, open, press, STARTED_CLASS } from './admin-data.ts'
import { closeDialog, inTurn, type Walk } from './scene.ts'

export const ADMIN_DAY_WALKS: readonly Walk[] = [
  [
    {
      name: 'admin, overview, attendance',
      open: async (page, site) => {
        await createAdminData(site)
        await site.travelTo('2026-12-08 06:40', page)
        await openAsOwner(page, site)
        await page
          .getByRole('listitem')
          .filter({ hasText: STARTED_CLASS })
          .getByRole('button', { name: 'Came' })
          .first()
          .click()
        await expectText(page, 'Completed')
      },
    },
  ],
  [
    {
      name: 'admin, overview, a quiet day',
      open: async (page, site) => {
        await mockResponse(page, '**/api/admin/sessions?*', 200, [])
        await mockResponse(page, '**/api/admin/bookings?*', 200, [])
        await open('/admin', (adminPage) => expectText(adminPage, 'No bookings yet'))(page, site)
      },
    },
  ],
  [
    {
      name: 'admin, studio settings, own calendar that fails',
      open: async (page, site) => {
        await mockResponse(page, '**/api/admin/own-calendar', 200, {
          host: 'calendar.with-a-rather-long-name.example',
          addedAt: '2026-12-01T09:00:00Z',
          readAt: '2026-12-05T09:00:00Z',
          failingSince: '2026-12-05T09:15:00Z',
          failure: 'refused',
          unreadEvents: 0,
          firstUnread: [],
        })
        await open('/admin?view=settings#own-calendar', (adminPage) => expectText(adminPage, /It has failed since/))(
          page,
          site,
        )
      },
    },
  ],
  [
    {
      name: 'admin, studio settings, own calendar with events that could not be read',
      open: async (page, site) => {
        await mockResponse(page, '**/api/admin/own-calendar', 200, {
          host: 'calendar.example',
          addedAt: '2026-12-01T09:00:00Z',
          readAt: '2026-12-05T09:00:00Z',
          failingSince: null,
          failure: null,
          unreadEvents: 12,
          firstUnread: [
            { day: '2026-12-10', reason: 'date' },
            { day: '2026-12-11', reason: 'rule' },
            { day: null, reason: 'start' },
          ],
        })
        await open('/admin?view=settings#own-calendar', (adminPage) => expectText(adminPage, /12 events could not/))(
          page,
          site,
        )
      },
    },
  ],
  [
    {
      name: 'admin, overview, set-up list',
      open: async (page, site) => {
        const settings = (place: string) => ({ label: 'Open the settings', path: `/admin?view=settings#${place}` })
        await mockResponse(page, '**/api/admin/set-up', 200, {
          done: 2,
          items: [
            {
              item: 'name',
              title: 'Studio and teacher',
              text: 'The Wharfedale and Upper Nidderdale Reformer Pilates Studio, taught by Philippa Fairweather-Bottomley.',
              isDone: true,
              action: null,
              link: settings('name'),
            },
            {
              item: 'address',
              title: 'Address',
              text: 'Still the example: 7 Aldergate Mews, Harrogate HG1 2ZZ.',
              isDone: false,
              action: null,
              link: settings('contact'),
            },
            {
              item: 'hours',
              title: 'Opening hours',
              text: 'Monday to Friday 10:00 - 20:00, Saturday 08:00 - 13:00, Sunday closed.',
              isDone: false,
              action: 'confirm',
              link: settings('hours'),
            },
            {
              item: 'test_email',
              title: 'Test email',
              text: 'Sends an email to owner@aldergate.example. The item is done once the mail server has accepted it.',
              isDone: true,
              action: 'send',
              link: null,
            },
          ],
        })
        await open('/admin', (adminPage) => expectText(adminPage, 'Make it your studio'))(page, site)
      },
    },
  ],
  [
    {
      name: 'admin, overview, needs attention',
      open: async (page, site) => {
        await mockResponse(page, '**/api/admin/attention', 200, [
          {
            kind: 'queue_late',
            about: 'mail',
            since: '2026-12-07T06:10:00Z',
            title: '12 delayed jobs: emails',
            text: 'Delayed jobs are retried automatically until they succeed. The last error was: “421 Service not available, closing transmission channel”.',
            actions: ['send_again'],
            phone: null,
            link: null,
          },
          {
            kind: 'mail_undelivered',
            about: 'philippa.fairweather-bottomley@a-long-name-for-a-mail-provider.example',
            since: '2026-12-06T18:20:00Z',
            title: '3 emails to philippa.fairweather-bottomley@a-long-name-for-a-mail-provider.example did not arrive',
            text: 'The mail server’s reason: “550 5.1.1 no such user”. Correct the address in Users if it is wrong, then send them again.',
            actions: ['send_again', 'done'],
            phone: null,
            link: { label: 'Find in Users', path: '/admin?tab=Users' },
          },
          {
            kind: 'disk_full',
            about: 'all',
            since: null,
            title: 'The server’s disk is nearly full',
            text: '0.8 of 40.0 GB are free. When it is full, nobody can book or pay.',
            actions: [],
            phone: null,
            link: null,
          },
        ])
        await open('/admin', (adminPage) => expectText(adminPage, 'Needs attention'))(page, site)
      },
    },
  ],
  [
    {
      name: 'admin, cancel class',
      open: open('/admin', async (page) => {
        await press(page, /^Cancel class at 07:30, Sunrise/)
        await expectText(page, /1 booking will be cancelled/)
      }),
    },
    {
      name: 'admin, cancel booking',
      open: inTurn(closeDialog, async (page) => {
        await openMore(page, MEMBER_NAME)
        await press(page, `Cancel booking of ${MEMBER_NAME}`)
        await expectText(page, 'Return the credit')
      }),
    },
    {
      name: 'admin, note on a session',
      open: inTurn(closeDialog, async (page) => {
        await press(page, `Note on ${MEMBER_NAME}’s session`)
        await expectText(page, 'Save note')
      }),
    },
    {
      name: 'admin, health of a member',
      open: inTurn(closeDialog, async (page) => {
        await press(page, `Health information of ${MEMBER_NAME}`)
        await expectText(page, /physiotherapy/)
      }),
    },
  ],
  [
    {
      name: 'admin, overview, lists',
      open: async (page, site) => {
        const member = await site.member({ firstName: 'Araminta', lastName: 'Thistlethwaite' })
        await site.grantCredits(member, 1, 1)
        await site.pool.query("update passes set expires_at = '2026-12-15T23:59:59Z' where user_id = $1", [member.id])
        await open('/admin', async (adminPage) => {
          // The lists come after the week.
          await expectText(adminPage, /^Credits that run out within/)
          for (const list of await adminPage.getByRole('region', { name: 'Worth a look' }).locator('summary').all()) {
            await list.click()
          }
          await expectText(adminPage, 'Message members who agreed to news')
        })(page, site)
      },
    },
  ],
]
