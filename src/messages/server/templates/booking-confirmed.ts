import { studio } from '../../../studio.ts'
import type { Mails } from '../../mail.ts'
import type { TokenOf } from '../link-tokens.ts'
import { addToCalendar, calendarAttachment } from './calendar-attachment.ts'
import { classFacts } from './class-facts.ts'
import { button, paragraph, type Site, small, type WrittenMail } from './layout.ts'
import { dayAndTime, hourOf, lateFrom } from './words.ts'

export function bookingConfirmed(
  { to, class: studioClass }: Mails['booking-confirmed'],
  site: Site,
  tokenOf: TokenOf,
): WrittenMail {
  return {
    subject: `Your class on ${dayAndTime(studioClass)} is booked`,
    preview: `${studioClass.title} with ${studioClass.instructorName}. The attached file puts it into your calendar.`,
    heading: 'Your class is booked',
    hour: hourOf(studioClass),
    body: [
      paragraph(`Hello ${to.firstName},`),
      paragraph('Your place is reserved. The attached file puts the class into your calendar.'),
      classFacts(studioClass, site),
      button('See your bookings', site('/dashboard'), addToCalendar(studioClass, site, tokenOf)),
      small(
        `You can cancel or move the class on your dashboard until it starts. Before ${lateFrom(studioClass)} your credit comes back, from then on it is used. If you can, please give us ${studio.policies.noticeHours} hours’ notice.`,
      ),
    ],
    attachments: calendarAttachment(studioClass, 'PUBLISH', site),
  }
}
