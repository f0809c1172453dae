import { createElement, Fragment } from 'react'
import { studio } from '#studio.ts'
import type { Mails } from '../../mail.ts'
import { button, link, paragraph, type Site, steps, type WrittenMail } from './layout.ts'

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
