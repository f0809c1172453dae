import type { Mails } from '../../mail.ts'
import { classFacts } from './class-facts.ts'
import { button, paragraph, type Site, small, type WrittenMail } from './layout.ts'
import { dayAndTime, hourOf } from './words.ts'

export function placeFree({ to, class: awaited }: Mails['place-free'], site: Site): WrittenMail {
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
      classFacts(awaited, site),
      button('Book the place', site(`/booking?date=${awaited.date}`)),
      small(
        'Booking needs a credit on your class pass and complete health information. If somebody else was faster, you keep your place in line.',
      ),
    ],
  }
}
