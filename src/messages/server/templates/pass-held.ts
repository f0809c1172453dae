import { formatMoney } from '#foundation/money.ts'
import type { Mails } from '../../mail.ts'
import { button, paragraph, type Site, type WrittenMail } from './layout.ts'

const hello = (data: Mails['pass-on-hold']) => paragraph(`Hello ${data.to.firstName},`)

/** The bank of the card's holder disputes the payment. */
export function passOnHold(data: Mails['pass-on-hold'], site: Site): WrittenMail {
  return {
    subject: `Your ${data.packageName} is on hold`,
    preview: 'Your bank is looking into the payment.',
    heading: 'Your pass is on hold',
    body: [
      hello(data),
      paragraph(
        `Your bank has told us that the payment of ${formatMoney(data.amount)} for ${data.packageName} is disputed. Until that is decided the pass cannot be used for new bookings. Classes you have already booked stay booked, and the time on hold is added to the pass if the payment stands.`,
      ),
      paragraph(`If this is a mistake, please tell your bank, and call us on ${site.facts.phone}.`),
    ],
  }
}

export function passOffHold(data: Mails['pass-off-hold'], site: Site): WrittenMail {
  return {
    subject: `Your ${data.packageName} can be used again`,
    preview: 'The time on hold has been added to it.',
    heading: 'Your pass can be used again',
    body: [
      hello(data),
      paragraph(
        `The dispute about the payment for ${data.packageName} is over and the payment stands. The pass can be used again, and the time it was on hold has been added to it.`,
      ),
      button('Book a class', site('/booking')),
    ],
  }
}

export function passEnded(data: Mails['pass-ended'], site: Site): WrittenMail {
  return {
    subject: `Your ${data.packageName} has ended`,
    preview: 'Your bank has taken the payment back.',
    heading: 'Your pass has ended',
    body: [
      hello(data),
      paragraph(
        `Your bank has decided that the payment of ${formatMoney(data.amount)} for ${data.packageName} goes back to you. So the pass has ended, and classes booked with it are cancelled; about each of them you get an email of its own.`,
      ),
      paragraph('You are welcome back at any time with a new pass.'),
      button('See our passes', site('/pricing')),
    ],
  }
}
