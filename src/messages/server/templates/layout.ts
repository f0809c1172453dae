import { createElement, Fragment, type ReactNode } from 'react'
import type { HourOfRoom } from '#content/hour-of-room.ts'
import type { StudioFacts } from '#facts/contract.ts'
import { phoneLink } from '#facts/rules.ts'
import { studio } from '#studio.ts'
import {
  anchor,
  arches,
  container,
  type Look,
  linkButton,
  notInText,
  page,
  pictureRow,
  preview,
  rule,
  type Style,
  section,
  text,
} from './elements.ts'

/** A mail as its template writes it; {@link layout} puts it into the studio's look. */
export type WrittenMail = {
  subject: string
  /** What an inbox shows beside the subject. */
  preview: string
  heading: string
  body: ReactNode[]
  /** The hour of the one class it is about, where that is to come: the room stands above the letter in its light. */
  hour?: HourOfRoom | undefined
  attachments?: Attachment[]
  /** Where one click, of the reader or of their mail program, ends mails like this one. */
  unsubscribe?: string
}

export type Attachment = { filename: string; content: string; contentType: string }

/** A page of the site as an absolute address (`path` begins with a slash), and what the site says of the studio. */
export type Site = ((path: string) => string) & { facts: StudioFacts }

// The design's tokens: mail programs know no variables and no web fonts.
const linen = '#F4EEE5'
const sand = '#EAE1D4'
const paper = '#FBF8F3'
const line = '#E3D9CB'
const lineStrong = '#8F8474'
const ink = '#2B2722'
const inkSoft = '#5A5249'
const inkMute = '#70675B'
const sageDeep = '#4A503D'
const sageDark = '#363B2D'
const serif = "Georgia, 'Times New Roman', serif"
const sans = "-apple-system, 'Segoe UI', Helvetica, Arial, sans-serif"

/** What begins a letter's look in the dark; the mailbox shows both lights by it. */
export const IN_THE_DARK = '@media (prefers-color-scheme: dark)'

/** For programs that read it: the same letter in the dark, on a phone, and on paper. */
const STYLE = `
${IN_THE_DARK} {
.desk { background-color: #1C1915 !important }
.sheet { background-color: #2B2722 !important; border-color: #4A433A !important }
.room { background-color: #3A342C !important; border-color: #4A433A !important }
.room img { filter: brightness(0.82) }
.ink { color: #F4EEE5 !important }
.soft { color: #D8CCBB !important }
.mute { color: #BDB2A2 !important }
.line { border-color: #4A433A !important }
.link { color: #D3D7C3 !important }
.button { background-color: #E6E7DB !important; border-color: #E6E7DB !important; color: #272B20 !important }
.second { color: #F4EEE5 !important }
}
@media (max-width: 480px) {
.sheet { padding: 28px 22px !important }
.moment { font-size: 21px !important }
.action, .action a { display: block !important; margin-right: 0 !important; text-align: center }
}
@media print {
.desk, .sheet { background-color: #FFF !important; border: 0 !important; padding: 0 !important }
.ink, .soft, .mute, .link { color: #000 !important }
.actions, .caption, .room { display: none !important }
}`

const SHADES = { ink, soft: inkSoft, mute: inkMute }

const type = (shade: keyof typeof SHADES, fontSize: number, lineHeight: string): Look => ({
  className: shade,
  style: { fontSize, lineHeight, color: SHADES[shade], fontFamily: sans },
})
// A first name without a space may be 255 characters long.
const unbreakable = { overflowWrap: 'anywhere' } as const
const title = { color: ink, fontFamily: serif, fontWeight: 400 }

/** Of a sheet, in pixels. */
const WIDTH = 600
const CORNERS = 14

/** A letter: a sheet of paper on linen, which programs that know it turn dark. */
export function layout(mail: WrittenMail, site: Site): ReactNode {
  const head = [
    createElement('title', null, mail.subject),
    createElement('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    createElement('meta', { name: 'color-scheme', content: 'light dark' }),
    createElement('meta', { name: 'supported-color-schemes', content: 'light dark' }),
    createElement('style', null, STYLE),
  ]
  const heading = { letterSpacing: '-0.01em', lineHeight: '1.15', margin: '36px 0 20px', textWrap: 'balance' } as const
  const edge = `1px solid ${line}`
  const sheet: Style = { backgroundColor: paper, border: edge, borderRadius: CORNERS, padding: '40px 44px' }
  const underPicture = { borderTop: 0, borderRadius: `0 0 ${CORNERS}px ${CORNERS}px` }
  return page(
    { className: 'desk', style: { backgroundColor: linen } },
    head,
    preview(mail.preview),
    container(
      { maxWidth: WIDTH, margin: '0 auto', borderCollapse: 'separate', ...unbreakable },
      mail.hour && room(mail.hour, edge, site),
      { className: 'sheet', style: mail.hour ? { ...sheet, ...underPicture } : sheet },
      wordmark(site),
      createElement('h1', { className: 'ink', style: { ...title, fontSize: 32, ...heading } }, mail.heading),
      createElement(Fragment, null, ...mail.body),
      rule({ className: 'line', style: { borderTop: `1px solid ${line}`, margin: '36px 0 20px' } }),
      footer(site.facts, { hasPicture: Boolean(mail.hour) }),
    ),
  )
}

/** The room in the light of an hour: half as large as the file, whose address stays as long as letters are read. */
function room(hour: HourOfRoom, border: string, site: Site): ReactNode {
  const src = site(`/letters/room-${hour}.jpg`)
  const style = { backgroundColor: sand, border, borderBottom: 0 }
  return pictureRow({ src, width: WIDTH, corners: CORNERS }, { className: 'room', style })
}

function wordmark(site: Site): ReactNode {
  const style = { color: ink, fontFamily: serif, fontSize: 23, letterSpacing: '-0.01em', textDecoration: 'none' }
  // The text part carries the studio's name in its footer.
  return section(
    notInText,
    arches({ className: 'ink', style: { color: ink } }),
    anchor(site('/'), { className: 'ink', style }, studio.name),
  )
}

function footer({ address, phone, email }: StudioFacts, { hasPicture }: { hasPicture: boolean }): ReactNode {
  const quiet: Look = { className: 'mute', style: { color: inkMute, textDecoration: 'underline' } }
  return text(
    type('mute', 14, '1.5'),
    0,
    `${studio.name}, `,
    place(address),
    createElement('br'),
    anchor(phoneLink(phone), quiet, phone),
    ' · ',
    anchor(`mailto:${email}`, quiet, email),
    // As the site's footer says of its own.
    hasPicture &&
      createElement(
        'span',
        { className: 'caption', ...notInText },
        createElement('br'),
        'The picture is a visualisation.',
      ),
  )
}

/** Words that stand on one line wherever they fit into it. */
export function together(words: string): ReactNode {
  return createElement('span', { style: { display: 'inline-block', maxWidth: '100%' } }, words)
}

/** `7 Aldergate Mews, Harrogate HG1 2ZZ`. */
export function place({ street, town, postcode }: StudioFacts['address']): ReactNode {
  return createElement(Fragment, null, `${street}, ${town} `, together(postcode))
}

export function paragraph(...children: ReactNode[]): ReactNode {
  return text(type('ink', 16, '1.6'), 16, ...children)
}

export function small(...children: ReactNode[]): ReactNode {
  return text(type('soft', 15, '1.5'), 16, ...children)
}

/** Above a mail that an outage kept back until it was no longer so. */
export function overtakenNote(site: Site): ReactNode {
  return paragraph(
    'Something has changed since we wrote this email. Your dashboard shows what is true now: ',
    link('see your bookings', site('/dashboard')),
  )
}

export function subheading(label: string): ReactNode {
  const style = { ...title, fontSize: 20, lineHeight: '1.3', margin: '32px 0 12px' }
  return createElement('h2', { className: 'ink', style }, label)
}

export function link(label: string, href: string): ReactNode {
  return anchor(href, { className: 'link', style: { color: sageDeep, textDecoration: 'underline' } }, label)
}

/** What to do now, and what else can be done, beside it or, where there is no room, below. */
export function button(label: string, href: string, second: { label: string; href: string } | null = null): ReactNode {
  const shape: Style = { borderRadius: 999, fontFamily: sans, fontSize: 16 }
  const filled = { ...shape, backgroundColor: sageDark, border: `1px solid ${sageDark}`, color: paper }
  const outlined = { ...shape, border: `1px solid ${lineStrong}`, color: ink }
  return section(
    { className: 'actions', style: { margin: '24px 0 12px' } },
    linkButton(href, { className: 'button', style: filled }, label),
    second && linkButton(second.href, { className: 'second', style: outlined }, second.label),
  )
}

export type Fact = [label: string, value: ReactNode]

/** What and when, each with its label above; null is left out. */
export function facts(...pairs: (Fact | null)[]): ReactNode {
  const known = pairs.filter((pair) => pair !== null)
  const { className, style } = type('ink', 16, '1.5')
  const look = { className: `${className} line`, style: { ...style, borderTop: `1px solid ${line}`, paddingTop: 11 } }
  const rows = known.map(([label, value]) =>
    text(
      look,
      11,
      createElement('span', { className: 'mute', style: { color: inkMute, fontSize: 14 } }, label),
      createElement('br'),
      value,
    ),
  )
  return section({ style: { margin: '20px 0 12px' } }, ...rows)
}

/** The one line of a letter that somebody looks for: when. */
export function moment(words: ReactNode): ReactNode {
  const style = { fontFamily: serif, fontSize: 25, letterSpacing: '-0.01em', lineHeight: '1.25' }
  return createElement('span', { className: 'moment', style }, words)
}

/** Steps, counted from 1. */
export function steps(...items: ReactNode[]): ReactNode {
  return createElement(
    'ol',
    { className: 'ink', style: { ...type('ink', 16, '1.6').style, margin: '0 0 16px', paddingLeft: 24 } },
    ...items.map((item) => createElement('li', { style: { marginBottom: 8 } }, item)),
  )
}
