import { createElement as h, type ReactNode } from 'react'
import { keysOf } from '#foundation/collections.ts'
import { beginning } from '#studio.ts'
import type { MailJob } from '../mail.ts'
import { page } from './mailbox-page.ts'
import { renderMail } from './render-mail.ts'
import { ana, data, monday } from './sample-mails.ts'
import { IN_THE_DARK } from './templates/layout.ts'

/** A phone's width and a reading pane's, in pixels. */
const WIDTHS = [375, 640]

const LIGHTS = [
  { name: 'light', query: '@media not all' },
  { name: 'dark', query: '@media all' },
]

/** The same letter at the hours that the samples are not at. */
const AT_OTHER_HOURS = [
  ['06:45', '07:30'],
  ['12:00', '12:45'],
  ['18:15', '19:00'],
] as const

/**
 * Every kind of mail side by side, at two widths, in the light and in the dark, written from samples.
 *
 * @param appUrl where their links lead, without a trailing slash
 */
export async function lettersPage(appUrl: string): Promise<string> {
  const write = async (job: MailJob, name: string = job.mail) => {
    const { subject, html } = await renderMail(job, appUrl, { facts: beginning, tokenOf: () => 'sample' })
    return kind(name, subject, html)
  }
  const kinds = await Promise.all(keysOf(data).map((mail) => write({ mail, data: data[mail] } as MailJob)))
  const hours = await Promise.all(
    AT_OTHER_HOURS.map(([startTime, endTime]) => {
      const changed = { startTime, endTime, startsAt: `${monday.date}T${startTime}:00Z` }
      const job: MailJob = { mail: 'booking-confirmed', data: { to: ana, class: { ...monday, ...changed } } }
      return write(job, `booking-confirmed at ${startTime}`)
    }),
  )
  return page(
    'Letters',
    h('p', null, h('a', { href: '/dev/mailbox' }, 'Back to the mailbox')),
    h('h1', null, 'Letters'),
    h(
      'p',
      null,
      `All ${kinds.length} kinds, written from samples. Those about a class to come show the room in the light of its hour.`,
    ),
    ...kinds,
    ...hours,
  )
}

function kind(name: string, subject: string, html: string): ReactNode {
  const frames = WIDTHS.flatMap((width) =>
    LIGHTS.map((light) => {
      const title = `${width} px, ${light.name}`
      const srcDoc = html.replace(IN_THE_DARK, light.query)
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
