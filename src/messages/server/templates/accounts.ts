import { createElement, Fragment } from 'react'
import { formatLongDate } from '#foundation/dates.ts'
import { studio } from '#studio.ts'
import { calendarAttachments, removeFromCalendar } from './bookings.ts'
import { button, type Fact, facts, link, type Site, small, steps, subheading, type Templates } from './layout.ts'
import { when } from './words.ts'

export const accountMails = {
  welcome: ({ to }, site) => ({
    subject: `Welcome to ${site.facts.name}`,
    preview: 'Your account is ready. Three steps to your first class.',
    heading: `Welcome, ${to.firstName}`,
    greeting: null,
    body: [
      'Your account is ready. Three steps to your first class:',
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
      'If you have any questions, reply to this email or call us.',
    ],
  }),

  invitation: ({ to, linkId }, site, tokenOf) => ({
    subject: `Your account at ${site.facts.name}`,
    preview: 'Choose a password to see your bookings and passes.',
    heading: `Welcome, ${to.firstName}`,
    greeting: null,
    body: [
      'We have created an account for your bookings and class passes. Choose a password to start using it:',
      button('Choose a password', site(`/auth#invitation=${tokenOf(linkId)}`)),
      'Before your first class, please fill in the short health questionnaire in your account.',
      small(
        `The link works once, within ${studio.policies.invitationDays} days. After that, use Forgot password on the login page to get a new one. If you do not know us, you can ignore this email.`,
      ),
    ],
  }),

  'set-password': ({ linkId }, site, tokenOf) => ({
    subject: `Set your password for ${site.facts.name}`,
    preview: 'A link to choose a new password.',
    heading: 'Choose a new password',
    body: [
      'Use this link to choose a new password for your account.',
      button('Choose a password', site(`/auth#reset=${tokenOf(linkId)}`)),
      small(
        `The link works once, within ${studio.policies.passwordLinkHours} hours. If you did not ask for it, you can ignore this email. Your password has not changed.`,
      ),
    ],
  }),

  'verify-email': ({ linkId }, site, tokenOf) => ({
    subject: `Please confirm your email address for ${site.facts.name}`,
    preview: 'Confirm your address to log in.',
    heading: 'Please confirm your email address',
    body: [
      'Please confirm that this is your email address. Then you can log in.',
      button('Confirm email address', site(`/auth#verify=${tokenOf(linkId)}`)),
      small('The link works for two days. If you did not sign up with us, you can ignore this email.'),
    ],
  }),

  'rights-request-done': ({ did }, site) => {
    const { subject, text } = RIGHTS[did]
    return {
      subject,
      preview: text,
      heading: subject,
      body: [text, button('See what we keep about you', site('/health')), complaintRoute(site)],
    }
  },

  'account-erased': ({ classes }, site) => ({
    subject:
      classes.length > 0 ? 'Your account is deleted and your booked classes are cancelled' : 'Your account is deleted',
    preview: classes.length > 0 ? 'Other members can now book your places.' : 'We have erased your data.',
    heading: 'Your account is deleted',
    body: [
      ...(classes.length > 0
        ? [
            'We have deleted your account and cancelled these bookings. Other members can now book your places.',
            facts(...classes.map((studioClass): Fact => [studioClass.title, when(studioClass)])),
            removeFromCalendar(classes.length),
          ]
        : ['We have deleted your account and erased your data.']),
      'We keep payments on record as the law asks, without your name.',
      complaintRoute(site),
    ],
    attachments: calendarAttachments(classes, 'CANCEL', site),
  }),

  'complaint-received': ({ complaint, answerBy, hasNoAccount }, site) => ({
    subject: 'We have received your complaint about your data',
    preview: `We will reply by ${formatLongDate(answerBy)}.`,
    heading: 'We have your complaint',
    body: [
      `Thank you for telling us. We will look into it and email you our answer by ${formatLongDate(answerBy)}.`,
      ...(complaint === null ? [] : complaintQuote(complaint)),
      !hasNoAccount && button('See what we keep about you', site('/health')),
      regulator(site),
    ],
  }),

  'complaint-answered': ({ complaint, answer }, site) => ({
    subject: 'Our answer to your complaint about your data',
    preview: 'We have looked into your complaint.',
    // The list of calls is emailed to the owner too.
    spoken: 'Read them the answer on their page.',
    heading: 'Our answer to your complaint',
    body: [...paragraphsFrom(answer), ...complaintQuote(complaint), regulator(site)],
  }),
} satisfies Partial<Templates>

/** The form for people without an account, because the account may be gone. */
const COMPLAINTS = '/contact_harrogate_reformer_pilates#data'

const RIGHTS = {
  downloaded: {
    subject: 'You have downloaded your data',
    text: 'You have downloaded a copy of everything we keep about you. If that was not you, please change your password and call us.',
  },
  health_withdrawn: {
    subject: 'Your health information is erased',
    text: 'You have withdrawn your consent, and we have erased your health information and the notes on your sessions. Your bookings stay; before your next one, we need the form again.',
  },
}

const paragraphsFrom = (text: string) => text.split(/\n+/).filter((line) => line.trim() !== '')

const complaintQuote = (complaint: string) => [subheading('What you wrote'), ...paragraphsFrom(complaint)]

const regulator = (site: Site) =>
  small(
    'You can also complain to the Information Commissioner’s Office at any time. ',
    link('Our privacy policy explains how', site('/privacy-policy')),
  )

/** Answers to requests for rights over data name the ways to complain (Data (Use and Access) Act 2025, section 103). */
const complaintRoute = (site: Site) =>
  small(
    'If you are unhappy with how we handle your data, ',
    link('complain to us', site(COMPLAINTS)),
    ` and we will answer within ${studio.policies.complaintDays} days. You can also complain to the Information Commissioner’s Office (ico.org.uk/make-a-complaint) at any time.`,
  )
