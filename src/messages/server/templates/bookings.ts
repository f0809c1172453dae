import { studio } from '#studio.ts'
import type { MailedBooking, Mails } from '../../mail.ts'
import { type CalendarMethod, calendarFile } from '../calendar-file.ts'
import { calendarPath, type TokenOf } from '../link-tokens.ts'
import { type Attachment, button, paragraph, type Site, small, type WrittenMail } from './layout.ts'
import { classFacts, dayAndTime, hourOf, lateFrom, wayOut } from './words.ts'

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

const { lateCancellationMinutes } = studio.policies

const outcomes = {
  credit_returned: 'Your credit is back on your pass.',
  forfeited: 'The credit has been used.',
  no_pass: 'The pass that paid for it has ended, so no credit comes back.',
  pass_ended: 'The payment for the pass that paid for it went back, so the pass has ended, and this booking with it.',
} as const

const reasons = {
  in_time: `It was cancelled more than ${lateCancellationMinutes} minutes before the start.`,
  late: `It was cancelled in the last ${lateCancellationMinutes} minutes before the start.`,
  moved: 'We had moved this class, so cancelling it costs you nothing.',
  /** The studio has decided otherwise than the rules. */
  decided: '',
} as const

export function bookingCancelled(data: Mails['booking-cancelled'], site: Site): WrittenMail {
  const outcome = outcomes[data.outcome]
  return {
    subject: `Your class on ${dayAndTime(data.class)} is cancelled`,
    preview: outcome,
    heading: 'Your class is cancelled',
    body: [
      paragraph(`Hello ${data.to.firstName},`),
      paragraph(
        `${`Your booking is cancelled and your place is free again. ${reasons[data.reason ?? 'decided']}`.trim()} ${outcome}`,
      ),
      classFacts(data.class, site),
      button('Book another class', site('/booking')),
      small('If the class is in your calendar, open the attached file to take it out there too.'),
    ],
    attachments: calendarAttachment(data.class, 'CANCEL', site),
  }
}

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

/** A booking as a file that puts it into a calendar (`PUBLISH`) or takes it out (`CANCEL`). */
export function calendarAttachment(studioClass: MailedBooking, method: CalendarMethod, site: Site): Attachment[] {
  // A mail queued by an earlier version, before identities were kept, goes without.
  if (!studioClass.calendar) return []
  return [
    {
      filename: method === 'CANCEL' ? 'class-cancelled.ics' : 'class.ics',
      content: calendarFile(studioClass, method, site, site.facts),
      contentType: `text/calendar; charset=utf-8; method=${method}`,
    },
  ]
}

/** For who reads where an attached file is a nuisance: the same entry behind a link, as it is when that is followed. */
export function addToCalendar({ calendar }: MailedBooking, site: Site, tokenOf: TokenOf) {
  return calendar ? { label: 'Add to calendar', href: site(calendarPath(calendar.uid, tokenOf)) } : null
}
