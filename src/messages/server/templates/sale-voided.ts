import { formatMoney } from '#foundation/money.ts'
import type { Mails } from '../../mail.ts'
import { button, facts, paragraph, type Site, type WrittenMail } from './layout.ts'

export function saleVoided(data: Mails['sale-voided'], site: Site): WrittenMail {
  const amount = formatMoney(data.amount)
  return {
    subject: `Your receipt for ${data.packageName} is no longer valid`,
    preview: 'The sale was recorded by mistake.',
    heading: 'A sale was taken back',
    body: [
      paragraph(`Hello ${data.to.firstName},`),
      paragraph(
        `A sale was recorded for you today by mistake, and we have taken it back. The pass that came with it can no longer be used. If you did pay for it, please tell us: you can call us on ${site.facts.phone}.`,
      ),
      facts(['Receipt number', String(data.receiptNumber)], ['Pass', data.packageName], ['Amount', amount]),
      button('See your passes', site('/dashboard')),
    ],
  }
}
