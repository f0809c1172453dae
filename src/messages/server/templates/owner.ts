import { formatInstantDate } from '#foundation/instants.ts'
import { formatMoney } from '#foundation/money.ts'
import type { Mails } from '../../mail.ts'
import { button, facts, paragraph, type Site, small, subheading, type WrittenMail } from './layout.ts'
import { momentOf } from './words.ts'

type Notice = Mails['payment-notice']

/** `told` and `untold`: what else is so when the member was told, and when not. */
type Words = { subject: string; heading: string; text: string; told?: string; untold?: string }
const ABOUT: Record<Notice['kind'], Words> = {
  inquiry_opened: {
    subject: 'A bank has a question about a payment',
    heading: 'A bank has a question about a payment',
    text: 'This is a question, not yet a dispute: no money has been taken and the pass stays valid. Answer it at the card provider, or refund the payment, before it becomes a dispute.',
  },
  inquiry_closed: {
    subject: 'A bank’s question is closed',
    heading: 'A bank’s question is closed',
    text: 'The bank has closed its question about this payment. There is nothing you need to do.',
  },
  dispute_opened: {
    subject: 'A payment is disputed',
    heading: 'A payment is disputed',
    text: 'The bank has taken the money until this is decided. Send your evidence at the card provider in time.',
    told: 'The pass is on hold and the member has been told.',
  },
  dispute_won: {
    subject: 'A dispute was won',
    heading: 'A dispute was won',
    text: 'The money stays with you.',
    told: 'A pass that was on hold can be used again, with the time on hold added, and the member has been told.',
  },
  dispute_lost: {
    subject: 'A dispute was lost',
    heading: 'A dispute was lost',
    text: 'The bank has taken the money back for good.',
    told: 'What was left of the pass is void, classes booked with it are cancelled, and the member has been told.',
  },
  fraud_warning: {
    subject: 'Early fraud warning',
    heading: 'A card may have been misused',
    text: 'The card’s network believes that its holder did not make this payment. A refund now may prevent a dispute and its fee.',
  },
  refund_failed: {
    subject: 'A refund failed',
    heading: 'A refund did not arrive',
    text: 'The money has not reached the member. Please agree another way with them; a purchase can also be refunded again in Admin, Packages.',
    told: 'The member has been told.',
    untold: 'The member has not been told.',
  },
  refund_not_needed: {
    subject: 'A refund was not needed',
    heading: 'A refund was not needed',
    text: 'The payment had already been refunded at the card provider, so this refund was not made as well. There is nothing you need to do.',
  },
  more_refunded_there: {
    subject: 'Part of a payment was refunded at the card provider',
    heading: 'Part of a payment was refunded at the card provider',
    text: 'No pass is left of this payment, so there is nothing to decide.',
    told: 'The member has been told about the money.',
  },
  refunded_there: {
    subject: 'A payment was refunded at the card provider',
    heading: 'A payment was refunded at the card provider',
    text: 'Nothing is left of what was paid.',
    told: 'What was left of the pass is void, classes booked with it are cancelled, and the member has been told.',
  },
  partly_refunded_there: {
    subject: 'Part of a payment was refunded at the card provider',
    heading: 'How many credits go with this refund?',
    text: 'The pass is as it was: please say in Admin, Packages how many of its credits go with the refund, which may be none.',
    told: 'The member has been told about the money.',
  },
  still_processing: {
    subject: 'A payment has not arrived after a month',
    heading: 'A payment has not arrived after a month',
    text: 'The card provider still calls it on its way. We have stopped asking; if it does arrive, the pass is still activated. Please look it up there.',
  },
}

/** For the owner: what happened to a payment at the card provider. */
export function paymentNotice(data: Notice, site: Site): WrittenMail {
  const { subject, heading, text, told, untold } = ABOUT[data.kind]
  const whatElse = data.isMemberUntold ? untold : told
  const amount = formatMoney(data.amount)
  const more: ([string, string] | false)[] = [
    data.member !== null && ['Member', `${data.member.name}, ${data.member.email}`],
    ['Pass', data.packageName],
    ['Paid', formatMoney(data.paid)],
    data.amount !== data.paid && ['Amount concerned', amount],
    data.detail !== null && ['What the card provider says', data.detail],
    data.respondBy !== null && ['Evidence until', formatInstantDate(data.respondBy)],
    data.bookingsCancelled > 0 && ['Classes cancelled', String(data.bookingsCancelled)],
  ]
  return {
    subject: `${subject}: ${amount}${data.member ? `, ${data.member.name}` : ''}`,
    preview: `${data.packageName}, ${amount}`,
    heading,
    body: [
      paragraph(`Hello ${data.to.firstName},`),
      paragraph(whatElse ? `${text} ${whatElse}` : text),
      facts(...more.filter((fact) => fact !== false)),
      button('Open the purchases', site('/admin?tab=Packages')),
    ],
  }
}

/** More than this many are only counted. */
const MOST = 20

/** For the owner, once a day while there is something. */
export function attention({ to, items }: Mails['attention'], site: Site): WrittenMail {
  const things = items.length === 1 ? 'One thing needs' : `${items.length} things need`
  return {
    subject: `${things} your attention`,
    preview: items.map(({ title }) => title).join('. '),
    heading: `${things} your attention`,
    body: [
      paragraph(`Hello ${to.firstName},`),
      ...items.slice(0, MOST).flatMap(({ title, text }) => [subheading(title), paragraph(text)]),
      ...(items.length > MOST ? [paragraph(`And ${items.length - MOST} more.`)] : []),
      button('Open Overview', site('/admin')),
      small('This email comes once a day, for as long as something is left.'),
    ],
  }
}

export function healthUpdateNotice({ to, member }: Mails['health-update-notice'], site: Site): WrittenMail {
  return {
    subject: `${member.name} has saved health information`,
    preview: 'Please look at it before the next class.',
    heading: 'Health information was saved',
    body: [
      paragraph(`Hello ${to.firstName},`),
      paragraph(
        'A member has filled in or changed their health information. Please look at it before their next class.',
      ),
      facts(['Member', member.name]),
      button('Open Health Updates', site('/admin?tab=Health%20Updates')),
      small('What it says is shown on the admin pages only, never in an email.'),
    ],
  }
}

/** For the owner: somebody tries passwords all over the site. */
export function manyFailures({ to, at }: Mails['many-failures'], site: Site): WrittenMail {
  const heading = 'Many sign-ins are failing'
  return {
    subject: heading,
    preview: `Since an hour before ${momentOf(at)}.`,
    heading,
    body: [
      paragraph(`Hello ${to.firstName},`),
      paragraph(
        `Within the hour before ${momentOf(at)}, 200 sign-ins or more failed on your site. Somebody may be trying passwords at many accounts. Members can sign in as usual, and common passwords are refused when they are chosen.`,
      ),
      paragraph(
        'Look whether any of these sign-ins succeeded: the security record shows them. If one did and its member does not know of it, change that member’s email address back if it was changed, and ask them to set a new password.',
      ),
      button('Open the security record', site('/admin?view=security')),
      small('This email comes at most once in six hours. It asks for no password and no code.'),
    ],
  }
}
