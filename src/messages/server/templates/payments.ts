import type { ReactNode } from 'react'
import { addressLine, type MailFacts } from '#facts/rules.ts'
import { many } from '#foundation/collections.ts'
import { formatDate } from '#foundation/dates.ts'
import { formatInstantDate, studioDate } from '#foundation/instants.ts'
import { formatAmount, formatMoney } from '#foundation/money.ts'
import { studio } from '#studio.ts'
import type { Mails } from '../../mail.ts'
import { button, facts, link, type Site, small, steps, subheading, type Templates } from './layout.ts'
import { VOUCHER_RECEIPT } from './vouchers.ts'

const { coolingOffDays, refundArrivesBusinessDays, refundDays, refundFeePercent } = studio.policies

type Refund = Mails['purchase-refunded']
const REFUND_HEADINGS: Record<Refund['pass'], string> = {
  ended: 'Your pass has been refunded',
  fewer_credits: 'Part of your pass has been refunded',
  kept: 'Part of what you paid has been refunded',
  none: 'Your refund is on its way',
  gift_ended: 'Your gift has been refunded',
  gift_fewer_credits: 'Part of your gift has been refunded',
  gift_kept: 'Part of your gift has been refunded',
  voucher_void: 'Your gift voucher has been refunded',
  voucher_kept: 'Part of what you paid has been refunded',
}
const PASS_AFTER_REFUND: Record<Refund['pass'], string> = {
  ended: 'The pass can no longer be used, and we have cancelled the classes booked with it.',
  fewer_credits: 'Your pass now has fewer credits. You can see them on your dashboard.',
  kept: 'Your pass has not changed. If we remove credits for this refund, you will see that on your dashboard.',
  none: '',
  gift_ended: 'What your gift voucher was redeemed for can no longer be used. We have told the person who has it.',
  gift_fewer_credits:
    'Your gift voucher had been redeemed. It now pays for fewer classes, as we have told the person who has it.',
  gift_kept:
    'Your gift voucher had been redeemed, and that has not changed. If we take classes off it, we will tell the person who has it.',
  voucher_void: 'The voucher can no longer be used.',
  voucher_kept: 'The voucher is still valid.',
}
/** The buyer has no pass. */
const OF_A_GIFT = /^(gift|voucher)_/
const DESK_REFUNDS: Record<NonNullable<Refund['deskMethod']>, string> = {
  cash: 'in cash',
  bank_transfer: 'by bank transfer',
  card_reader: 'to the card you paid with at the studio',
  other: 'the way you paid',
  agreed: 'in the way that we agreed',
}

const WHY_RETURNED: Record<Mails['payment-returned']['because'], { preview: string; text: string }> = {
  held: {
    preview: 'can be bought once, and you already have it.',
    text: 'which each member can buy once and you already have',
  },
  blocked: {
    preview: 'was paid while your account is on hold.',
    text: 'but your account is on hold, so we cannot sell you anything at the moment. Please contact us',
  },
  mismatched: {
    preview: 'was paid with a different amount from its price.',
    text: 'but the amount, currency or package did not match your order',
  },
}

const RETURNED_NOTICES: Record<Mails['payment-returned-notice']['because'], { text: string; preview: string }> = {
  held: {
    text: 'A member paid for a pass that can be bought once and that they already have. We have returned the whole amount and emailed the member.',
    preview: 'was paid for twice.',
  },
  blocked: {
    text: 'A member you have blocked completed a payment that they started before. We have returned the whole amount and emailed the member.',
    preview: 'was paid for by a member who is blocked.',
  },
  mismatched: {
    text: 'A payment does not match its order: the amount, currency, member or package is different. We have returned the whole amount and sold nothing. This can happen if you changed the payment at the card provider.',
    preview: 'was paid with a different amount from its price.',
  },
  member_gone: {
    text: 'Someone paid and then deleted the account before the payment arrived. We have returned the whole amount.',
    preview: 'was paid for by an account that no longer exists.',
  },
}

export const paymentMails = {
  receipt: (data, site) => {
    const amount = formatMoney(data.amount)
    return {
      subject: `Your receipt for ${data.packageName}`,
      preview: `${amount} paid. ${data.isVoucher ? VOUCHER_RECEIPT.preview : 'Your pass is active.'}`,
      heading: `Thank you, ${data.to.firstName}`,
      greeting: null,
      body: [
        data.isVoucher ? VOUCHER_RECEIPT.text : 'Your pass is active. This is your receipt.',
        facts(
          ['Receipt number', String(data.receiptNumber)],
          [data.isVoucher ? 'Gift voucher' : 'Pass', data.packageName],
          ['Classes', String(data.classCount)],
          ...data.lines.map((line): [string, string] => [line.label, formatMoney(line.amount)]),
          ['Paid', amount],
          data.method ? ['Paid with', data.method] : null,
          ['Paid on', formatInstantDate(data.paidAt)],
          ['Valid until', formatInstantDate(data.expiresAt)],
          // The express request of regulation 36.
          data.beginRequestedAt
            ? [
                `Classes within the ${coolingOffDays} days`,
                `You asked us on ${formatInstantDate(data.beginRequestedAt)} to begin before they are over.`,
              ]
            : null,
        ),
        ...(data.isVoucher ? [] : [small(studio.session.credit), button('Book a class', site('/booking'))]),
        small(
          data.isVoucher
            ? VOUCHER_RECEIPT.refund
            : `You can get a refund for an unused pass within ${refundDays} days, less a ${refundFeePercent}% processing fee. `,
          link('Read the refund policy', site('/refund-policy')),
        ),
        // The legal right to cancel applies to distance sales only.
        ...(data.isOnPremises ? [] : cancellationRight(data, site.facts)),
      ],
    }
  },

  'purchase-refunded': (data, site) => {
    const amount = formatMoney(data.amount)
    const method = data.method ?? 'the way you paid'
    const deskMethod = data.deskMethod && DESK_REFUNDS[data.deskMethod]
    const refunded = deskMethod
      ? `We have given back ${amount} for ${data.packageName} ${deskMethod}.`
      : `We have refunded ${amount} for ${data.packageName} to ${method}. The money will arrive within ${refundArrivesBusinessDays} business days.`
    return {
      subject: `Your refund of ${amount}`,
      preview: `We have refunded ${amount} for ${data.packageName}.`,
      heading: REFUND_HEADINGS[data.pass],
      body: [
        `${refunded} ${PASS_AFTER_REFUND[data.pass]}`.trim(),
        facts(['Paid', formatMoney(data.paid)], data.fee ? ['Processing fee', formatMoney(data.fee)] : null, [
          deskMethod ? `Given back ${deskMethod}` : `Refunded to ${method}`,
          amount,
        ]),
        button(OF_A_GIFT.test(data.pass) ? 'See your purchases' : 'See your passes', site('/dashboard')),
        small('To find out how refunds work, read our ', link('refund policy', site('/refund-policy'))),
      ],
    }
  },

  'gift-credits-taken': ({ packageName, credits }, site) => ({
    subject: `Your ${packageName} has fewer credits`,
    preview: 'Part of the payment for it has gone back.',
    heading: 'Your pass has fewer credits',
    body: [
      `Part of the payment for ${packageName}, which you were given, has gone back to the person who bought it. We have therefore taken ${many(credits, 'credit')} off your pass. Classes that you have booked stay booked.`,
      button('See your passes', site('/dashboard')),
    ],
  }),

  'refund-failed': (data, site) => {
    const amount = formatMoney(data.amount)
    return {
      subject: `Your refund of ${amount} did not arrive`,
      preview: 'We will contact you about another way.',
      heading: 'Your refund did not arrive',
      body: [
        `We tried to refund ${amount} for ${data.packageName}, but the refund did not go through. For example, the card may no longer be in use. We will contact you about another way to refund you. You can also ${callUs(site)}.`,
        button('Contact us', site('/contact_harrogate_reformer_pilates')),
      ],
    }
  },

  'sale-voided': (data, site) => ({
    subject: `Your receipt for ${data.packageName} is no longer valid`,
    preview: 'The sale was recorded by mistake.',
    heading: 'We have voided a sale',
    body: [
      `We recorded a sale for you today by mistake and have voided it. You can no longer use the pass. If you did pay for it, please ${callUs(site)}.`,
      facts(
        ['Receipt number', String(data.receiptNumber)],
        ['Pass', data.packageName],
        ['Amount', formatMoney(data.amount)],
      ),
      button('See your passes', site('/dashboard')),
    ],
  }),

  'payment-failed': (data, site) => {
    const amount = formatMoney(data.amount)
    return {
      subject: `Your payment of ${amount} did not go through`,
      preview: `${data.packageName} has not been paid for.`,
      heading: 'Your payment did not go through',
      body: [
        `Your bank did not send your payment of ${amount} for ${data.packageName}. You have not been charged, and nothing has been bought. You can try again with the same or another payment method.`,
        button('Choose a pass', site('/pricing')),
      ],
    }
  },

  'payment-returned': (data, site) => {
    const amount = formatAmount(data.amount, data.currency)
    const { preview, text } = WHY_RETURNED[data.because]
    const method = data.method ?? 'the way you paid'
    return {
      subject: `Your payment of ${amount} has been returned`,
      preview: `${data.packageName} ${preview}`,
      heading: 'Your payment has been returned',
      body: [
        `You paid for ${data.packageName}, ${text}. We have returned the whole amount to ${method}. It can take a few working days to arrive.`,
        facts([`Returned to ${method}`, amount]),
        button('See your passes', site('/dashboard')),
      ],
    }
  },

  'payment-returned-notice': (data, site) => {
    const { member, packageName } = data
    const amount = formatAmount(data.amount, data.currency)
    const { text, preview } = RETURNED_NOTICES[data.because]
    return {
      subject: member ? `A payment of ${amount} was returned to ${member.name}` : `A payment of ${amount} was returned`,
      preview: `${packageName} ${preview}`,
      heading: 'A payment was returned',
      body: [
        `${text} You do not need to do anything.`,
        facts(member && ['Member', `${member.name}, ${member.email}`], ['Package', packageName], ['Returned', amount]),
        button('Open the admin pages', site('/admin')),
      ],
    }
  },

  'pass-on-hold': (data, site) =>
    data.isVoucher
      ? voucherOnHold(data, site)
      : {
          subject: `Your ${data.packageName} is on hold`,
          preview: data.isGift ? 'The payment is being reviewed.' : 'Your bank is reviewing the payment.',
          heading: 'Your pass is on hold',
          body: [
            `${data.isGift ? `The payment for ${data.packageName}, which you were given, is disputed.` : `Your bank has told us that the payment of ${formatMoney(data.amount)} for ${data.packageName} is disputed.`} You cannot use the pass for new bookings until the dispute is settled. Your booked classes stay booked. If the payment is confirmed, we will add the time on hold to your pass.`,
            data.isGift
              ? `If you have a question, please ${callUs(site)}.`
              : `If this is a mistake, please tell your bank and ${callUs(site)}.`,
          ],
        },

  'pass-off-hold': (data, site) =>
    data.isVoucher
      ? voucherOffHold(data)
      : {
          subject: `Your ${data.packageName} can be used again`,
          preview: 'We have added the time on hold to your pass.',
          heading: 'Your pass can be used again',
          body: [
            `The dispute about the payment for ${data.packageName} is over, and the payment is confirmed. You can use the pass again. We have added the time on hold to it.`,
            button('Book a class', site('/booking')),
          ],
        },

  'pass-ended': (data, site) => {
    if (data.isVoucher) return voucherEnded(data, site)
    if (data.isGiven) return giftEnded(data, site)
    return {
      subject: `Your ${data.packageName} has ended`,
      preview: data.isGift ? 'The payment for it has gone back.' : 'Your bank has taken the payment back.',
      heading: 'Your pass has ended',
      body: [
        `${data.isGift ? `The payment for ${data.packageName}, which you were given, has gone back to the person who bought it.` : `Your bank has returned your payment of ${formatMoney(data.amount)} for ${data.packageName} to you.`} Your pass has therefore ended, and we have cancelled the classes booked with it. We will send you an email about each class.`,
        'You are welcome back at any time with a new pass.',
        button('See our passes', site('/pricing')),
      ],
    }
  },
} satisfies Partial<Templates>

type OfVoucher = Mails['pass-on-hold']
const voucherOnHold = (data: OfVoucher, site: Site) => ({
  subject: `Your gift voucher for ${data.packageName} is on hold`,
  preview: 'Your bank is reviewing the payment.',
  heading: 'Your gift voucher is on hold',
  body: [
    `Your bank has told us that the payment of ${formatMoney(data.amount)} for the gift voucher is disputed. It cannot be redeemed until the dispute is settled. If the payment is confirmed, we will add the time on hold to it.`,
    `If this is a mistake, please tell your bank and ${callUs(site)}.`,
  ],
})
const voucherOffHold = (data: OfVoucher) => ({
  subject: `Your gift voucher for ${data.packageName} can be redeemed again`,
  preview: 'We have added the time on hold to it.',
  heading: 'Your gift voucher can be redeemed again',
  body: [
    `The dispute about the payment for the gift voucher is over, and the payment is confirmed. It can be redeemed again. We have added the time on hold to it.`,
  ],
})
const voucherEnded = (data: OfVoucher, site: Site) => ({
  subject: `Your gift voucher for ${data.packageName} is no longer valid`,
  preview: 'Your bank has taken the payment back.',
  heading: 'Your gift voucher is no longer valid',
  body: [
    `Your bank has returned your payment of ${formatMoney(data.amount)} for the gift voucher to you. It can therefore no longer be redeemed.`,
    `If this is a mistake, please ${callUs(site)}.`,
  ],
})

const giftEnded = (data: OfVoucher, site: Site) => ({
  subject: `Your gift of ${data.packageName} has ended`,
  preview: 'Your bank has taken the payment back.',
  heading: 'Your gift has ended',
  body: [
    `Your bank has returned your payment of ${formatMoney(data.amount)} for the gift voucher to you. The pass of the person who redeemed it has therefore ended, and the classes booked with it are cancelled. We have told them.`,
    `If this is a mistake, please ${callUs(site)}.`,
  ],
})

const callUs = ({ facts: { phone } }: Site) => (phone ? `call us on ${phone}` : 'tell us')

/** The last day of the cancellation period, counted from the day after the contract (regulation 30). */
function lastDay(paidAt: string): string {
  const day = studioDate(Temporal.Instant.from(paidAt)).add({ days: coolingOffDays })
  return formatDate(day.toString())
}

/**
 * The information on the right to cancel and the model form that the Consumer Contracts (Information, Cancellation and
 * Additional Charges) Regulations 2013 require on paper or by email: Schedule 3, parts A and B.
 */
function cancellationRight(
  { packageName, paidAt, receiptNumber, beginRequestedAt, isVoucher }: Mails['receipt'],
  facts: MailFacts,
): ReactNode[] {
  const { name, legal, address, phone, email } = facts
  const trader = [
    legal ? `${legal.name} (${name})` : name,
    address && addressLine(address),
    phone && `telephone ${phone}`,
    email && `email ${email}`,
  ]
    .filter(Boolean)
    .join(', ')
  return [
    subheading('Your right to cancel'),
    small(
      `You have the right to cancel this contract within ${coolingOffDays} days without giving any reason. The cancellation period expires ${coolingOffDays} days after the day of the purchase: at the end of ${lastDay(paidAt)}.`,
    ),
    small(
      `To cancel, tell us (${trader}) by a clear statement, for example a letter or an email. You may use the form below, but you do not have to. It is enough that you send it before the period has expired.`,
    ),
    small(
      'If you cancel, we reimburse what you paid for this contract without undue delay, and not later than 14 days after the day on which you told us. We use the same means of payment as you did, unless you agreed otherwise, and you pay no fee for the reimbursement.',
    ),
    // A voucher's buyer takes no classes with it.
    !isVoucher &&
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
      `To ${trader}:`,
      `I hereby give notice that I cancel my contract for the supply of the following service: ${packageName}, receipt number ${receiptNumber}`,
      `Ordered on: ${formatInstantDate(paidAt)}`,
      'Name of consumer:',
      'Address of consumer:',
      'Signature of consumer (only if this form is sent on paper):',
      'Date:',
    ),
  ]
}
