import { formatAmount } from '#foundation/money.ts'
import type { Mails } from '../../mail.ts'
import { button, facts, paragraph, type Site, type WrittenMail } from './layout.ts'

const WHY = {
  held: {
    preview: 'can be bought once, and you already have it.',
    text: 'which each member can buy once and you already have',
  },
  blocked: {
    preview: 'was paid while your account is on hold.',
    text: 'but your account is on hold, so we cannot sell you a pass now; please contact us',
  },
  mismatched: {
    preview: 'was paid with another amount than its price.',
    text: 'but what arrived is not the amount, currency or pass that was asked for',
  },
} as const

export function paymentReturned(data: Mails['payment-returned'], site: Site): WrittenMail {
  const amount = formatAmount(data.amount, data.currency)
  const why = WHY[data.because]
  const way = data.method ?? 'the way you paid'
  return {
    subject: `Your payment of ${amount} has been returned`,
    preview: `${data.packageName} ${why.preview}`,
    heading: 'Your payment has been returned',
    body: [
      paragraph(`Hello ${data.to.firstName},`),
      paragraph(
        `You have paid for ${data.packageName}, ${why.text}. So we have returned the whole amount to ${way}. It can take a few working days to arrive.`,
      ),
      facts([`Returned to ${way}`, amount]),
      button('See your passes', site('/dashboard')),
    ],
  }
}

const WHAT: Record<Mails['payment-returned-notice']['because'], { text: string; preview: string }> = {
  held: {
    text: 'A member paid for a pass that can be bought once and that they already have. The whole amount was returned, and the member has been told.',
    preview: 'was paid for twice.',
  },
  blocked: {
    text: 'A member whom you have blocked paid for a pass, which they had begun before. The whole amount was returned, and the member has been told.',
    preview: 'was paid for by a member who is blocked.',
  },
  mismatched: {
    text: 'A payment arrived that does not match what was asked for: another amount, currency, member or pass. No pass was made of it, and the whole amount was returned. If you changed it at the card provider yourself, that is why.',
    preview: 'was paid with another amount than its price.',
  },
  member_gone: {
    text: 'Somebody paid for a pass and then deleted the account before the payment arrived. The whole amount was returned.',
    preview: 'was paid for by an account that is gone.',
  },
}

export function paymentReturnedNotice(data: Mails['payment-returned-notice'], site: Site): WrittenMail {
  const { member, packageName } = data
  const amount = formatAmount(data.amount, data.currency)
  const { text, preview } = WHAT[data.because]
  return {
    subject: member ? `A payment of ${amount} was returned to ${member.name}` : `A payment of ${amount} was returned`,
    preview: `${packageName} ${preview}`,
    heading: 'A payment was returned',
    body: [
      paragraph(`Hello ${data.to.firstName},`),
      paragraph(`${text} There is nothing you need to do.`),
      facts(member && ['Member', `${member.name}, ${member.email}`], ['Pass', packageName], ['Returned', amount]),
      button('Open the admin pages', site('/admin')),
    ],
  }
}
