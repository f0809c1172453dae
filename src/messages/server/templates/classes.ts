import { formatDay } from '#foundation/dates.ts'
import { formatInstantDate } from '#foundation/instants.ts'
import { studio } from '#studio.ts'
import type { MailedClass, Mails } from '../../mail.ts'
import type { TokenOf } from '../link-tokens.ts'
import { addToCalendar, calendarAttachment } from './bookings.ts'
import { button, type Fact, facts, link, paragraph, type Site, small, subheading, type WrittenMail } from './layout.ts'
import { classFacts, dayAndTime, hourOf, momentOf, when } from './words.ts'

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

/** The studio is closed: one mail about all that somebody had booked in these days, and all that they waited for. */
export function studioClosed(data: Mails['studio-closed'], site: Site): WrittenMail {
  const { to, from, until, reason, booked, late = [], awaited } = data
  const days = from === until ? `on ${formatDay(from)}` : `from ${formatDay(from)} to ${formatDay(until)}`
  const returned = booked.filter(({ isCreditLost }) => !isCreditLost).length + late.length
  const credits = returned === 1 ? 'Your credit is back on your pass' : 'Your credits are back on your pass'
  const validity = `${credits}, and the pass stays valid for at least ${studioCancellationGraceDays} days, so that you can use what came back.`
  return {
    subject: subjectOf(data),
    preview:
      returned > 0 ? `${credits}.` : booked.length > 0 ? 'They cannot take place.' : 'Waiting has cost you nothing.',
    heading: booked.length + late.length > 0 ? 'We had to cancel your classes' : 'Classes you waited for are cancelled',
    body: [
      paragraph(`Hello ${to.firstName},`),
      paragraph(`We are sorry, the studio is closed ${days}: ${reason}`),
      ...(booked.length > 0
        ? [paragraph(`These classes cannot take place. ${returned > 0 ? validity : ''}`.trim()), listOf(booked)]
        : []),
      ...(late.length > 0
        ? [
            paragraph(
              `You had cancelled ${booked.length > 0 ? 'these too' : 'these'}, too late to get your credit back. As they cannot take place, it comes back after all. ${booked.length > 0 ? '' : validity}`.trim(),
            ),
            listOf(late),
          ]
        : []),
      ...(awaited.length > 0
        ? [
            ...(booked.length + late.length > 0 ? [subheading('What you waited for')] : []),
            paragraph('These cannot take place, so their waiting lists have ended. Waiting has cost you nothing.'),
            listOf(awaited),
          ]
        : []),
      button('Choose another class', site('/booking')),
      ...(booked.length > 0
        ? [small('If the classes are in your calendar, open the attached files to take them out there too.')]
        : []),
    ],
    // One file holds one entry, and each has a name of its own.
    attachments: booked
      .flatMap((studioClass) => calendarAttachment(studioClass, 'CANCEL', site))
      .map((file, i) => ({ ...file, filename: `class-cancelled-${i + 1}.ics` })),
  }
}

const listOf = (classes: readonly MailedClass[]) =>
  facts(...classes.map((one): Fact => [`${one.title} with ${one.instructorName}`, when(one)]))

function subjectOf({ booked, late = [], awaited }: Mails['studio-closed']): string {
  if (booked.length === 0 && late[0]) return `We are closed: your credit for ${dayAndTime(late[0])} is back`
  const all = booked.length > 0 ? booked : awaited
  const [first, last] = [all[0], all.at(-1)]
  if (!first || !last) return 'The studio is closed, and classes are cancelled'
  const when =
    first.date === last.date
      ? `on ${formatDay(first.date)}`
      : `from ${formatDay(first.date)} to ${formatDay(last.date)}`
  if (booked.length === 1) return `We are sorry: your class on ${dayAndTime(first)} is cancelled`
  if (booked.length > 1) return `We are sorry: your ${booked.length} classes ${when} are cancelled`
  if (awaited.length === 1) return `${first.title} on ${dayAndTime(first)} is cancelled`
  return `${awaited.length} classes you waited for ${when} are cancelled`
}

export function creditReturned(data: Mails['credit-returned'], site: Site): WrittenMail {
  return {
    subject: `Your credit for ${dayAndTime(data.class)} is back`,
    preview: 'We have given your credit back to your pass.',
    heading: 'Your credit is back on your pass',
    body: [
      paragraph(`Hello ${data.to.firstName},`),
      paragraph('We have given back the credit for this class. You can book with it straight away.'),
      classFacts(data.class, site, {
        more: [
          ['Why', data.reason],
          ['Your pass is valid until', formatInstantDate(data.expiresAt)],
        ],
      }),
      button('Book a class', site('/booking')),
    ],
  }
}
