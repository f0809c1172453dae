import { createElement as h, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { keysOf } from '#foundation/collections.ts'
import { formatInstant } from '#foundation/instants.ts'
import { initialFacts } from '#studio.ts'
import type { MailJob } from '../mail.ts'
import type { TextRow } from '../tables.ts'
import type { StoredMail } from './mailbox-files.ts'
import { renderMail } from './render-mail.ts'
import { ana, monday, sampleMails } from './sample-mails.ts'
import { DARK_MODE_QUERY } from './templates/layout.ts'

const STYLE = `
:root { color-scheme: light; background: #FBF8F3; color: #2B2722; font: 17px/1.6 Figtree, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif }
body { max-width: 52rem; margin: 0 auto; padding: 2.5rem 1.25rem 5rem; overflow-wrap: anywhere }
h1 { font: 400 2.25rem/1.1 'Instrument Serif', Georgia, serif; letter-spacing: -.01em; margin: 0 0 .5rem }
p { margin: 0 0 1.5rem; color: #564E45 }
a { color: #4A503D }
a:focus-visible, summary:focus-visible, iframe:focus-visible { outline: 2px solid #4A503D; outline-offset: 3px }
ol { list-style: none; margin: 0; padding: 0; border-top: 1px solid #E3D9CB }
li { padding: 1rem 0; border-bottom: 1px solid #E3D9CB }
li a { font-size: 1.0625rem }
small, dt { font-size: .9375rem; color: #70675B }
small { display: block }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.25rem; margin: 0 0 1.5rem }
dd { margin: 0 }
iframe { box-sizing: border-box; width: 100%; height: 46rem; border: 1px solid #8F8474; border-radius: 8px; background: #FBF8F3; resize: vertical }
summary { cursor: pointer; margin: 1.5rem 0 .5rem }
pre { white-space: pre-wrap; font: 15px/1.5 ui-monospace, Menlo, Consolas, monospace; background: #F4EEE5; padding: 1.25rem; border-radius: 8px; margin: 0 }
body:has(.row) { max-width: none }
h2 { font: 400 1.5rem/1.2 'Instrument Serif', Georgia, serif; margin: 2.5rem 0 .75rem }
.row { display: flex; gap: 1.25rem; overflow-x: auto; padding-bottom: .75rem }
figure { margin: 0; flex: none }
figcaption { font-size: .9375rem; color: #70675B; margin-bottom: .25rem }
.row iframe { height: 64rem }
`

/** A notification that was sent to a member's phone. */
export type ShownPush = { at: string; title: string; body: string }

/** @param texts the text messages, newest first, like the notifications */
export function listPage(mails: StoredMail[], texts: TextRow[], pushes: readonly ShownPush[]): string {
  return page(
    'Mailbox',
    h('h1', null, 'Mailbox'),
    h('p', null, `Emails from the studio. They stay on this machine because no mail server is configured (SMTP_URL).`),
    h('p', null, h('a', { href: '/dev/mailbox/templates' }, 'See every kind of email')),
    mails.length === 0
      ? h('p', null, 'No emails yet. Sign up, buy a pass or book a class to get one.')
      : h('ol', null, ...mails.map(row)),
    ...(texts.length === 0 ? [] : [h('h2', null, 'Text messages'), h('ol', null, ...texts.map(textRow))]),
    ...(pushes.length === 0 ? [] : [h('h2', null, 'Notifications on phones'), h('ol', null, ...pushes.map(pushRow))]),
  )
}

function textRow({ body, phone, state, createdAt }: TextRow): ReactNode {
  const facts = [`to ${phone}`, formatInstant(createdAt.toString()), state].join(' · ')
  return h('li', null, body, h('small', null, facts))
}

function pushRow({ at, title, body }: ShownPush): ReactNode {
  return h('li', null, title, h('small', null, `${body} · ${formatInstant(at)}`))
}

function row(mail: StoredMail): ReactNode {
  const attached = mail.attachments.map(({ filename }) => filename).join(', ')
  return h(
    'li',
    null,
    h('a', { href: addressOf(mail) }, mail.subject),
    h(
      'small',
      null,
      [`to ${mail.to}`, formatInstant(mail.at), attached && `with ${attached}`].filter(Boolean).join(' · '),
    ),
  )
}

export function mailPage(mail: StoredMail): string {
  const { unsubscribe } = mail
  return page(
    mail.subject,
    h('p', null, h('a', { href: '/dev/mailbox' }, 'Back to the mailbox')),
    h('h1', null, mail.subject),
    h(
      'dl',
      null,
      ...fact('To', mail.to),
      ...fact('Sent', formatInstant(mail.at)),
      ...attachmentsOf(mail),
      ...(unsubscribe ? fact('List-Unsubscribe', h('a', { href: unsubscribe }, unsubscribe)) : []),
    ),
    // No scripts, no access to our origin; links may open a new tab.
    h('iframe', {
      title: 'The email as HTML',
      sandbox: 'allow-popups allow-popups-to-escape-sandbox',
      srcDoc: mail.html,
    }),
    h('details', null, h('summary', null, 'Plain text'), h('pre', null, mail.text)),
  )
}

function attachmentsOf(mail: StoredMail): ReactNode[] {
  if (mail.attachments.length === 0) return []
  const links = mail.attachments.map(({ filename }) =>
    h('a', { key: filename, href: `${addressOf(mail)}/${encodeURIComponent(filename)}`, download: filename }, filename),
  )
  return fact('Attached', links)
}

function fact(label: string, value: ReactNode): ReactNode[] {
  return [h('dt', null, label), h('dd', null, value)]
}

function addressOf(mail: StoredMail): string {
  return `/dev/mailbox/${mail.id}`
}

function page(title: string, ...content: ReactNode[]): string {
  return `<!doctype html>${renderToStaticMarkup(
    h(
      'html',
      { lang: 'en-GB' },
      h(
        'head',
        null,
        h('meta', { charSet: 'utf-8' }),
        h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
        h('title', null, title === 'Mailbox' ? title : `${title} · Mailbox`),
        h('style', null, STYLE),
      ),
      h('body', null, h('main', null, ...content)),
    ),
  )}`
}

/** A phone and a reading pane, in pixels. */
const WIDTHS = [375, 640]

const COLOUR_SCHEMES = [
  { name: 'light', query: '@media not all' },
  { name: 'dark', query: '@media all' },
]

/** Hours that the samples do not show. */
const OTHER_HOURS = [
  ['06:45', '07:30'],
  ['12:00', '12:45'],
  ['18:15', '19:00'],
] as const

/** Every kind of mail, rendered from samples at two widths and in both colour schemes. */
export async function samplesPage(appUrl: string): Promise<string> {
  const write = async (job: MailJob, name: string = job.mail) => {
    const { subject, html } = await renderMail(job, appUrl, { facts: initialFacts, tokenOf: () => 'sample' })
    return kind(name, subject, html)
  }
  const kinds = await Promise.all(
    keysOf(sampleMails).map((mail) => write({ mail, data: sampleMails[mail] } as MailJob)),
  )
  const hours = await Promise.all(
    OTHER_HOURS.map(([startTime, endTime]) => {
      const changed = { startTime, endTime, startsAt: `${monday.date}T${startTime}:00Z` }
      const job: MailJob = {
        mail: 'booking-confirmed',
        data: { to: ana, class: { ...monday, ...changed }, ifCancelled: 'credit_returned' },
      }
      return write(job, `booking-confirmed at ${startTime}`)
    }),
  )
  return page(
    'Emails',
    h('p', null, h('a', { href: '/dev/mailbox' }, 'Back to the mailbox')),
    h('h1', null, 'Emails'),
    h(
      'p',
      null,
      `All ${kinds.length} kinds with sample data. Emails about an upcoming class show the room in the light of its hour.`,
    ),
    ...kinds,
    ...hours,
  )
}

function kind(name: string, subject: string, html: string): ReactNode {
  const frames = WIDTHS.flatMap((width) =>
    COLOUR_SCHEMES.map((scheme) => {
      const title = `${width} px, ${scheme.name}`
      const srcDoc = html.replace(DARK_MODE_QUERY, scheme.query)
      const frame = h('iframe', { title: `${name}: ${title}`, sandbox: '', loading: 'lazy', srcDoc })
      return h('figure', { key: title, style: { width } }, h('figcaption', null, title), frame)
    }),
  )
  return h(
    'section',
    { key: name, id: name.replaceAll(' ', '-') },
    h('h2', null, subject),
    h('div', { className: 'row' }, ...frames),
  )
}
