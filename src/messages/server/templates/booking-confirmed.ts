import { studio } from '#studio.ts'
import type { Mails } from '../../mail.ts'
import type { TokenOf } from '../link-tokens.ts'
import { addToCalendar, calendarAttachment } from './calendar-attachment.ts'
import { classFacts } from './class-facts.ts'
import { button, paragraph, type Site, small, type WrittenMail } from './layout.ts'
import { dayAndTime, hourOf, wayOut } from './words.ts'

export function bookingConfirmed(
  { to, class: studioClass, ifCancelled = 'credit_returned' }: Mails['booking-confirmed'],
  site: Site,
  tokenOf: TokenOf,
): WrittenMail {
  const notice = `If you can, please give us ${studio.policies.noticeHours} hours’ notice.`
  return {
    subject: `Your class on ${dayAndTime(studioClass)} is booked`,
    preview: `${studioClass.title} with ${studioClass.instructorName}. The attached file puts it into your calendar.`,
    heading: 'Your class is booked',
    hour: hourOf(studioClass),
    body: [
      paragraph(`Hello ${to.firstName},`),
      paragraph(
        ifCancelled === 'too_late'
          ? 'You have a place in this class, and one credit of your class pass has been taken for it.'
          : 'Your place is reserved. The attached file puts the class into your calendar.',
      ),
      classFacts(studioClass, site),
      button('See your bookings', site('/dashboard'), addToCalendar(studioClass, site, tokenOf)),
      ...(ifCancelled === 'too_late'
        ? []
        : [
            small([wayOut(studioClass, ifCancelled), ...(ifCancelled === 'credit_returned' ? [notice] : [])].join(' ')),
          ]),
    ],
    attachments: calendarAttachment(studioClass, 'PUBLISH', site),
  }
}
