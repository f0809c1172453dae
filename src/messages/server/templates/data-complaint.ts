import type { ReactNode } from 'react'
import { formatLongDate } from '#foundation/dates.ts'
import type { Mails } from '../../mail.ts'
import { button, link, paragraph, type Site, small, subheading, type WrittenMail } from './layout.ts'

/** Somebody's own words, with the paragraphs they wrote. */
const quoted = (text: string): ReactNode[] =>
  text
    .split(/\n+/)
    .filter((line) => line.trim() !== '')
    .map((line) => paragraph(line))

const regulator = (site: Site) =>
  small(
    'You can also complain to the Information Commissioner’s Office at any time. ',
    link('Our privacy policy says how', site('/privacy-policy')),
  )

/** That a complaint about data has arrived: at once. */
export function complaintReceived({ to, complaint, answerBy }: Mails['complaint-received'], site: Site): WrittenMail {
  const by = formatLongDate(answerBy)
  return {
    subject: 'We have received your complaint about your data',
    preview: `We answer by ${by}.`,
    heading: 'We have your complaint',
    body: [
      paragraph(`Hello ${to.firstName},`),
      paragraph(`Thank you for telling us. We look into it and answer by ${by} at the latest, by email.`),
      subheading('What you wrote'),
      ...quoted(complaint),
      button('See what we keep about you', site('/health')),
      regulator(site),
    ],
  }
}

export function complaintAnswered({ to, complaint, answer }: Mails['complaint-answered'], site: Site): WrittenMail {
  return {
    subject: 'Our answer to your complaint about your data',
    preview: 'We have looked into what you wrote.',
    heading: 'Our answer to your complaint',
    body: [
      paragraph(`Hello ${to.firstName},`),
      ...quoted(answer),
      subheading('What you wrote'),
      ...quoted(complaint),
      regulator(site),
    ],
  }
}
