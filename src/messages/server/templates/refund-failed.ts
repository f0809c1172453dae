import { formatMoney } from '#foundation/money.ts'
import type { Mails } from '../../mail.ts'
import { button, paragraph, type Site, type WrittenMail } from './layout.ts'

export function refundFailed(data: Mails['refund-failed'], site: Site): WrittenMail {
  const amount = formatMoney(data.amount)
  return {
    subject: `Your refund of ${amount} did not arrive`,
    preview: 'We will find another way and write to you.',
    heading: 'Your refund did not arrive',
    body: [
      paragraph(`Hello ${data.to.firstName},`),
      paragraph(
        `We tried to refund ${amount} for ${data.packageName}, but it did not go through, for example because the card is no longer in use. The studio has been told and will get in touch about another way. You can also call us on ${site.facts.phone}.`,
      ),
      button('Contact us', site('/contact-us')),
    ],
  }
}
