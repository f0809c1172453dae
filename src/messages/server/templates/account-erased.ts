import type { Mails } from '../../mail.ts'
import { calendarAttachment } from './calendar-attachment.ts'
import { when } from './class-facts.ts'
import { type Fact, facts, paragraph, type Site, small, type WrittenMail } from './layout.ts'

/** For who had classes to come. The last mail to this address: there is no dashboard any more to look at. */
export function accountErased({ to, classes }: Mails['account-erased'], site: Site): WrittenMail {
  const files = classes.flatMap((studioClass) => calendarAttachment(studioClass, 'CANCEL', site))
  return {
    subject: 'Your account is deleted and your booked classes are cancelled',
    preview: 'Your places are free again.',
    heading: 'Your account is deleted',
    body: [
      paragraph(`Hello ${to.firstName},`),
      paragraph('Your account is deleted, and with it these bookings are cancelled. Your places are free again.'),
      facts(...classes.map((studioClass): Fact => [studioClass.title, when(studioClass)])),
      small('If the classes are in your calendar, open the attached files to take them out there too.'),
    ],
    // One file holds one entry, and each has a name of its own.
    attachments: files.map((file, i) => ({ ...file, filename: `class-cancelled-${i + 1}.ics` })),
  }
}
