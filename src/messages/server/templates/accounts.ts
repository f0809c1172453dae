import { createElement, Fragment, type ReactNode } from 'react'
import { formatLongDate } from '#foundation/dates.ts'
import { studio } from '#studio.ts'
import type { Mails } from '../../mail.ts'
import type { TokenOf } from '../link-tokens.ts'
import { calendarAttachment } from './bookings.ts'
import {
  button,
  type Fact,
  facts,
  link,
  paragraph,
  type Site,
  small,
  steps,
  subheading,
  type WrittenMail,
} from './layout.ts'
import { when } from './words.ts'

export function welcome({ to }: Mails['welcome'], site: Site): WrittenMail {
  return {
    subject: `Welcome to ${studio.name}`,
    preview: 'Your account is ready. Three steps lead to your first class.',
    heading: `Welcome, ${to.firstName}`,
    body: [
      paragraph('Your account is ready. Three steps lead to your first class:'),
      steps(
        link('Choose a class pass', site('/pricing')),
        createElement(
          Fragment,
          null,
          link('Fill in the short health questionnaire', site('/health')),
          ' so that we can teach you safely',
        ),
        link('Pick a time and book', site('/booking')),
      ),
      button('Choose a class pass', site('/pricing')),
      paragraph('If anything is unclear, just reply to this email or give us a call.'),
    ],
  }
}

export function invitation({ to, linkId }: Mails['invitation'], site: Site, tokenOf: TokenOf): WrittenMail {
  return {
    subject: `Your account at ${studio.name}`,
    preview: 'Choose a password, and see your bookings and passes.',
    heading: `Welcome, ${to.firstName}`,
    body: [
      paragraph(
        'We have opened an account for you, for your bookings and class passes. Choose a password, and it is yours:',
      ),
      button('Choose a password', site(`/auth#invitation=${tokenOf(linkId)}`)),
      paragraph('Before your first class we ask you to fill in a short health questionnaire there.'),
      small(
        `The link works once, within ${studio.policies.invitationDays} days; after that you can ask for another one with Forgot password. If you do not know us, you can ignore this email.`,
      ),
    ],
  }
}

export function setPassword({ to, linkId }: Mails['set-password'], site: Site, tokenOf: TokenOf): WrittenMail {
  return {
    subject: `Set your password for ${studio.name}`,
    preview: 'A link to choose a new password.',
    heading: 'Choose a new password',
    body: [
      paragraph(`Hello ${to.firstName},`),
      paragraph('With this link you can choose a new password for your account.'),
      button('Choose a password', site(`/auth#reset=${tokenOf(linkId)}`)),
      small(
        'The link works once, within two hours. If you did not ask for it, you can ignore this email: your password stays as it is.',
      ),
    ],
  }
}

export function verifyEmail({ to, linkId }: Mails['verify-email'], site: Site, tokenOf: TokenOf): WrittenMail {
  return {
    subject: `Please confirm your email address for ${studio.name}`,
    preview: 'One click, and you can log in.',
    heading: 'Please confirm your email address',
    body: [
      paragraph(`Hello ${to.firstName},`),
      paragraph('Please confirm that this address is yours. After that you can log in.'),
      button('Confirm email address', site(`/auth#verify=${tokenOf(linkId)}`)),
      small('The link works for two days. If you did not sign up with us, you can ignore this email.'),
    ],
  }
}

/** For who had classes to come. The last mail to this address: there is no dashboard any more to look at. */
export function accountErased({ to, classes }: Mails['account-erased'], site: Site): WrittenMail {
  const files = classes.flatMap((studioClass) => calendarAttachment(studioClass, 'CANCEL', site))
  return {
    subject: 'Your account is deleted and your booked classes are cancelled',
    preview: 'Your places are free again.',
    heading: 'Your account is deleted',
    body: [
      paragraph(`Hello ${to.firstName},`),
      paragraph('Your account is deleted, and with it these bookings are cancelled. Your places are free again.'),
      facts(...classes.map((studioClass): Fact => [studioClass.title, when(studioClass)])),
      small('If the classes are in your calendar, open the attached files to take them out there too.'),
    ],
    // One file holds one entry, and each has a name of its own.
    attachments: files.map((file, i) => ({ ...file, filename: `class-cancelled-${i + 1}.ics` })),
  }
}

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
