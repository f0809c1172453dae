import { formatInstantDate } from '#foundation/instants.ts'
import type { Mails } from '../../mail.ts'
import { classFacts } from './class-facts.ts'
import { button, paragraph, type Site, type WrittenMail } from './layout.ts'
import { dayAndTime } from './words.ts'

export function creditReturned(data: Mails['credit-returned'], site: Site): WrittenMail {
  return {
    subject: `Your credit for ${dayAndTime(data.class)} is back`,
    preview: 'We have given your credit back to your pass.',
    heading: 'Your credit is back on your pass',
    body: [
      paragraph(`Hello ${data.to.firstName},`),
      paragraph('We have given back the credit for this class. You can book with it straight away.'),
      classFacts(data.class, site, {
        more: [
          ['Why', data.reason],
          ['Your pass is valid until', formatInstantDate(data.expiresAt)],
        ],
      }),
      button('Book a class', site('/booking')),
    ],
  }
}
