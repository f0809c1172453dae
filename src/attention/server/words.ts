import { formatDate } from '#foundation/dates.ts'
import { formatInstant, studioDate } from '#foundation/instants.ts'
import { many } from '#foundation/many.ts'
import { formatMoney, toDecimal } from '#foundation/money.ts'
import { diesWithItsAddress } from '#messages/rules.ts'
import type { undeliveredByAddress } from '#messages/server/messages.ts'
import type { PaymentConcern } from '#payments/server/payments.ts'
import type { LastBackup } from '#platform/database/backup/records.ts'
import type { DiskSpace } from '#platform/disk.ts'
import type { QueueState } from '#platform/jobs/job-tables.ts'
import type { QueueName } from '#platform/jobs/queues.ts'
import type { heldRetention, OpenDataComplaint } from '#privacy/server/privacy.ts'
import { studio } from '#studio.ts'
import type { AttentionItem } from '../contract.ts'

/** What the jobs of a queue do, for somebody who has never heard of queues. */
const QUEUES: Record<QueueName, string> = {
  mail: 'emails',
  'mail-to-many': 'emails of messages to many',
  'mail-link': 'emails with a link',
  'send-refund': 'refunds',
  'reconcile-payments': 'looking up payments',
  'remind-members': 'reminders',
  'hand-out-places': 'handing out places along waiting lists',
  'email-cancellations': 'emails about cancelled classes',
  'complete-classes': 'completing classes',
  'expire-passes': 'ending passes',
  'tidy-up': 'tidying up',
  'apply-retention': 'erasing what is over',
  'back-up': 'the nightly backup',
  'write-erasures': 'noting who was erased',
  'mail-attention': 'the daily email about this list',
}
const PURCHASES = '/admin?tab=Packages&view=purchases'
const NO_LINK = { link: null }

const answered = (reason: string | null) => (reason ? ` The last answer was: “${reason}”.` : '')
const pounds = (pence: number) => formatMoney(toDecimal(pence))
const whose = ({ memberName, packageName }: PaymentConcern) => `${memberName ?? 'A deleted user'}, ${packageName}`

type HeldRetention = NonNullable<Awaited<ReturnType<typeof heldRetention>>>

/** The dates are those of the run that was held back: a wrong one is seen by reading it. */
export function retentionHeld(hold: HeldRetention): AttentionItem {
  const at = (instant: Temporal.Instant | null) => (instant ? formatInstant(instant.toString()) : 'never')
  const { triedAt, databaseAt, lastRunAt, due, members } = hold
  const why: Record<HeldRetention['reason'], string> = {
    clocks_differ: `The site’s and the database’s clocks differ by more than 5 minutes: the database said ${at(databaseAt)}.`,
    last_run_ahead: `It last ran on ${at(lastRunAt)}, which is in the future.`,
    last_run_long_ago: `It last ran on ${at(lastRunAt)}, more than a week before.`,
    many_due: 'That is more than usual for one night.',
  }
  return {
    kind: 'retention_held',
    about: 'all',
    since: hold.heldAt.toString(),
    title: 'Nothing was erased: please check the date',
    text: `Data retention ran on ${at(triedAt)} and would have erased the account or the health information of ${due} of ${many(members, 'member')}. ${why[hold.reason]} If that date and time are right, erase them now. If not, do nothing here and ask the person who looks after the server to set its clock.`,
    actions: ['confirm'],
    ...NO_LINK,
  }
}

type Undelivered = Awaited<ReturnType<typeof undeliveredByAddress>>[number]

/** Its words are on the member's page alone: this list goes by email, too. */
export function dataComplaint(
  { id, madeAt, answerBy, memberId, memberName }: OpenDataComplaint,
  now: Temporal.Instant,
): AttentionItem {
  const left = studioDate(now).until(Temporal.PlainDate.from(answerBy)).days
  const days = left > 0 ? `${many(left, 'day')} left` : left === 0 ? 'due today' : `${many(-left, 'day')} late`
  return {
    kind: 'data_complaint',
    about: String(id),
    since: madeAt.toString(),
    title: `A complaint about data by ${memberName}: ${days}`,
    text: `It has to be answered by ${formatDate(answerBy)}. The complaint and the answer are on the member’s page.`,
    actions: [],
    link: { label: 'Read and answer', path: `/admin?tab=Users&user=${memberId}` },
  }
}

export function undelivered({ address, mails, since, reason, names }: Undelivered): AttentionItem {
  const areLinks = names.every(diesWithItsAddress)
  const advice = areLinks
    ? 'They held a link that no longer works: a new one is sent when it is asked for.'
    : 'Correct the address in Users if it is wrong, then send them again.'
  return {
    kind: 'mail_undelivered',
    about: address,
    since: since?.toString() ?? null,
    title: `${many(mails, 'email')} to ${address} did not arrive`,
    text: `The mail server says: “${reason}”. ${advice}`,
    actions: areLinks ? ['done'] : ['send_again', 'done'],
    link: { label: 'Find in Users', path: `/admin?tab=Users&search=${encodeURIComponent(address)}` },
  }
}

export function late({ queue, waiting, longestWaitSeconds, reason }: QueueState, now: Temporal.Instant): AttentionItem {
  const since = now.subtract({ seconds: Math.round(longestWaitSeconds ?? 0) })
  return {
    kind: 'queue_late',
    about: queue,
    since: since.toString(),
    title: `Late: ${QUEUES[queue]} (${waiting})`,
    text: `They are tried again by themselves until they get through.${answered(reason)}`,
    actions: ['send_again'],
    ...NO_LINK,
  }
}

export function failed({ queue, failed, reason }: QueueState): AttentionItem {
  return {
    kind: 'job_failed',
    about: queue,
    since: null,
    title: `Did not go well: ${QUEUES[queue]} (${failed})`,
    text: `Please try again; if it fails once more, tell whoever looks after the software.${answered(reason)}`,
    actions: ['send_again'],
    ...NO_LINK,
  }
}

export function unsentRefund(refund: PaymentConcern): AttentionItem {
  return {
    kind: 'refund_unsent',
    about: refund.id,
    since: refund.since.toString(),
    title: `A refund of ${pounds(refund.pence)} has not been sent`,
    text: `${whose(refund)}. The card provider could not be reached; it is tried again by itself.`,
    actions: ['send_again'],
    link: { label: 'Open the purchases', path: PURCHASES },
  }
}

export function failedReturn(refund: PaymentConcern): AttentionItem {
  const why = refund.failure ? ` The card provider says: “${refund.failure.replaceAll('_', ' ')}”.` : ''
  return {
    kind: 'return_failed',
    about: refund.id,
    since: refund.since.toString(),
    title: `${pounds(refund.pence)} could not be returned`,
    text: `${whose(refund)}. No pass came of the payment, and returning it failed.${why} Please agree another way with the member.`,
    actions: ['done'],
    ...NO_LINK,
  }
}

export function mismatched(payment: PaymentConcern): AttentionItem {
  return {
    kind: 'payment_mismatched',
    about: payment.id,
    since: payment.since.toString(),
    title: `A payment of ${pounds(payment.pence)} did not match what was asked for`,
    text: `${whose(payment)}. No pass came of it, and all of it was sent back; ${payment.memberName === null ? 'you have' : 'you have both'} been told. The card provider calls it ${payment.id}.`,
    actions: ['done'],
    ...NO_LINK,
  }
}

export function unread({ payments, since }: { payments: number; since: Temporal.Instant }): AttentionItem {
  return {
    kind: 'payment_unread',
    about: 'all',
    since: since.toString(),
    title: `${many(payments, 'payment')} could not be looked up at the card provider`,
    text: 'They are looked up again from time to time. If this goes on, check whether the provider has an outage or its key was changed.',
    actions: ['send_again'],
    ...NO_LINK,
  }
}

export function undecided(purchases: number): AttentionItem {
  return {
    kind: 'purchases_undecided',
    about: 'all',
    since: null,
    title: `${many(purchases, 'purchase')} ${purchases === 1 ? 'needs' : 'need'} your decision`,
    text: 'What needs an answer: a bank dispute, a refund made at the card provider, or one that did not arrive.',
    actions: [],
    link: { label: 'Open the purchases', path: `${PURCHASES}&attention=true` },
  }
}

export function feeKept(refund: PaymentConcern): AttentionItem {
  const fee = pounds(refund.paidPence - refund.pence)
  return {
    kind: 'fee_in_cooling_off',
    about: refund.id,
    since: refund.since.toString(),
    title: `A fee of ${fee} was kept from a refund`,
    text: `${whose(refund)}. It was refunded within the ${studio.policies.coolingOffDays} days in which a purchase made at a distance may be cancelled, where keeping a fee is doubtful in law. Refund the rest, or mark this as done.`,
    actions: ['done'],
    link: { label: 'Open the purchases', path: PURCHASES },
  }
}

export function nearlyFull({ free, total }: DiskSpace): AttentionItem {
  const gigabytes = (bytes: number) => (bytes / 1024 ** 3).toFixed(1)
  return {
    kind: 'disk_full',
    about: 'all',
    since: null,
    title: 'The server’s disk is nearly full',
    text: `${gigabytes(free)} of ${gigabytes(total)} GB are free. When it is full, nobody can book or pay. Please tell whoever looks after the server.`,
    actions: [],
    ...NO_LINK,
  }
}

export function backupOld({ made, failure }: LastBackup): AttentionItem {
  return {
    kind: 'backup_old',
    about: 'all',
    since: made?.endedAt.toString() ?? null,
    title: made ? 'The last backup is too old' : 'There is no backup yet',
    text: `One is made every night. If the server were lost, everything since then would be too.${failure ? ` The last attempt said: “${failure}”.` : ''}`,
    actions: [],
    ...NO_LINK,
  }
}
