import { formatMoney } from '#foundation/money.ts'
import type { Mails } from '../../mail.ts'
import { button, paragraph, type Site, type WrittenMail } from './layout.ts'

/** A payment by a method that takes days did not arrive. */
export function paymentFailed(data: Mails['payment-failed'], site: Site): WrittenMail {
  const amount = formatMoney(data.amount)
  return {
    subject: `Your payment of ${amount} did not go through`,
    preview: `${data.packageName} has not been paid.`,
    heading: 'Your payment did not go through',
    body: [
      paragraph(`Hello ${data.to.firstName},`),
      paragraph(
        `Your payment of ${amount} for ${data.packageName} was on its way, but your bank did not send it. Nothing has been paid, and there is no pass yet. You can try again with the same or another way to pay.`,
      ),
      button('Choose a pass', site('/pricing')),
    ],
  }
}
