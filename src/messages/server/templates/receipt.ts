import { formatInstantDate } from '#foundation/instants.ts'
import { formatMoney } from '#foundation/money.ts'
import { studio } from '#studio.ts'
import type { Mails } from '../../mail.ts'
import { cancellationRight } from './cancellation-right.ts'
import { button, facts, link, paragraph, type Site, small, type WrittenMail } from './layout.ts'

/** The express request of regulation 36. */
const beginAsked = (at: string): [string, string] => [
  `Classes within the ${studio.policies.coolingOffDays} days`,
  `You asked us on ${formatInstantDate(at)} to begin before they are over.`,
]

export function receipt(data: Mails['receipt'], site: Site): WrittenMail {
  const amount = formatMoney(data.amount)
  return {
    subject: `Your receipt for ${data.packageName}`,
    preview: `${amount} paid. Your pass is active.`,
    heading: `Thank you, ${data.to.firstName}`,
    body: [
      paragraph('Your pass is active. This is your receipt.'),
      facts(
        ['Receipt number', String(data.receiptNumber ?? data.purchaseId)],
        ['Pass', data.packageName],
        ['Classes', String(data.classCount)],
        ['Paid', amount],
        data.method ? ['Paid with', data.method] : null,
        ['Paid on', formatInstantDate(data.paidAt)],
        ['Valid until', formatInstantDate(data.expiresAt)],
        data.beginRequestedAt ? beginAsked(data.beginRequestedAt) : null,
      ),
      small(studio.session.credit),
      button('Book a class', site('/booking')),
      small(
        `A pass that has not been used can be refunded within ${studio.policies.refundDays} days, less a ${studio.policies.refundFeePercent}% processing fee. `,
        link('Read the refund policy', site('/refund-policy')),
      ),
      // The right to cancel is the law's for what is bought from afar.
      ...(data.isOnPremises ? [] : cancellationRight(data, site.facts)),
    ],
  }
}
