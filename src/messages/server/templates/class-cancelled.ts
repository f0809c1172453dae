import { studio } from '#studio.ts'
import type { Mails } from '../../mail.ts'
import { calendarAttachment } from './calendar-attachment.ts'
import { classFacts } from './class-facts.ts'
import { button, paragraph, type Site, small, type WrittenMail } from './layout.ts'
import { dayAndTime } from './words.ts'

const { studioCancellationGraceDays } = studio.policies

export function classCancelled({ to, class: cancelled }: Mails['class-cancelled'], site: Site): WrittenMail {
  const credit = cancelled.isCreditLost
    ? 'The pass that paid for it has ended, so no credit comes back.'
    : `Your credit is back on your pass, and the pass stays valid for at least ${studioCancellationGraceDays} days, so that you can use it.`
  return {
    subject: `We are sorry: your class on ${dayAndTime(cancelled)} is cancelled`,
    preview: cancelled.isCreditLost ? 'It cannot take place.' : 'Your credit is back on your pass.',
    heading: 'We had to cancel your class',
    body: [
      paragraph(`Hello ${to.firstName},`),
      paragraph(`We are sorry, this class cannot take place. ${credit}`),
      classFacts(cancelled, site),
      button('Choose another class', site('/booking')),
      small('If the class is in your calendar, open the attached file to take it out there too.'),
    ],
    attachments: calendarAttachment(cancelled, 'CANCEL', site),
  }
}
