import { createElement, Fragment, type ReactNode } from 'react'
import { Body, Button, Container, Head, Heading, Hr, Html, Link, Preview, Section, Text } from 'react-email'
import type { StudioFacts } from '../../../facts/contract.ts'
import { addressLine, phoneLink } from '../../../facts/rules.ts'
import { studio } from '../../../studio.ts'

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
const line = '#E3D9CB'
const sageDeep = '#4A503D'
const sageDark = '#363B2D'
const serif = "Georgia, 'Times New Roman', serif"
const sans = "-apple-system, 'Segoe UI', Helvetica, Arial, sans-serif"

const type = (color: string, fontSize: number, lineHeight: string) => ({
  color,
  fontFamily: sans,
  fontSize,
  lineHeight,
  margin: '0 0 16px',
})
// A first name without a space may be 255 characters long.
const unbreakable = { overflowWrap: 'anywhere' } as const

export function layout(mail: WrittenMail, site: Site): ReactNode {
  return createElement(
    Html,
    { lang: 'en-GB', dir: 'ltr' },
    createElement(
      Head,
      null,
      createElement('title', null, mail.subject),
      createElement('meta', { name: 'color-scheme', content: 'light' }),
      createElement('meta', { name: 'supported-color-schemes', content: 'light' }),
    ),
    createElement(
      Body,
      { style: { backgroundColor: paper, margin: 0, padding: '0 20px' } },
      createElement(Preview, null, mail.preview),
      createElement(
        Container,
        { style: { maxWidth: 560, margin: '0 auto', padding: '40px 0', ...unbreakable } },
        wordmark(site),
        createElement(
          Heading,
          {
            as: 'h1',
            style: {
              color: ink,
              fontFamily: serif,
              fontSize: 30,
              fontWeight: 400,
              letterSpacing: '-0.01em',
              lineHeight: '1.15',
              margin: '32px 0 20px',
            },
          },
          mail.heading,
        ),
        createElement(Fragment, null, ...mail.body),
        createElement(Hr, { style: { borderColor: line, margin: '32px 0 20px' } }),
        footer(site.facts),
      ),
    ),
  )
}

function wordmark(site: Site): ReactNode {
  const style = { color: ink, fontFamily: serif, fontSize: 24, letterSpacing: '-0.01em', textDecoration: 'none' }
  // The text part carries the studio's name in its footer.
  return createElement(
    Section,
    { 'data-skip-in-text': 'true' } as object,
    createElement(Link, { href: site('/'), style }, studio.name),
  )
}

function footer({ address, phone, email }: StudioFacts): ReactNode {
  const style = { ...type(inkMute, 14, '1.5'), margin: 0 }
  const quiet = { color: inkMute, textDecoration: 'underline' }
  return createElement(
    Text,
    { style },
    `${studio.name}, ${addressLine(address)}`,
    createElement('br'),
    createElement(Link, { href: phoneLink(phone), style: quiet }, phone),
    ' · ',
    createElement(Link, { href: `mailto:${email}`, style: quiet }, email),
  )
}

export function paragraph(...children: ReactNode[]): ReactNode {
  return createElement(Text, { style: type(ink, 16, '1.6') }, ...children)
}

export function small(...children: ReactNode[]): ReactNode {
  return createElement(Text, { style: type(inkSoft, 15, '1.5') }, ...children)
}

/** Above a mail that an outage kept back until it was no longer so. */
export function overtakenNote(site: Site): ReactNode {
  return paragraph(
    'Something has changed since we wrote this email. Your dashboard shows what is true now: ',
    link('see your bookings', site('/dashboard')),
  )
}

export function subheading(text: string): ReactNode {
  const style = { ...type(ink, 20, '1.3'), fontFamily: serif, fontWeight: 400, margin: '32px 0 12px' }
  return createElement(Heading, { as: 'h2', style }, text)
}

export function link(label: string, href: string): ReactNode {
  return createElement(Link, { href, style: { color: sageDeep, textDecoration: 'underline' } }, label)
}

export function button(label: string, href: string): ReactNode {
  const style = {
    backgroundColor: sageDark,
    borderRadius: 999,
    color: paper,
    fontFamily: sans,
    fontSize: 16,
    padding: '14px 24px',
  }
  return createElement(Section, { style: { margin: '24px 0' } }, createElement(Button, { href, style }, label))
}

type Fact = [label: string, value: ReactNode]

/** What and when, each with its label above; null is left out. */
export function facts(...pairs: (Fact | null)[]): ReactNode {
  const known = pairs.filter((pair) => pair !== null)
  const rows = known.map(([label, value]) =>
    createElement(
      Text,
      { style: { ...type(ink, 16, '1.5'), margin: '0 0 12px' } },
      createElement('span', { style: { color: inkMute, fontSize: 14 } }, label),
      createElement('br'),
      value,
    ),
  )
  return createElement(Section, { style: { margin: '8px 0' } }, ...rows)
}

/** Steps, counted from 1. */
export function steps(...items: ReactNode[]): ReactNode {
  return createElement(
    'ol',
    { style: { ...type(ink, 16, '1.6'), paddingLeft: 24 } },
    ...items.map((item) => createElement('li', { style: { marginBottom: 8 } }, item)),
  )
}
