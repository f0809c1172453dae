import type { Mails } from '../../mail.ts'
import type { TokenOf } from '../link-tokens.ts'
import { addToCalendar, calendarAttachment } from './calendar-attachment.ts'
import { classFacts } from './class-facts.ts'
import { button, paragraph, type Site, small, type WrittenMail } from './layout.ts'
import { dayAndTime, hourOf, lateFrom } from './words.ts'

export function classReminder(
  { to, class: awaited, isMoved }: Mails['class-reminder'],
  site: Site,
  tokenOf: TokenOf,
): WrittenMail {
  // A class that the studio has moved costs nothing until it starts.
  const creditUntil = isMoved
    ? 'Because we moved this class, your credit comes back until it starts.'
    : `Before ${lateFrom(awaited)} your credit comes back, from then on it is used.`
  return {
    subject: `See you on ${dayAndTime(awaited)}`,
    preview: `${awaited.title} with ${awaited.instructorName}.`,
    heading: 'Your class is coming up',
    hour: hourOf(awaited),
    body: [
      paragraph(`Hello ${to.firstName},`),
      paragraph('This is a short reminder of your class. We look forward to seeing you.'),
      classFacts(awaited, site),
      button('See your bookings', site('/dashboard'), addToCalendar(awaited, site, tokenOf)),
      small(
        `If you cannot come, please cancel or move the class on your dashboard, so that somebody else can. ${creditUntil}`,
      ),
    ],
    attachments: calendarAttachment(awaited, 'PUBLISH', site),
  }
}
