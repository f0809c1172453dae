import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { keysOf } from '#foundation/collections.ts'
import { ALIASES, BEHIND_LOGIN, publicPages } from '#site-map.ts'
import { initialFacts } from '#studio.ts'
import type { MailJob, MailName, Mails } from '../mail.ts'
import { renderMail } from './render-mail.ts'
import { monday, sampleMails } from './sample-mails.ts'
import { DARK_MODE_QUERY } from './templates/layout.ts'

const tokenOf = (linkId: string) => `token-of-${linkId}`
const APP = 'https://studio.example/site'
const names = keysOf(sampleMails)
const OF_A_CLASS_TO_COME: MailName[] = [
  'booking-confirmed',
  'booking-rescheduled',
  'class-moved',
  'awaited-class-moved',
  'place-from-waiting-list',
  'place-offered',
  'companion-invited',
  'companion-answered',
  'place-free',
  'class-reminder',
]
const slugsIn = (folder: string) =>
  readdirSync(join(import.meta.dirname, '../../content', folder)).map((file) => file.replace(/\.mdx$/, ''))
const pages = new Set<string>([
  ...publicPages({ articles: slugsIn('articles'), legal: slugsIn('legal') }),
  ...BEHIND_LOGIN,
  ...keysOf(ALIASES),
])
/** What the server answers without a page. `responses.test.ts` calls each. */
const FILES = /^\/(api\/calendar\/[\w-]+\/[\w.-]+|api\/newsletter\/(confirm|unsubscribe)|email-pictures\/[\w-]+\.jpg)$/
const written = <M extends MailName>(mail: M, data: Mails[M] = sampleMails[mail]) =>
  renderMail({ mail, data } as MailJob, APP, { facts: initialFacts, tokenOf })

describe.each(names)('the mail %s', (name) => {
  test('is complete: subject, HTML and text, without undefined values', async () => {
    const mail = await written(name)
    expect(mail.to).toBe(sampleMails[name].to.email)
    for (const part of [mail.subject, mail.html, mail.text]) {
      expect(part).not.toMatch(/undefined|\[object|NaN|Invalid/)
      expect(part.trim()).not.toBe('')
    }
    expect(mail.subject).not.toMatch(/!|\s{2}/)
    expect(mail.html).toContain('<html dir="ltr" lang="en-GB">')
    expect(mail.html.match(/<title>/g)).toHaveLength(1)
    // The dark styles appear once.
    expect(mail.html.split(DARK_MODE_QUERY)).toHaveLength(2)
    expect(mail.text).toContain(initialFacts.name)
    expect(mail.text).not.toMatch(/<[a-z]|tel:/)
    // An address followed by a full stop leads nowhere.
    expect(mail.text).not.toMatch(/https?:\S+[.,]\s/)
  })

  test('has absolute links to the site or the studio only', async () => {
    const { html } = await written(name)
    const links = [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, address]) => address)
    expect(links.length).toBeGreaterThan(2)
    for (const address of links) expect(address).toMatch(/^(https:\/\/studio\.example\/site\/|mailto:|tel:)/)
  })

  test('leads to pages of the site, and to addresses that the site serves', async () => {
    const { html, text } = await written(name)
    const paths = [...`${html} ${text}`.matchAll(/https:\/\/studio\.example\/site(\/[\w/.-]*)/g)].map(
      ([, path = '']) => path,
    )
    const served = (path: string) => pages.has(path) || FILES.test(path)
    expect([...new Set(paths)].filter((path) => !served(path.replace(/(.)[/.]$/, '$1')))).toEqual([])
  })

  test('escapes markup in a name', async () => {
    const to = { ...sampleMails[name].to, firstName: '<script>alert(1)</script>' }
    const { html } = await renderMail({ mail: name, data: { ...sampleMails[name], to } } as MailJob, APP, {
      facts: initialFacts,
      tokenOf,
    })
    expect(html).not.toContain('<script')
  })

  test('loads only the picture of the room or of a letter, and runs no scripts', async () => {
    const { html } = await written(name)
    expect(html).not.toMatch(/<(script|svg|iframe|form|link)\b|url\(|@import/i)
    // The same URL for everyone, so it cannot track who reads a mail.
    const pictures = [...html.matchAll(/<img\b[^>]*>/g)].map(([picture]) => picture)
    if (name === 'studio-message') {
      const shown = `src="${APP}/email-pictures/room-morning.jpg" alt="The studio in the morning" width="510" height="128"`
      expect(pictures).toEqual([expect.stringContaining(shown)])
      return
    }
    expect(pictures).toHaveLength(OF_A_CLASS_TO_COME.includes(name) ? 1 : 0)
    for (const picture of pictures) {
      expect(picture).toContain(`src="${APP}/email-pictures/room-morning.jpg" alt="" width="600"`)
      // A height would leave a hole where pictures are blocked.
      expect(picture).not.toContain(' height=')
    }
  })

  test('contains nothing about anyone’s health', async () => {
    const { subject, html, text } = await written(name)
    const words = /medic|allerg|injur|pregnan|postnatal|condition|diabet|blood|heart|joint|breath|emergency/i
    for (const part of [subject, html.replace(/<[^>]*>/g, ''), text]) expect(part).not.toMatch(words)
  })
})

test.each([
  ['welcome', 'Welcome to Aldergate Pilates'],
  ['receipt', 'Your receipt for 8 Class Pass'],
  ['booking-confirmed', 'Your class on Monday 7 December at 09:30 is booked'],
  ['booking-rescheduled', 'Your class has moved to Monday 7 December at 09:30'],
  ['booking-cancelled', 'Your class on Monday 7 December at 09:30 is cancelled'],
  ['credit-returned', 'Your credit for Monday 7 December at 09:30 is back'],
  ['credits-expire', '3 credits left until Monday 21 December'],
  ['class-cancelled', 'We are sorry: your class on Monday 7 December at 09:30 is cancelled'],
  ['awaited-class-cancelled', 'Reformer Duo on Monday 7 December at 09:30 is cancelled'],
  ['class-moved', 'Your class on Friday 4 December at 10:00 has moved to Monday 7 December at 09:30'],
  [
    'awaited-class-moved',
    'The class you are waiting for on Friday 4 December at 10:00 has moved to Monday 7 December at 09:30',
  ],
  ['account-erased', 'Your account is deleted and your booked classes are cancelled'],
  ['place-from-waiting-list', 'A place for you: your class on Monday 7 December at 09:30 is booked'],
  ['place-free', 'A place is free on Monday 7 December at 09:30'],
  ['class-reminder', 'See you on Monday 7 December at 09:30'],
  ['health-update-notice', 'Ana Silva has saved health information'],
  ['purchase-refunded', 'Your refund of £288.00'],
  ['payment-returned', 'Your payment of £45.50 has been returned'],
] as const)('the subject of %s describes what happened', async (name, subject) => {
  expect((await written(name)).subject).toBe(subject)
})

test('a line break in a name does not break the subject', async () => {
  const { subject } = await written('receipt', {
    ...sampleMails.receipt,
    packageName: '8\r\nBcc: everybody@mail.example',
  })
  expect(subject).toBe('Your receipt for 8 Bcc: everybody@mail.example')
})

test('a mail that is out of date starts with a note and a link', async () => {
  const { text } = await renderMail({ mail: 'booking-confirmed', data: sampleMails['booking-confirmed'] }, APP, {
    facts: initialFacts,
    tokenOf,
    isOutdated: true,
  })
  expect(text).toMatch(/Something has changed since we wrote this email[\s\S]*Hello Ana/)
  expect(text).toContain(`${APP}/dashboard`)
})

describe('the picture of the room', () => {
  test.each([
    ['2026-12-07T06:45:00Z', 'early'],
    ['2026-12-07T09:30:00Z', 'morning'],
    ['2026-12-07T12:00:00Z', 'noon'],
    ['2026-12-07T18:15:00Z', 'evening'],
    // A quarter to five by the studio's clock.
    ['2026-07-06T15:45:00Z', 'evening'],
  ])('of a class at %s shows the light of %s', async (startsAt, hour) => {
    const { html } = await written('class-reminder', {
      ...sampleMails['class-reminder'],
      class: { ...monday, startsAt },
    })
    expect(html).toContain(`${APP}/email-pictures/room-${hour}.jpg`)
    expect(existsSync(join(import.meta.dirname, '../../../public/email-pictures', `room-${hour}.jpg`))).toBe(true)
  })

  test('is not in the plain text, nor in a mail that is out of date', async () => {
    expect((await written('class-reminder')).text).not.toMatch(/letters|jpg|computer-generated/)
    const { html } = await renderMail({ mail: 'class-reminder', data: sampleMails['class-reminder'] }, APP, {
      facts: initialFacts,
      tokenOf,
      isOutdated: true,
    })
    expect(html).not.toContain('<img')
  })
})

describe('the plain text', () => {
  test('has a blank line between paragraphs, numbered steps and the addresses of links', async () => {
    const { text } = await written('welcome')
    expect(text).toBe(
      [
        'Welcome, Ana',
        'Your account is ready. Three steps to your first class:',
        `1. Choose a class pass ${APP}/pricing
2. Fill in the short health questionnaire ${APP}/health so that we can teach you safely
3. Pick a time and book ${APP}/booking`,
        `Choose a class pass ${APP}/pricing`,
        'If you have any questions, reply to this email or call us.',
        '-'.repeat(40),
        `Aldergate Pilates, 7 Aldergate Mews, Harrogate HG1 2ZZ
01632 960147 · hello@aldergate.example`,
      ].join('\n\n'),
    )
  })

  test('describes pictures, keeps the lines of a letter and shows an address once', async () => {
    const { text } = await written('studio-message', {
      ...sampleMails['studio-message'],
      text: `One   line\nand another: ${APP}/contact`,
    })
    expect(text).toContain(`\nOne line\nand another: ${APP}/contact\n`)
    expect(text).toContain('\n\nPicture: The studio in the morning\n\n')
  })
})

test('a receipt shows what was paid, for what, and London dates', async () => {
  const { text } = await written('receipt')
  expect(text).toContain('Receipt number\n12')
  expect(text).toContain('Pass\n8 Class Pass')
  expect(text).toContain('£320.00')
  expect(text.replaceAll('\n', ' ')).toContain('One credit books one place, so two of you need two.')
  expect(text).toContain('Paid on\n01/12/2026')
  expect(text).toContain('Valid until\n30/06/2027')
})

test('emails the owner about a payment from a deleted account', async () => {
  const { subject, text } = await written('payment-returned-notice', {
    ...sampleMails['payment-returned-notice'],
    member: null,
    because: 'member_gone',
  })
  expect(subject).toBe('A payment of £45.50 was returned')
  expect(text).toContain('deleted the account')
  expect(text).not.toContain('Member')
})

test('puts the token of a sign-in link into the fragment, which is not sent to servers', async () => {
  expect((await written('verify-email')).html).toContain(`"${APP}/auth#verify=token-of-one"`)
  expect((await written('set-password')).html).toContain(`"${APP}/auth#reset=token-of-two"`)
})

describe('the calendar file', () => {
  const { uid } = monday.calendar
  test.each([
    ['booking-confirmed', 'class.ics', 'PUBLISH'],
    ['booking-rescheduled', 'class.ics', 'PUBLISH'],
    ['place-from-waiting-list', 'class.ics', 'PUBLISH'],
    ['class-reminder', 'class.ics', 'PUBLISH'],
    ['class-moved', 'class.ics', 'PUBLISH'],
    ['booking-cancelled', 'class-cancelled.ics', 'CANCEL'],
    ['class-cancelled', 'class-cancelled.ics', 'CANCEL'],
  ] as const)('of %s is %s, method %s', async (name, filename, method) => {
    const { attachments, subject, text } = await written(name)
    expect(attachments.map((each) => [each.filename, each.contentType])).toEqual([
      [filename, `text/calendar; charset=utf-8; method=${method}`],
    ])
    expect(attachments[0]?.content).toContain(`METHOD:${method}\r\n`)
    expect(attachments[0]?.content).toContain('SEQUENCE:3\r\n')
    expect(subject.includes('cancelled')).toBe(method === 'CANCEL')
    // Also behind a link, on its own line.
    const link = `\nAdd to calendar ${APP}/api/calendar/${uid}/token-of-calendar:${uid}.ics\n`
    expect(text.includes(link)).toBe(method === 'PUBLISH')
  })
})
