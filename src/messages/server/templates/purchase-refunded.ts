import { formatPounds } from '../../../foundation/money.ts'
import { studio } from '../../../studio.ts'
import type { Mails } from '../../mail.ts'
import { button, facts, link, paragraph, type Site, small, type WrittenMail } from './layout.ts'

export function purchaseRefunded(data: Mails['purchase-refunded'], site: Site): WrittenMail {
  const amount = formatPounds(data.amount)
  const fee = Number(data.paid) - Number(data.amount)
  return {
    subject: `Your refund of ${amount}`,
    preview: `${data.packageName} has been refunded.`,
    heading: 'Your pass has been refunded',
    body: [
      paragraph(`Hello ${data.to.firstName},`),
      paragraph(
        `We have refunded ${data.packageName}. The money goes back to the card you paid with and arrives within ${studio.policies.refundArrivesBusinessDays} business days. The pass can no longer be used.`,
      ),
      facts(
        ['Paid', formatPounds(data.paid)],
        ...(fee > 0 ? [['Processing fee', formatPounds(fee)] as [string, string]] : []),
        ['Refunded to your card', amount],
      ),
      button('See your passes', site('/dashboard')),
      small('This follows our ', link('refund policy', site('/refund-policy'))),
    ],
  }
}
