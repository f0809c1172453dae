import { createElement, Fragment, type ReactNode } from 'react'
import type { HourOfRoom } from '#content/hour-of-room.ts'
import type { StudioFacts } from '#facts/contract.ts'
import { legalLines, type MailFacts, phoneLink } from '#facts/rules.ts'
import type { MailName, Mails } from '../../mail.ts'
import type { TokenOf } from '../link-tokens.ts'
import {
  anchor,
  arches,
  container,
  type Look,
  linkButton,
  notInText,
  page,
  picture,
  pictureRow,
  preview,
  rule,
  type Style,
  section,
  text,
} from './elements.ts'

/** The content of a mail; {@link layout} renders it in the studio's design. */
export type WrittenMail = {
  subject: string
  /** The text an inbox shows next to the subject. */
  preview: string
  /** What to tell a member without an email address, if not the preview. */
  spoken?: string
  heading: string
  /** `Hello {first name},` unless given; null when the heading greets. */
  greeting?: string | null
  /** A string is a paragraph. */
  body: ReactNode[]
  /** The hour of an upcoming class: a picture of the room in that light is shown above the mail. */
  hour?: HourOfRoom | undefined
  attachments?: Attachment[]
  /** A link that unsubscribes with one click or one POST from the mail program. */
  unsubscribe?: string
}

export type Templates = {
  readonly [M in MailName]: (data: Mails[M], site: Site, tokenOf: TokenOf) => WrittenMail
}

/** `encoding`: of the content, if it is not text. */
export type Attachment = { filename: string; content: string; contentType: string; encoding?: 'base64' | undefined }

/** Makes a path that starts with a slash absolute, and holds the studio's facts. */
export type Site = ((path: string) => string) & { facts: MailFacts }

// Mail programs support neither CSS variables nor web fonts.
const linen = '#F4EEE5'
const sand = '#EAE1D4'
const paper = '#FBF8F3'
const line = '#E3D9CB'
const lineStrong = '#8F8474'
const ink = '#2B2722'
const inkSoft = '#564E45'
const inkMute = '#70675B'
const sageDeep = '#4A503D'
const sageDark = '#363B2D'
const serif = "Georgia, 'Times New Roman', serif"
const sans = "-apple-system, 'Segoe UI', Helvetica, Arial, sans-serif"

/** The mailbox replaces this query to show both colour schemes. */
export const DARK_MODE_QUERY = '@media (prefers-color-scheme: dark)'

const STYLE = `
${DARK_MODE_QUERY} {
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
// A first name can be 255 characters without a space.
const unbreakable = { overflowWrap: 'anywhere' } as const
const title = { color: ink, fontFamily: serif, fontWeight: 400 }

/** In pixels. */
const WIDTH = 600
const CORNERS = 14
const TEXT_WIDTH = 510

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
      createElement(
        Fragment,
        null,
        ...mail.body.map((part) => (typeof part === 'string' ? part && paragraph(part) : part)),
      ),
      rule({ className: 'line', style: { borderTop: `1px solid ${line}`, margin: '36px 0 20px' } }),
      footer(site.facts, { hasPicture: Boolean(mail.hour) }),
    ),
  )
}

/** Shown at half the file's size. The URL must stay valid for as long as people read old mails. */
function room(hour: HourOfRoom, border: string, site: Site): ReactNode {
  const src = site(`/email-pictures/room-${hour}.jpg`)
  const style = { backgroundColor: sand, border, borderBottom: 0 }
  return pictureRow({ src, width: WIDTH, corners: CORNERS }, { className: 'room', style })
}

function wordmark(site: Site): ReactNode {
  const style = { color: ink, fontFamily: serif, fontSize: 23, letterSpacing: '-0.01em', textDecoration: 'none' }
  // The plain text has the studio's name in its footer.
  return section(
    notInText,
    arches({ className: 'ink', style: { color: ink } }),
    anchor(site('/'), { className: 'ink', style }, site.facts.name),
  )
}

function footer({ name, address, phone, email, legal }: MailFacts, { hasPicture }: { hasPicture: boolean }): ReactNode {
  const quiet: Look = { className: 'mute', style: { color: inkMute, textDecoration: 'underline' } }
  return text(
    type('mute', 14, '1.5'),
    0,
    name,
    address && createElement(Fragment, null, ', ', place(address)),
    phone && createElement(Fragment, null, createElement('br'), anchor(phoneLink(phone), quiet, phone)),
    email && createElement(Fragment, null, ' · ', anchor(`mailto:${email}`, quiet, email)),
    ...legalLines({ name, legal }).map((line) => createElement(Fragment, { key: line }, createElement('br'), line)),
    hasPicture &&
      createElement(
        'span',
        { className: 'caption', ...notInText },
        createElement('br'),
        'The image is computer-generated.',
      ),
  )
}

/** Wraps these words as a whole where they fit on one line. */
export function keepOnOneLine(words: string): ReactNode {
  return createElement('span', { style: { display: 'inline-block', maxWidth: '100%' } }, words)
}

/** `7 Aldergate Mews, Harrogate HG1 2ZZ`. */
export function place({ street, town, postcode }: StudioFacts['address']): ReactNode {
  return createElement(Fragment, null, `${street}, ${town} `, keepOnOneLine(postcode))
}

export function paragraph(...children: ReactNode[]): ReactNode {
  return text(type('ink', 16, '1.6'), 16, ...children)
}

/** A picture in the text's column, never enlarged. Sizes in pixels of the file. */
export function pictureInText(src: string, { alt, width, height }: { alt: string; width: number; height: number }) {
  const shown = Math.min(width, TEXT_WIDTH)
  return picture({ src, alt, width: shown, height: Math.round((height * shown) / width) })
}

export function small(...children: ReactNode[]): ReactNode {
  return text(type('soft', 15, '1.5'), 16, ...children)
}

/** For a mail that was delayed until it was out of date. */
export function outdatedNote(site: Site): ReactNode {
  return paragraph(
    'Something has changed since we wrote this email. Your dashboard shows the latest details: ',
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

/** The main action and optionally a second one. */
export function button(label: string, href: string, second?: { label: string; href: string }): ReactNode {
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

/** Values, each below its label; null is left out. */
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

/** The most important line of a mail, in large type. */
export function moment(words: ReactNode): ReactNode {
  const style = { color: ink, fontFamily: serif, fontSize: 25, letterSpacing: '-0.01em', lineHeight: '1.25' }
  return createElement('span', { className: 'moment ink', style }, words)
}

/** A numbered list. */
export function steps(...items: ReactNode[]): ReactNode {
  return createElement(
    'ol',
    { className: 'ink', style: { ...type('ink', 16, '1.6').style, margin: '0 0 16px', paddingLeft: 24 } },
    ...items.map((item) => createElement('li', { style: { marginBottom: 8 } }, item)),
  )
}
