import type { ReactNode } from 'react'
import type { StudioFacts } from '#facts/contract.ts'
import { addressLine } from '#facts/rules.ts'
import { formatDate } from '#foundation/dates.ts'
import { formatInstantDate, studioDate } from '#foundation/instants.ts'
import { studio } from '#studio.ts'
import type { Mails } from '../../mail.ts'
import { small, steps, subheading } from './layout.ts'

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
export function cancellationRight(
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
