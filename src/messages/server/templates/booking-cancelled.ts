import { studio } from '#studio.ts'
import type { Mails } from '../../mail.ts'
import { calendarAttachment } from './calendar-attachment.ts'
import { classFacts } from './class-facts.ts'
import { button, paragraph, type Site, small, type WrittenMail } from './layout.ts'
import { dayAndTime } from './words.ts'

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
