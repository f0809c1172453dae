import { studio } from '#studio.ts'
import type { Mails, WhySkipped } from '../../mail.ts'
import type { TokenOf } from '../link-tokens.ts'
import { addToCalendar, calendarAttachment } from './bookings.ts'
import { button, paragraph, type Site, small, type WrittenMail } from './layout.ts'
import { classFacts, dayAndTime, hourOf, lateFrom } from './words.ts'

/** Why a place could not be given, and the way to change that. */
const WHY: Record<WhySkipped, { reason: string; way?: { label: string; path: string } }> = {
  blocked: { reason: 'your account is on hold. Please contact us' },
  no_credit: {
    reason: 'you have no credit that is valid on the day of the class',
    way: { label: 'Buy a class pass', path: '/pricing' },
  },
  pass_on_hold: { reason: 'your class pass is on hold while a bank looks into its payment. Please contact us' },
  health_missing: {
    reason: 'your health information is not complete',
    way: { label: 'Complete your health form', path: '/health' },
  },
  overlapping_booking: {
    reason: 'you have booked another class at that time',
    way: { label: 'See your bookings', path: '/dashboard' },
  },
}

export function placeFree({ to, class: awaited, because }: Mails['place-free'], site: Site): WrittenMail {
  return {
    subject: `A place is free on ${dayAndTime(awaited)}`,
    preview: 'Everybody who waits for it has been told. The first to book gets it.',
    heading: 'A place is free now',
    hour: hourOf(awaited),
    body: [
      paragraph(`Hello ${to.firstName},`),
      paragraph(
        'You are waiting for this class, and a place has become free. Everybody in line gets this email at the same moment, and the first to book has the place.',
      ),
      ...(because ? [paragraph(`We could not book it for you: ${WHY[because].reason}.`)] : []),
      classFacts(awaited, site),
      button('Book the place', site(`/booking?date=${awaited.date}`), wayOf(because, site)),
      small(
        'Booking needs a credit on your class pass and complete health information. If somebody else was faster, you keep your place in line.',
      ),
    ],
  }
}

export function skippedInLine({ to, class: awaited, because }: Mails['skipped-in-line'], site: Site): WrittenMail {
  const { reason, way } = WHY[because]
  return {
    subject: `We could not give you a place on ${dayAndTime(awaited)}`,
    preview: `A place became free, but ${reason}.`,
    heading: 'A place became free, but not for you',
    body: [
      paragraph(`Hello ${to.firstName},`),
      paragraph(
        `A place became free in a class you are waiting for. We could not book it for you: ${reason}. It went to the next in line.`,
      ),
      classFacts(awaited, site),
      ...(way ? [button(way.label, site(way.path))] : []),
      ...(because === 'blocked'
        ? []
        : [
            small(
              'You keep your place in line. Once this is sorted out, the next place that becomes free can be yours.',
            ),
          ]),
    ],
  }
}

const wayOf = (because: WhySkipped | undefined, site: Site) => {
  const way = because && WHY[because].way
  return way ? { label: way.label, href: site(way.path) } : null
}

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
