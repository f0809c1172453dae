import { formatMoney } from '#foundation/money.ts'
import { studio } from '#studio.ts'
import type { Mails } from '../../mail.ts'
import { button, facts, link, paragraph, type Site, small, type WrittenMail } from './layout.ts'

const HEADINGS: Record<Mails['purchase-refunded']['pass'], string> = {
  ended: 'Your pass has been refunded',
  fewer_credits: 'Part of your pass has been refunded',
  kept: 'Part of what you paid has been refunded',
  none: 'Your refund is on its way',
}
const MEANING: Record<Mails['purchase-refunded']['pass'], string> = {
  ended: 'The pass can no longer be used, and classes booked with it are cancelled.',
  fewer_credits: 'Your pass now holds fewer credits; you see them on your dashboard.',
  kept: 'Your pass is as it was. Should this refund change its credits, you will see it on your dashboard.',
  none: '',
}

/** How money of a sale at the desk is given back. */
const GIVEN_BACK: Record<NonNullable<Mails['purchase-refunded']['deskMethod']>, string> = {
  cash: 'in cash',
  bank_transfer: 'by bank transfer',
  card_reader: 'to the card you paid with at the studio',
  other: 'the way you paid',
}

export function purchaseRefunded(data: Mails['purchase-refunded'], site: Site): WrittenMail {
  const amount = formatMoney(data.amount)
  const fee: [string, string][] = data.fee ? [['Processing fee', formatMoney(data.fee)]] : []
  const way = data.method ?? 'the way you paid'
  const how = data.deskMethod && GIVEN_BACK[data.deskMethod]
  const told = how
    ? `We have given back ${amount} for ${data.packageName} ${how}.`
    : `We have refunded ${amount} for ${data.packageName}. The money goes back to ${way} and arrives within ${studio.policies.refundArrivesBusinessDays} business days.`
  return {
    subject: `Your refund of ${amount}`,
    preview: `${data.packageName}: ${amount} goes back to you.`,
    heading: HEADINGS[data.pass],
    body: [
      paragraph(`Hello ${data.to.firstName},`),
      paragraph(`${told} ${MEANING[data.pass]}`.trim()),
      facts(['Paid', formatMoney(data.paid)], ...fee, [how ? `Given back ${how}` : `Refunded to ${way}`, amount]),
      button('See your passes', site('/dashboard')),
      small('How refunds work is explained in our ', link('refund policy', site('/refund-policy'))),
    ],
  }
}
