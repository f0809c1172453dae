import type { ReactNode } from 'react'
import type { StudioFacts } from '#facts/contract.ts'
import { addressLine } from '#facts/rules.ts'
import { formatDate } from '#foundation/dates.ts'
import { formatInstantDate, studioDate } from '#foundation/instants.ts'
import { formatAmount, formatMoney } from '#foundation/money.ts'
import { studio } from '#studio.ts'
import type { Mails } from '../../mail.ts'
import { button, facts, link, paragraph, type Site, small, steps, subheading, type WrittenMail } from './layout.ts'

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

const { coolingOffDays, refundFeePercent } = studio.policies

const trader = ({ address, phone, email }: StudioFacts) =>
  `${studio.name}, ${addressLine(address)}, telephone ${phone}, email ${email}`

/** The last day of the cancellation period: so many days after the day of the contract (regulation 30). */
function lastDay(paidAt: string): string {
  const day = studioDate(Temporal.Instant.from(paidAt)).add({ days: coolingOffDays })
  return formatDate(day.toString())
}

/**
 * The information on the right to cancel and the model form that the Consumer Contracts (Information, Cancellation and
 * Additional Charges) Regulations 2013 ask a trader to give on paper or by email: Schedule 3, parts A and B.
 */
function cancellationRight(
  { packageName, paidAt, purchaseId, receiptNumber = purchaseId, beginRequestedAt }: Mails['receipt'],
  facts: StudioFacts,
): ReactNode[] {
  const whom = trader(facts)
  return [
    subheading('Your right to cancel'),
    small(
      `You have the right to cancel this contract within ${coolingOffDays} days without giving any reason. The cancellation period expires ${coolingOffDays} days after the day of the purchase: at the end of ${lastDay(paidAt)}.`,
    ),
    small(
      `To cancel, tell us (${whom}) by a clear statement, for example a letter or an email. You may use the form below, but you do not have to. It is enough that you send it before the period has expired.`,
    ),
    small(
      'If you cancel, we reimburse what you paid for this contract without undue delay, and not later than 14 days after the day on which you told us. We use the same means of payment as you did, unless you agreed otherwise, and you pay no fee for the reimbursement.',
    ),
    small(
      beginRequestedAt
        ? 'You asked us to begin within the cancellation period. If you cancel after taking classes, you pay for those: an amount in proportion to what was supplied until you told us, compared with the whole pass.'
        : 'If you ask us to begin within the cancellation period, which you can do when you book, and have taken classes, you pay for those: an amount in proportion to what was supplied until you told us, compared with the whole pass. Without that request you pay nothing for them.',
    ),
    small(
      `This right is yours by law. The ${refundFeePercent}% processing fee in our refund policy does not apply to it.`,
    ),
    subheading('Model cancellation form'),
    small('Complete and return this form only if you wish to cancel the contract.'),
    steps(
      `To ${whom}:`,
      `I hereby give notice that I cancel my contract for the supply of the following service: ${packageName}, receipt number ${receiptNumber}`,
      `Ordered on: ${formatInstantDate(paidAt)}`,
      'Name of consumer:',
      'Address of consumer:',
      'Signature of consumer (only if this form is sent on paper):',
      'Date:',
    ),
  ]
}

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
