import type { Mails } from '../../mail.ts'
import { calendarAttachment } from './calendar-attachment.ts'
import { classFacts } from './class-facts.ts'
import { button, paragraph, type Site, small, type WrittenMail } from './layout.ts'
import { dayAndTime, lateFrom } from './words.ts'

export function classReminder({ to, class: awaited }: Mails['class-reminder'], site: Site): WrittenMail {
  return {
    subject: `See you on ${dayAndTime(awaited)}`,
    preview: `${awaited.title} with ${awaited.instructorName}.`,
    heading: 'Your class is coming up',
    body: [
      paragraph(`Hello ${to.firstName},`),
      paragraph('This is a short reminder of your class. We look forward to seeing you.'),
      classFacts(awaited),
      button('See your bookings', site('/dashboard')),
      small(
        `If you cannot come, please cancel or move the class on your dashboard, so that somebody else can. Before ${lateFrom(awaited)} your credit comes back, from then on it is used.`,
      ),
    ],
    attachments: calendarAttachment(awaited, 'PUBLISH', site),
  }
}
