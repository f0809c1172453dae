import { formatInstantDate } from '#foundation/instants.ts'
import { studio } from '#studio.ts'
import type { Mails } from '../../mail.ts'
import { button, facts, moment, paragraph, type Site, small, type Templates } from './layout.ts'

const HOW =
  'To redeem it, create an account or log in, choose “Redeem a voucher” and enter the code. The pass is valid from that day.'

const WHY_NOT_SENT: Record<Mails['voucher-not-sent']['because'], string> = {
  erased: 'We could not email a gift voucher that you bought: we no longer have the address of the person it is for.',
  refused:
    'We could not email a gift voucher that you bought: the mail server of the person it is for refuses the address that you gave.',
}

type VoucherFacts = Pick<Mails['voucher'], 'packageName' | 'expiresAt'>
const voucherFacts = ({ packageName, expiresAt }: VoucherFacts) =>
  facts(['For', packageName], ['Redeem it by', formatInstantDate(expiresAt)])

const lost = (site: Site) =>
  small(`The code is worth as much as the pass: do not pass it on. If it gets lost, contact ${site.facts.name}.`)

export const voucherMails = {
  voucher: (data, site) => ({
    subject: `${data.from ?? 'Someone'} has given you Pilates at ${site.facts.name}`,
    preview: `A gift voucher for ${data.packageName}.`,
    heading: 'A gift for you',
    body: [
      `${data.from ?? 'Someone'} has given you a gift at ${site.facts.name}: ${data.packageName}. Your voucher is attached as a card.`,
      ...(data.message ? data.message.split(/\n+/) : []),
      data.code && paragraph(moment(data.code)),
      voucherFacts(data),
      HOW,
      button('Redeem your voucher', site('/pricing#voucher')),
      lost(site),
    ],
  }),

  'voucher-to-print': (data, site) => ({
    subject: `Your gift voucher for ${data.recipientName}`,
    preview: 'It is attached as a card to print.',
    spoken: 'Print the card from Packages, Vouchers, and hand it over or post it.',
    heading: 'Your gift voucher',
    body: [
      `Here is your voucher for ${data.recipientName}, as a card to print. It fits A5 and A4.`,
      data.code && paragraph(moment(data.code)),
      voucherFacts(data),
      small(HOW),
      lost(site),
    ],
  }),

  'voucher-not-sent': (data, site) => ({
    subject: 'Your gift voucher could not be emailed',
    preview: 'Please choose how to send it.',
    heading: 'How shall we send your gift?',
    body: [
      `${WHY_NOT_SENT[data.because]} The voucher is valid, and nobody has used it.`,
      'You can email it to another address, or print its card and hand it over: both are beside its receipt.',
      voucherFacts(data),
      button('Your purchases', site('/dashboard?view=detailed')),
      small(`Or contact ${site.facts.name}, and we send it for you.`),
    ],
  }),

  'voucher-expires': (data, site) => ({
    subject: `The gift voucher for ${data.recipientName} expires on ${formatInstantDate(data.expiresAt)}`,
    preview: 'It has not been redeemed yet.',
    heading: 'A voucher has not been redeemed yet',
    body: [
      `The gift voucher for ${data.recipientName} has not been redeemed. After ${formatInstantDate(data.expiresAt)} it can no longer be used. You may want to remind ${data.recipientName}.`,
      facts(
        ['For', data.packageName],
        ['Code ends in', data.lastFour],
        ['Redeem it by', formatInstantDate(data.expiresAt)],
      ),
      small(`${HOW} If the email is lost, we can send it again.`),
      button('Contact us', site('/contact_harrogate_reformer_pilates')),
    ],
  }),
} satisfies Partial<Templates>

/** What the receipt of a voucher says instead of what it says about a pass. */
export const VOUCHER_RECEIPT = {
  preview: 'Your gift voucher is ready.',
  text: 'Your gift voucher is ready. This is your receipt. We send the voucher in a separate email: to the person it is for on the day you chose, or to you to print.',
  refund: `You can get your money back within ${studio.policies.refundDays} days of buying it, unless it has been redeemed. `,
} as const
