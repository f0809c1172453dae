import { createElement, Fragment, type ReactNode } from 'react'
import type { StudioFacts } from '../../../facts/contract.ts'
import { addressLine, phoneLink } from '../../../facts/rules.ts'
import { studio } from '../../../studio.ts'
import { anchor, container, linkButton, notInText, page, preview, rule, section, text } from './elements.ts'

/** A mail as its template writes it; {@link layout} puts it into the studio's look. */
export type WrittenMail = {
  subject: string
  /** What an inbox shows beside the subject. */
  preview: string
  heading: string
  body: ReactNode[]
  attachments?: Attachment[]
  /** Where one click, of the reader or of their mail program, ends mails like this one. */
  unsubscribe?: string
}

export type Attachment = { filename: string; content: string; contentType: string }

/** A page of the site as an absolute address (`path` begins with a slash), and what the site says of the studio. */
export type Site = ((path: string) => string) & { facts: StudioFacts }

// The design's tokens: mail programs know no variables and no web fonts.
const paper = '#FBF8F3'
const ink = '#2B2722'
const inkSoft = '#5A5249'
const inkMute = '#70675B'
const sageDeep = '#4A503D'
const sageDark = '#363B2D'
const serif = "Georgia, 'Times New Roman', serif"
const sans = "-apple-system, 'Segoe UI', Helvetica, Arial, sans-serif"

const type = (color: string, fontSize: number, lineHeight: string) => ({
  fontSize,
  lineHeight,
  color,
  fontFamily: sans,
})
// A first name without a space may be 255 characters long.
const unbreakable = { overflowWrap: 'anywhere' } as const
const title = { color: ink, fontFamily: serif, fontWeight: 400 }

export function layout(mail: WrittenMail, site: Site): ReactNode {
  const head = [
    createElement('title', null, mail.subject),
    createElement('meta', { name: 'color-scheme', content: 'light' }),
    createElement('meta', { name: 'supported-color-schemes', content: 'light' }),
  ]
  const heading = { letterSpacing: '-0.01em', lineHeight: '1.15', margin: '32px 0 20px' }
  return page(
    paper,
    head,
    preview(mail.preview),
    container(
      { maxWidth: 560, margin: '0 auto', ...unbreakable },
      '40px 0',
      wordmark(site),
      createElement('h1', { style: { ...title, fontSize: 30, ...heading } }, mail.heading),
      createElement(Fragment, null, ...mail.body),
      rule('32px 0 20px'),
      footer(site.facts),
    ),
  )
}

function wordmark(site: Site): ReactNode {
  const style = { color: ink, fontFamily: serif, fontSize: 24, letterSpacing: '-0.01em', textDecoration: 'none' }
  // The text part carries the studio's name in its footer.
  return section(notInText, anchor(site('/'), style, studio.name))
}

function footer({ address, phone, email }: StudioFacts): ReactNode {
  const quiet = { color: inkMute, textDecoration: 'underline' }
  return text(
    type(inkMute, 14, '1.5'),
    0,
    `${studio.name}, ${addressLine(address)}`,
    createElement('br'),
    anchor(phoneLink(phone), quiet, phone),
    ' · ',
    anchor(`mailto:${email}`, quiet, email),
  )
}

export function paragraph(...children: ReactNode[]): ReactNode {
  return text(type(ink, 16, '1.6'), 16, ...children)
}

export function small(...children: ReactNode[]): ReactNode {
  return text(type(inkSoft, 15, '1.5'), 16, ...children)
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
  return createElement('h2', { style }, label)
}

export function link(label: string, href: string): ReactNode {
  return anchor(href, { color: sageDeep, textDecoration: 'underline' }, label)
}

export function button(label: string, href: string): ReactNode {
  const style = {
    backgroundColor: sageDark,
    borderRadius: 999,
    color: paper,
    fontFamily: sans,
    fontSize: 16,
  }
  return section({ style: { margin: '24px 0' } }, linkButton(href, style, label))
}

type Fact = [label: string, value: ReactNode]

/** What and when, each with its label above; null is left out. */
export function facts(...pairs: (Fact | null)[]): ReactNode {
  const known = pairs.filter((pair) => pair !== null)
  const rows = known.map(([label, value]) =>
    text(
      type(ink, 16, '1.5'),
      12,
      createElement('span', { style: { color: inkMute, fontSize: 14 } }, label),
      createElement('br'),
      value,
    ),
  )
  return section({ style: { margin: '8px 0' } }, ...rows)
}

/** Steps, counted from 1. */
export function steps(...items: ReactNode[]): ReactNode {
  return createElement(
    'ol',
    { style: { ...type(ink, 16, '1.6'), margin: '0 0 16px', paddingLeft: 24 } },
    ...items.map((item) => createElement('li', { style: { marginBottom: 8 } }, item)),
  )
}
