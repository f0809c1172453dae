import type { Mails } from '../../mail.ts'
import { classFacts } from './class-facts.ts'
import { button, paragraph, type Site, type WrittenMail } from './layout.ts'
import { dayAndTime } from './words.ts'

export function awaitedClassCancelled(
  { to, class: awaited }: Mails['awaited-class-cancelled'],
  site: Site,
): WrittenMail {
  return {
    subject: `${awaited.title} on ${dayAndTime(awaited)} is cancelled`,
    preview: 'You no longer wait for it, and nothing was paid.',
    heading: 'A class you waited for is cancelled',
    body: [
      paragraph(`Hello ${to.firstName},`),
      paragraph(
        'We are sorry, this class cannot take place, so its waiting list has ended. Waiting has cost you nothing.',
      ),
      classFacts(awaited, site),
      button('Choose another class', site('/booking')),
    ],
  }
}
