import type { Mails } from '../../mail.ts'
import type { TokenOf } from '../link-tokens.ts'
import { addToCalendar, calendarAttachment } from './calendar-attachment.ts'
import { classFacts } from './class-facts.ts'
import { button, paragraph, type Site, small, type WrittenMail } from './layout.ts'
import { dayAndTime, hourOf, wayOut } from './words.ts'

export function bookingRescheduled(
  { to, class: studioClass, from, ifCancelled }: Mails['booking-rescheduled'],
  site: Site,
  tokenOf: TokenOf,
): WrittenMail {
  return {
    subject: `Your class has moved to ${dayAndTime(studioClass)}`,
    preview: `${studioClass.title} with ${studioClass.instructorName}, instead of ${dayAndTime(from)}.`,
    heading: 'Your class has moved',
    hour: hourOf(studioClass),
    body: [
      paragraph(`Hello ${to.firstName},`),
      paragraph(`Your place on ${dayAndTime(from)} is given back, and this one is yours instead.`),
      classFacts(studioClass, site),
      button('See your bookings', site('/dashboard'), addToCalendar(studioClass, site, tokenOf)),
      small(
        `If the class is in your calendar, open the attached file to move it there too. ${wayOut(studioClass, ifCancelled)}`,
      ),
    ],
    attachments: calendarAttachment(studioClass, 'PUBLISH', site),
  }
}
