import type { MailedClass, Mails } from '../../mail.ts'
import type { TokenOf } from '../link-tokens.ts'
import { addToCalendar, calendarAttachment } from './calendar-attachment.ts'
import { classFacts } from './class-facts.ts'
import { button, link, paragraph, type Site, small, type WrittenMail } from './layout.ts'
import { dayAndTime, hourOf, momentOf } from './words.ts'

/** For who has booked it: the old time, the new time and the way out. */
export function classMoved(
  { to, class: studioClass, from, movedAt }: Mails['class-moved'],
  site: Site,
  tokenOf: TokenOf,
): WrittenMail {
  return {
    subject: hasMoved('your class', from, studioClass),
    preview: `${studioClass.title} with ${studioClass.instructorName}. Your place moves with it.`,
    heading: 'We have moved your class',
    hour: hourOf(studioClass),
    body: [
      paragraph(`Hello ${to.firstName},`),
      paragraph(
        `We moved this class at ${momentOf(movedAt)}, and your place with it. We are sorry if that upsets your plans. Your pass pays for the new time, even if it ends before.`,
      ),
      classFacts(studioClass, site, { before: from }),
      button('Keep, change or cancel it', site('/dashboard'), addToCalendar(studioClass, site, tokenOf)),
      small(
        `To keep your place you need do nothing. If the class is in your calendar, open the attached file to move it there too. If the new time does not suit you, cancel the class or choose another one on your dashboard. Your credit comes back until the class starts, on ${dayAndTime(studioClass)}.`,
      ),
    ],
    attachments: calendarAttachment(studioClass, 'PUBLISH', site),
  }
}

/** For who waits for it: they are booked into the new time only after they have said that they still want it. */
export function awaitedClassMoved(data: Mails['awaited-class-moved'], site: Site): WrittenMail {
  const { to, class: awaited, from, movedAt, isFree } = data
  const line = site(`/dashboard?waiting=${data.classId}`)
  return {
    subject: hasMoved('the class you are waiting for', from, awaited),
    preview: isFree ? 'A place is free, and the first to book has it.' : 'Do you still want a place?',
    heading: 'The class you are waiting for has moved',
    hour: hourOf(awaited),
    body: [
      paragraph(`Hello ${to.firstName},`),
      paragraph(
        `We moved this class at ${momentOf(movedAt)}. ${
          isFree
            ? 'It has a free place: everybody in line gets this email, and the first to book has the place.'
            : 'You keep your place in line, but we book you into the new time only once you have told us that you still want it.'
        }`,
      ),
      classFacts(awaited, site, { before: from }),
      isFree ? button('Book the place', site(`/booking?date=${awaited.date}`)) : button('I still want a place', line),
      small('If the new time does not suit you, ', link('leave the waiting list on your dashboard', line)),
    ],
  }
}

function hasMoved(whose: string, from: MailedClass, to: MailedClass): string {
  const sameStart = from.date === to.date && from.startTime === to.startTime
  const subject = sameStart
    ? `the end of ${whose} on ${dayAndTime(from)} has moved to ${to.endTime}`
    : `${whose} on ${dayAndTime(from)} has moved to ${dayAndTime(to)}`
  return subject.charAt(0).toUpperCase() + subject.slice(1)
}
