import { formatInstantDate } from '#foundation/instants.ts'
import { formatMoney } from '#foundation/money.ts'
import { studio } from '#studio.ts'
import type { Mails } from '../../mail.ts'
import { button, facts, small, subheading, type Templates } from './layout.ts'
import { momentOf } from './words.ts'

type PaymentNotice = Mails['payment-notice']

/** `notified` and `notNotified`: a sentence for when we have, or have not, emailed the member. */
type Words = { subject: string; heading?: string; text: string; notified?: string; notNotified?: string }
type AllWords = Words & { ofVoucher?: Partial<Words> }
const PAYMENT_NOTICES: Record<PaymentNotice['kind'], AllWords> = {
  inquiry_opened: {
    subject: 'A bank has a question about a payment',
    text: 'This is a question, not a dispute: no money has been taken and the pass stays valid. Answer it at the card provider, or refund the payment, before it becomes a dispute.',
    ofVoucher: {
      text: 'This is a question, not a dispute: no money has been taken and the voucher stays valid. Answer it at the card provider, or refund the payment, before it becomes a dispute.',
    },
  },
  inquiry_closed: {
    subject: 'A bank’s question is closed',
    text: 'The bank has closed its question about this payment. You do not need to do anything.',
  },
  dispute_opened: {
    subject: 'A payment is disputed',
    text: 'The bank has taken the money until the dispute is decided. Send your evidence to the card provider before the deadline.',
    notified: 'We have put the pass on hold and emailed the member.',
    ofVoucher: { notified: 'We have put the voucher on hold and emailed the member who bought it.' },
  },
  dispute_won: {
    subject: 'A dispute was won',
    text: 'You keep the money.',
    notified:
      'If the pass was on hold, it can be used again and is valid for longer by the time on hold. We have emailed the member.',
    ofVoucher: {
      notified:
        'If the voucher was on hold, it can be redeemed again and is valid for longer by the time on hold. We have emailed the member who bought it.',
    },
  },
  dispute_lost: {
    subject: 'A dispute was lost',
    text: 'The bank has taken the money back for good.',
    notified: 'We have voided the rest of the pass, cancelled classes booked with it and emailed the member.',
    ofVoucher: { notified: 'We have voided the voucher and emailed the member who bought it.' },
  },
  fraud_warning: {
    subject: 'Early fraud warning',
    heading: 'A card may have been misused',
    text: 'The card network believes that the cardholder did not make this payment. Refunding it now may prevent a dispute and its fee.',
  },
  refund_failed: {
    subject: 'A refund failed',
    heading: 'A refund did not arrive',
    text: 'The money has not reached the member. Please agree another way with them. You can also refund the purchase again in Admin, Packages.',
    notified: 'We have emailed the member.',
    notNotified: 'We have not emailed the member.',
  },
  refund_not_needed: {
    subject: 'A refund was not needed',
    text: 'The payment had already been refunded at the card provider, so we did not refund it again. You do not need to do anything.',
  },
  more_refunded_there: {
    subject: 'Part of a payment was refunded at the card provider',
    text: 'This payment has no pass left, so you do not need to decide anything.',
    notified: 'We have emailed the member about the refund.',
    ofVoucher: { text: 'This refund has not changed the voucher. You do not need to decide anything.' },
  },
  refunded_there: {
    subject: 'A payment was refunded at the card provider',
    text: 'The payment has been refunded in full.',
    notified: 'We have voided the rest of the pass, cancelled classes booked with it and emailed the member.',
    ofVoucher: { notified: 'We have voided the voucher and emailed the member who bought it.' },
  },
  partly_refunded_there: {
    subject: 'Part of a payment was refunded at the card provider',
    heading: 'How many credits go with this refund?',
    text: 'The pass has not changed. In Admin, Packages, choose how many of its credits to remove for this refund, if any.',
    notified: 'We have emailed the member about the refund.',
  },
  still_processing: {
    subject: 'A payment has not arrived after a month',
    text: 'The card provider still shows it as processing. We have stopped checking it. If it does arrive, we will activate the pass. Please look it up at the card provider.',
    ofVoucher: {
      text: 'The card provider still shows it as processing. We have stopped checking it. If it does arrive, we will send the voucher. Please look it up at the card provider.',
    },
  },
}

/** More items than this are only counted. */
const MAX_ITEMS = 20

export const ownerMails = {
  'payment-notice': (data, site) => {
    const { ofVoucher, ...words } = PAYMENT_NOTICES[data.kind]
    const { subject, heading, text, notified, notNotified } = { ...words, ...(data.isVoucher && ofVoucher) }
    const more = data.isMemberNotNotified ? notNotified : notified
    const amount = formatMoney(data.amount)
    return {
      subject: `${subject}: ${amount}${data.member ? `, ${data.member.name}` : ''}`,
      preview: `${data.packageName}, ${amount}`,
      heading: heading ?? subject,
      body: [
        more ? `${text} ${more}` : text,
        facts(
          data.member && ['Member', `${data.member.name}, ${data.member.email}`],
          [data.isVoucher ? 'Gift voucher' : 'Pass', data.packageName],
          ['Paid', formatMoney(data.paid)],
          data.amount === data.paid ? null : ['Amount concerned', amount],
          data.detail === null ? null : ['Reason given by the card provider', data.detail],
          data.respondBy === null ? null : ['Send evidence by', formatInstantDate(data.respondBy)],
          data.bookingsCancelled > 0 ? ['Classes cancelled', String(data.bookingsCancelled)] : null,
        ),
        button('Open the purchases', site('/admin?tab=Packages')),
      ],
    }
  },

  attention: ({ items }, site) => {
    const subject = `${items.length === 1 ? 'One thing needs' : `${items.length} things need`} your attention`
    return {
      subject,
      preview: items.map(({ title }) => title).join('. '),
      heading: subject,
      body: [
        ...items.slice(0, MAX_ITEMS).flatMap(({ title, text }) => [subheading(title), text]),
        items.length > MAX_ITEMS && `And ${items.length - MAX_ITEMS} more.`,
        button('Open Overview', site('/admin')),
        small('We send this email once a day until everything is done.'),
      ],
    }
  },

  'health-update-notice': ({ member }, site) => ({
    subject: `${member.name} has saved health information`,
    preview: 'Please read it before their next class.',
    heading: 'Health information was saved',
    body: [
      'A member has filled in or changed their health information. Please read it before their next class.',
      facts(['Member', member.name]),
      button('Open Health Updates', site('/admin?tab=Health%20Updates')),
      small('We only show health information on the admin pages, never in an email.'),
    ],
  }),

  'test-email': (_data, site) => ({
    subject: `Test email from ${site.facts.name}`,
    preview: 'Your site can send emails.',
    heading: 'Your site can send emails',
    body: [
      'You asked for this test in the set-up list. Your mail server has accepted it.',
      'If you found it in your spam folder, ask the person who looks after your domain about SPF and DKIM.',
      button('Open the set-up list', site('/admin')),
    ],
  }),

  failing: ({ kind, total, failed, at }, site) => {
    const what = kind === 'booking' ? 'bookings' : 'payments'
    return {
      subject: `Many ${what} are failing`,
      preview: `${failed} of ${total} in the ten minutes before ${momentOf(at)}.`,
      heading: `Many ${what} are failing`,
      body: [
        `${failed} of ${total} ${what} failed in the ten minutes before ${momentOf(at)}. Members saw an error and can try again. Please ask the person who looks after the server to look at once, and take bookings by phone until then.`,
        button('Open Needs attention', site('/admin')),
        small('We send one email for each incident. You’ll see under Needs attention when it is over.'),
      ],
    }
  },

  'many-failures': ({ at }, site) => ({
    subject: 'Many sign-ins are failing',
    preview: `In the hour before ${momentOf(at)}.`,
    heading: 'Many sign-ins are failing',
    body: [
      `At least ${studio.policies.loginAlarm.failures} sign-ins failed on your site in the hour before ${momentOf(at)}. Someone may be trying passwords on many accounts. Members can still sign in, and nobody can choose a common password.`,
      'Check in the security record whether any of these sign-ins succeeded. If one did and the member does not recognise it, change their email address back if it was changed and ask them to set a new password.',
      button('Open the security record', site('/admin?view=security')),
      small(
        `We send this email at most once every ${studio.policies.loginAlarm.everyHours} hours. We never ask for a password or a code by email.`,
      ),
    ],
  }),
} satisfies Partial<Templates>
