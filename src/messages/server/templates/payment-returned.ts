import { formatPounds } from '../../../foundation/money.ts'
import type { Mails } from '../../mail.ts'
import { button, facts, paragraph, type Site, type WrittenMail } from './layout.ts'

export function paymentReturned(data: Mails['payment-returned'], site: Site): WrittenMail {
  const amount = formatPounds(data.amount)
  return {
    subject: `Your payment of ${amount} has been returned`,
    preview: `${data.packageName} can be bought once, and you already have it.`,
    heading: 'Your payment has been returned',
    body: [
      paragraph(`Hello ${data.to.firstName},`),
      paragraph(
        `You have paid for ${data.packageName}, which each member can buy once and you already have. So we have returned the whole amount to your card. It can take a few working days to arrive.`,
      ),
      facts(['Returned to your card', amount]),
      button('See your passes', site('/dashboard')),
    ],
  }
}

export function paymentReturnedNotice(data: Mails['payment-returned-notice'], site: Site): WrittenMail {
  const { member, packageName } = data
  const amount = formatPounds(data.amount)
  const what = member
    ? 'A member paid for a pass that can be bought once and that they already have. The whole amount was returned to the card, and the member has been told.'
    : 'Somebody paid for a pass and then deleted the account before the payment arrived. The whole amount was returned to the card.'
  return {
    subject: member ? `A payment of ${amount} was returned to ${member.name}` : `A payment of ${amount} was returned`,
    preview: member ? `${packageName} was paid for twice.` : `The account that paid for ${packageName} is gone.`,
    heading: 'A payment was returned',
    body: [
      paragraph(`Hello ${data.to.firstName},`),
      paragraph(`${what} There is nothing you need to do.`),
      facts(
        ...(member ? [['Member', `${member.name}, ${member.email}`] as [string, string]] : []),
        ['Pass', packageName],
        ['Returned', amount],
      ),
      button('Open the admin pages', site('/admin')),
    ],
  }
}
