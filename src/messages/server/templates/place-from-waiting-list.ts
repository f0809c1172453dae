import { studio } from '#studio.ts'
import type { Mails } from '../../mail.ts'
import type { TokenOf } from '../link-tokens.ts'
import { addToCalendar, calendarAttachment } from './calendar-attachment.ts'
import { classFacts } from './class-facts.ts'
import { button, paragraph, type Site, small, type WrittenMail } from './layout.ts'
import { dayAndTime, hourOf, lateFrom } from './words.ts'

export function placeFromWaitingList(
  { to, class: studioClass }: Mails['place-from-waiting-list'],
  site: Site,
  tokenOf: TokenOf,
): WrittenMail {
  return {
    subject: `A place for you: your class on ${dayAndTime(studioClass)} is booked`,
    preview: 'A place became free, and you were first in line.',
    heading: 'A place became free for you',
    hour: hourOf(studioClass),
    body: [
      paragraph(`Hello ${to.firstName},`),
      paragraph(
        'You were waiting for this class. A place became free and you were next in line, so we have booked it for you and taken one credit from your class pass. The attached file puts the class into your calendar.',
      ),
      classFacts(studioClass, site),
      button('See your bookings', site('/dashboard'), addToCalendar(studioClass, site, tokenOf)),
      small(
        `If it no longer suits you, cancel it on your dashboard, so that the next in line can come. Before ${lateFrom(studioClass)} your credit comes back, from then on it is used. If you can, please give us ${studio.policies.noticeHours} hours’ notice.`,
      ),
    ],
    attachments: calendarAttachment(studioClass, 'PUBLISH', site),
  }
}
