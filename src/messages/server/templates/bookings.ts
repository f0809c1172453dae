import type { ReactNode } from 'react'
import { timeOf } from '#foundation/instants.ts'
import { studio } from '#studio.ts'
import type { MailedBooking, MailedClass, Mails, SkipReason } from '../../mail.ts'
import { type CalendarMethod, calendarFile } from '../calendar-file.ts'
import { calendarPath, type TokenOf } from '../link-tokens.ts'
import { type Attachment, button, type Site, small, type Templates, type WrittenMail } from './layout.ts'
import { cancellationNotice, classFacts, creditBackBefore, dayAndTime, hourOf, lateFrom } from './words.ts'

const { lateCancellationMinutes, noticeHours } = studio.policies
const NOTICE = `If you can, please give us ${noticeHours} hours’ notice.`

const OUTCOMES: Record<Mails['booking-cancelled']['outcome'], string> = {
  credit_returned: 'Your credit is back on your pass.',
  forfeited: 'The credit has been used.',
  no_pass: 'The pass that paid for it has ended, so we cannot return the credit.',
  pass_ended: 'The payment for your pass was returned, so the pass and this booking have ended.',
}

/** Whether the credit came back; `paidBy`: another member's credit. */
function outcomeFor(outcome: Mails['booking-cancelled']['outcome'], paidBy: string | undefined): string {
  if (!paidBy) return OUTCOMES[outcome]
  if (outcome === 'pass_ended') return 'The pass that paid for it has ended, and the booking with it.'
  return outcome === 'credit_returned' ? `The credit is back on ${paidBy}’s pass.` : OUTCOMES[outcome]
}

const REASONS: Record<NonNullable<Mails['booking-cancelled']['reason']>, string> = {
  in_time: `It was cancelled more than ${lateCancellationMinutes} minutes before the start.`,
  late: `It was cancelled in the last ${lateCancellationMinutes} minutes before the start.`,
  moved: 'We had moved this class, so the credit is not lost.',
  other_teacher: 'We had given this class to another teacher, so the credit is not lost.',
  paused: 'We have paused your pass on that day.',
  decided: '',
}

/** Why the member could not be given the place, and what they can do about it. */
const WHY_SKIPPED: Record<SkipReason, { reason: string; action?: { label: string; path: string } }> = {
  blocked: { reason: 'your account is on hold. Please contact us' },
  no_credit: {
    reason: 'you do not have a credit that is valid on the day of the class',
    action: { label: 'Buy a class pass', path: '/pricing' },
  },
  pass_on_hold: {
    reason: 'your class pass is on hold while your bank reviews the payment for it. Please contact us',
  },
  pass_paused: {
    reason: 'your class pass is paused on the day of the class',
    action: { label: 'See your passes', path: '/dashboard' },
  },
  health_missing: {
    reason: 'your health information is not complete',
    action: { label: 'Complete your health form', path: '/health' },
  },
  overlapping_booking: {
    reason: 'you have booked another class at that time',
    action: { label: 'See your bookings', path: '/dashboard' },
  },
}

export const bookingMails = {
  'booking-confirmed': ({ class: studioClass, ifCancelled, bookedBy }, site, tokenOf) => {
    const ownIntro =
      ifCancelled === 'too_late'
        ? 'You are booked into this class. We have taken one credit from your class pass.'
        : 'Your place is reserved. Open the attached file to add the class to your calendar.'
    const terms = bookedBy
      ? `You can cancel the class on your dashboard until it starts. ${creditBackBefore(lateFrom(studioClass), bookedBy)}`
      : cancellationNotice(studioClass, ifCancelled)
    return mailAboutBooking(studioClass, site, tokenOf, {
      subject: `Your class on ${dayAndTime(studioClass)} is booked`,
      preview: `${studioClass.title} with ${studioClass.instructorName}. Open the attached file to add it to your calendar.`,
      spoken: `${studioClass.title} with ${studioClass.instructorName}.`,
      heading: 'Your class is booked',
      intro: bookedBy
        ? `Your place next to ${bookedBy} is booked and paid for. Open the attached file to add the class to your calendar.`
        : ownIntro,
      note: ifCancelled === 'credit_returned' ? `${terms} ${NOTICE}` : terms,
    })
  },

  'booking-rescheduled': ({ class: studioClass, from, ifCancelled }, site, tokenOf) =>
    mailAboutBooking(studioClass, site, tokenOf, {
      subject: `Your class has moved to ${dayAndTime(studioClass)}`,
      preview: `${studioClass.title} with ${studioClass.instructorName}, instead of ${dayAndTime(from)}.`,
      heading: 'Your class has moved',
      intro: `You have given up your place on ${dayAndTime(from)} and are booked into this class instead.`,
      note: `If the class is in your calendar, open the attached file to move it there too. ${cancellationNotice(studioClass, ifCancelled)}`,
    }),

  'class-reminder': ({ class: studioClass, isMoved, paidBy, hasPassEnded }, site, tokenOf) => {
    const toDo = paidBy || hasPassEnded ? 'cancel' : 'cancel or move'
    return mailAboutBooking(studioClass, site, tokenOf, {
      subject: `See you on ${dayAndTime(studioClass)}`,
      preview: `${studioClass.title} with ${studioClass.instructorName}.`,
      heading: 'Your class is coming up',
      intro: 'This is a reminder of your class. We look forward to seeing you.',
      note: [
        `If you cannot come, please ${toDo} the class on your dashboard so that someone else can take your place.`,
        hasPassEnded ? '' : creditBackBefore(isMoved ? 'the class starts' : lateFrom(studioClass), paidBy),
      ].join(' '),
    })
  },

  'place-from-waiting-list': ({ class: studioClass }, site, tokenOf) =>
    mailAboutBooking(studioClass, site, tokenOf, {
      subject: `A place for you: your class on ${dayAndTime(studioClass)} is booked`,
      preview: 'A place became free and you were next on the waiting list.',
      heading: 'A place became free for you',
      intro:
        'A place became free and you were next on the waiting list, so we booked it for you. We have taken one credit from your class pass. Open the attached file to add the class to your calendar.',
      note: `If the class no longer suits you, cancel it on your dashboard so that the next person can come. To get your credit back, cancel before ${lateFrom(studioClass)}. ${NOTICE}`,
    }),

  'place-offered': ({ classId, class: studioClass, until }, site) => {
    const time = timeOf(until)
    return {
      subject: `Yours until ${time}: a place on ${dayAndTime(studioClass)}`,
      preview: `You are next on the waiting list. Book before ${time}, or it goes to the next person.`,
      heading: `A place is yours until ${time}`,
      hour: hourOf(studioClass),
      body: [
        `A place has become free in a class you are waiting for, and you are next on the list. It is yours until ${time}: no one else can book it before then.`,
        classFacts(studioClass, site, { more: [['Yours until', time]] }),
        button('Book now', site(`/booking?date=${studioClass.date}&class=${classId}`)),
        small(
          'If you do not want it, decline it on your dashboard so that the next person can have it. You keep your place on the waiting list either way.',
        ),
      ],
    }
  },

  'place-free': ({ class: studioClass, because }, site) => {
    const action = because && WHY_SKIPPED[because].action
    return {
      subject: `A place is free on ${dayAndTime(studioClass)}`,
      preview: 'We have emailed everyone on the waiting list. The first to book gets the place.',
      spoken: 'Everyone on the waiting list knows. The first to book gets the place.',
      heading: 'A place is free now',
      hour: hourOf(studioClass),
      body: [
        'A place has become free in a class you are waiting for. We have emailed everyone on the waiting list, and the first to book gets the place.',
        because && `We could not book it for you because ${WHY_SKIPPED[because].reason}.`,
        classFacts(studioClass, site),
        button(
          'Book the place',
          site(`/booking?date=${studioClass.date}`),
          action && { label: action.label, href: site(action.path) },
        ),
        small(
          'To book, you need a credit on your class pass and complete health information. If someone else books first, you keep your place on the waiting list.',
        ),
      ],
    }
  },

  'skipped-on-waiting-list': ({ class: studioClass, because }, site) => {
    const { reason, action } = WHY_SKIPPED[because]
    return {
      subject: `We could not give you a place on ${dayAndTime(studioClass)}`,
      preview: `A place became free, but ${reason}.`,
      heading: 'We could not give you a place',
      body: [
        `A place became free in a class you are waiting for. We could not book it for you because ${reason}. It went to the next person on the waiting list.`,
        classFacts(studioClass, site),
        action && button(action.label, site(action.path)),
        because !== 'blocked' &&
          small('You keep your place on the waiting list. Once this is sorted out, you can get the next free place.'),
      ],
    }
  },

  'booking-cancelled': ({ class: studioClass, outcome, reason, paidBy, isByPayer }, site) =>
    mailAboutCancelledBooking(studioClass, site, {
      subject: `Your class on ${dayAndTime(studioClass)} is cancelled`,
      preview: outcomeFor(outcome, paidBy),
      heading: 'Your class is cancelled',
      intro: [
        isByPayer ? `${paidBy} has cancelled your place in this class.` : 'Your booking is cancelled.',
        paidBy && reason === 'paused' ? 'The pass that paid for it is paused on that day.' : reason && REASONS[reason],
        outcomeFor(outcome, paidBy),
      ]
        .filter(Boolean)
        .join(' '),
      action: 'Book another class',
      payment: outcome === 'credit_returned' ? 'Credit returned' : 'Credit kept',
    }),
} satisfies Partial<Templates>

type BookingWords = {
  subject: string
  preview: string
  spoken?: string
  heading: string
  intro: string
  /** The label of the main button. */
  action?: string
  note?: string
  /** The class before the studio moved it. */
  before?: MailedClass
  /** Whether the credit came back. */
  payment?: string
}

/** A mail about a booking: its class, the room in that hour's light, and the calendar entry. */
export function mailAboutBooking(
  booked: MailedBooking,
  site: Site,
  tokenOf: TokenOf,
  { intro, note, before, action = 'See your bookings', ...head }: BookingWords,
): WrittenMail {
  const { calendar } = booked
  return {
    ...head,
    hour: hourOf(booked),
    body: [
      intro,
      classFacts(booked, site, { before, more: [['Payment', 'Paid with a credit']] }),
      button(action, site('/dashboard'), { label: 'Add to calendar', href: site(calendarPath(calendar.uid, tokenOf)) }),
      note && small(note),
    ],
    attachments: calendarAttachments([booked], 'PUBLISH', site),
  }
}

/** A mail about a booking that has ended, with a file that removes it from a calendar. */
export function mailAboutCancelledBooking(
  booked: MailedBooking,
  site: Site,
  { intro, action = 'Choose another class', payment, ...head }: BookingWords,
): WrittenMail {
  return {
    ...head,
    body: [
      intro,
      classFacts(booked, site, payment ? { more: [['Payment', payment]] } : {}),
      button(action, site('/booking')),
      removeFromCalendar(1),
    ],
    attachments: calendarAttachments([booked], 'CANCEL', site),
  }
}

export function removeFromCalendar(classCount: number): ReactNode {
  return small(
    classCount === 1
      ? 'If the class is in your calendar, open the attached file to remove it there too.'
      : 'If the classes are in your calendar, open the attached files to remove them there too.',
  )
}

/** Bookings as files that add them to a calendar (`PUBLISH`) or remove them (`CANCEL`). Each file holds one entry. */
export function calendarAttachments(
  bookings: readonly MailedBooking[],
  method: CalendarMethod,
  site: Site,
): Attachment[] {
  const name = method === 'CANCEL' ? 'class-cancelled' : 'class'
  return bookings.map((booked, i) => ({
    filename: bookings.length === 1 ? `${name}.ics` : `${name}-${i + 1}.ics`,
    content: calendarFile(booked, method, site, site.facts),
    contentType: `text/calendar; charset=utf-8; method=${method}`,
  }))
}
