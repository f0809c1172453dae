import { fullName } from '#accounts/rules.ts'
import type { placesToOffer } from '#booking/server/booking.ts'
import { FAILURE_TEXTS, type ReadFailure } from '#calendar/rules.ts'
import { many } from '#foundation/collections.ts'
import { formatDate } from '#foundation/dates.ts'
import { formatInstant, studioDate } from '#foundation/instants.ts'
import { formatMoney, toDecimal } from '#foundation/money.ts'
import { isBoundToAddress } from '#messages/rules.ts'
import type { callsToMake, undeliveredByAddress } from '#messages/server/messages.ts'
import type { TextRow } from '#messages/tables.ts'
import type { PaymentConcern } from '#payments/server/payments.ts'
import type { LastBackup } from '#platform/database/backup/records.ts'
import type { DiskSpace } from '#platform/disk.ts'
import type { QueueState } from '#platform/jobs/job-tables.ts'
import type { QueueName } from '#platform/jobs/queues.ts'
import type { heldRetention, OpenDataComplaint } from '#privacy/server/privacy.ts'
import type { FrequentViolation } from '#security/server/security.ts'
import { studio } from '#studio.ts'
import type { AttentionItem, Kind } from '../contract.ts'
import type { Incident } from '../tables.ts'

/** The jobs of a queue, for an owner who does not know queues. */
const QUEUES: Record<QueueName, string> = {
  mail: 'emails',
  'mail-to-many': 'emails of messages to many',
  'mail-link': 'emails with a link',
  'send-texts': 'text messages',
  push: 'notifications on phones',
  'every-minute': 'reminders, offers and other work of every minute',
  'check-checkout': 'checking the checkout page',
  'send-refund': 'refunds',
  'reconcile-payments': 'payment checks',
  'read-card-fees': 'reading card fees',
  'read-own-calendar': 'reading your own calendar',
  'warn-of-expiry': 'emails before credits expire',
  'book-for-companion': 'regular bookings of companions',
  'book-for-regulars': 'regular bookings at night',
  'email-regulars': 'emails about regular bookings',
  'end-undo': 'emails about cancelled bookings',
  'expire-passes': 'expiring passes',
  'tidy-up': 'tidying up',
  'apply-retention': 'data retention',
  'back-up': 'nightly backup',
  'update-journal': 'recording erasures and lost rights',
  'mail-attention': 'daily email about this list',
}
const PURCHASES = { label: 'Open the purchases', path: '/admin?tab=Packages&view=purchases' }

const lastError = (reason: string | null) => (reason ? ` The last error was: “${reason}”.` : '')
const pounds = (pence: number) => formatMoney(toDecimal(pence))
const whose = ({ memberName, packageName }: PaymentConcern) => `${memberName ?? 'A deleted user'}, ${packageName}`

type Rest = Partial<Pick<AttentionItem, 'about' | 'actions' | 'link' | 'phone'>> & {
  since?: Temporal.Instant | null | undefined
}

function item(kind: Kind, title: string, text: string, { since, ...rest }: Rest = {}): AttentionItem {
  return {
    kind,
    about: 'all',
    since: since?.toString() ?? null,
    title,
    text,
    actions: [],
    phone: null,
    link: null,
    ...rest,
  }
}

type HeldRetention = NonNullable<Awaited<ReturnType<typeof heldRetention>>>

/** Shows the dates of the run that was held back, so that the owner can spot a wrong clock. */
export function retentionHeld({ triedAt, databaseAt, lastRunAt, due, members, reason, heldAt }: HeldRetention) {
  const at = (instant: Temporal.Instant | null) => (instant ? formatInstant(instant.toString()) : 'never')
  const why: Record<HeldRetention['reason'], string> = {
    clocks_differ: `The clocks of the site and the database differ by more than 5 minutes: the database’s was at ${at(databaseAt)}.`,
    last_run_ahead: `It last ran on ${at(lastRunAt)}, which is in the future.`,
    last_run_long_ago: `It last ran on ${at(lastRunAt)}, more than a week before.`,
    many_due: 'That is more than usual for one night.',
  }
  return item(
    'retention_held',
    'Nothing was erased: please check the date',
    `Data retention ran on ${at(triedAt)} and would have erased the account or the health information of ${due} of ${many(members, 'member')}. ${why[reason]} If that date and time are right, erase them now. If not, do nothing here and ask the person who looks after the server to set its clock.`,
    { since: heldAt, actions: ['confirm'] },
  )
}

function daysLeft(left: number): string {
  if (left === 0) return 'due today'
  return left > 0 ? `${many(left, 'day')} left` : `${many(-left, 'day')} late`
}

/** Leaves out what the member wrote, because this list is also emailed. */
export function dataComplaint(complaint: OpenDataComplaint, now: Temporal.Instant) {
  const { id, madeAt, answerBy, memberId, name } = complaint
  const left = studioDate(now).until(Temporal.PlainDate.from(answerBy)).days
  return item(
    'data_complaint',
    `A complaint about data by ${name}: ${daysLeft(left)}`,
    `Answer it by ${formatDate(answerBy)}${memberId === null ? '' : ', on the member’s page'}.`,
    {
      about: String(id),
      since: madeAt,
      link: {
        label: 'Read and answer',
        path: memberId === null ? '/admin?tab=Users&complaints=open' : `/admin?tab=Users&user=${memberId}`,
      },
    },
  )
}

type Undelivered = Awaited<ReturnType<typeof undeliveredByAddress>>[number]

export function undelivered({ address, mails, since, reason, names }: Undelivered) {
  const hadLinks = names.every(isBoundToAddress)
  const advice = hadLinks
    ? 'They contained a link that no longer works. The member can request a new one.'
    : 'Correct the address in Users if it is wrong, then send them again.'
  return item(
    'mail_undelivered',
    `${many(mails, 'email')} to ${address} did not arrive`,
    `The mail server’s reason: “${reason}”. ${advice}`,
    {
      about: address,
      since,
      actions: hadLinks ? ['done'] : ['send_again', 'done'],
      link: { label: 'Find in Users', path: `/admin?tab=Users&search=${encodeURIComponent(address)}` },
    },
  )
}

export function failing({ id, kind, startedAt, endedAt, total, failed }: Incident) {
  const what = kind === 'booking' ? 'bookings' : 'payments'
  return item(
    'failing',
    `${endedAt ? `Many ${what} failed` : `Many ${what} are failing`}: ${failed} of ${total} in ten minutes`,
    endedAt
      ? `It ended at ${formatInstant(endedAt.toString())}. Ask the person who looks after the server what happened.`
      : 'Members see an error. Ask the person who looks after the server to look at once, and take bookings by phone.',
    { about: String(id), since: startedAt, actions: ['done'] },
  )
}

export function checkoutDiffers({
  id,
  checkedAt,
  findings,
}: {
  id: number
  checkedAt: Temporal.Instant
  findings: string[]
}) {
  return item(
    'checkout_differs',
    'The checkout page has changed unexpectedly',
    `${findings.slice(0, 3).join(' ')} Ask the person who looks after the server to check it at once.`,
    { about: String(id), since: checkedAt, actions: ['done'] },
  )
}

/** Leaves out what the text says, because this list is also emailed. */
export function textFailed({ id, userId, state, error, createdAt }: TextRow, name: string) {
  return item(
    'text_failed',
    state === 'failed' ? `A text to ${name} did not arrive` : `A text to ${name} may not have arrived`,
    `${error ? `The reason: ${error}. ` : ''}We emailed them too, and do not send the text again. Call them if it is urgent.`,
    {
      about: String(id),
      since: createdAt,
      actions: ['done'],
      link: { label: 'Open their page', path: `/admin?tab=Users&user=${userId}` },
    },
  )
}

export function textsUsedUp(texts: number, since: Temporal.Instant) {
  return item(
    'texts_used_up',
    `${many(texts, 'text')} not sent: this month’s limit has been reached`,
    'We emailed these members instead. You can raise the limit in Studio settings.',
    {
      about: studioDate(since).toString().slice(0, 7),
      since,
      actions: ['done'],
      link: { label: 'Studio settings', path: '/admin?view=settings#texts' },
    },
  )
}

type Call = Awaited<ReturnType<typeof callsToMake>>[number]

/** What to say on the phone instead of an email. */
export function callMember({ id, userId, subject, gist, createdAt }: Call, member: { name: string; phone: string }) {
  return item('call_member', `Call ${member.name}, ${member.phone}`, `“${subject}.” ${gist}`, {
    about: String(id),
    since: createdAt,
    phone: member.phone,
    actions: ['done'],
    link: { label: 'Open their page', path: `/admin?tab=Users&user=${userId}` },
  })
}

type PlaceToOffer = Awaited<ReturnType<typeof placesToOffer>>[number]

/** A free place that is kept for a member without an email address; `about` is the class and the member. */
export function placeToOffer({ member, class: studioClass, classId }: PlaceToOffer, phone: string | null) {
  const lastGiven = Temporal.Instant.from(studioClass.startsAt).subtract({ hours: studio.policies.waitingListHours })
  const until = member.offeredUntil ?? lastGiven
  return item(
    'place_to_offer',
    `Call ${fullName(member)}, ${phone}: a place is free`,
    `${studioClass.title} on ${formatDate(studioClass.date)} at ${studioClass.startTime}. They are next on the waiting list. The place is kept for them until ${formatInstant(until.toString())}.`,
    { about: `${classId} ${member.userId}`, phone },
  )
}

export function lateQueue({ queue, waiting, longestWaitSeconds, reason }: QueueState, now: Temporal.Instant) {
  return item(
    'queue_late',
    `${many(waiting, 'delayed job')}: ${QUEUES[queue]}`,
    `Delayed jobs are retried automatically until they succeed.${lastError(reason)}`,
    {
      about: queue,
      since: now.subtract({ seconds: Math.round(longestWaitSeconds ?? 0) }),
      actions: ['send_again'],
    },
  )
}

export function failedQueue({ queue, failed, reason }: QueueState) {
  return item(
    'job_failed',
    `${many(failed, 'failed job')}: ${QUEUES[queue]}`,
    `Please try again. If it fails again, contact the person who looks after the software.${lastError(reason)}`,
    { about: queue, actions: ['send_again'] },
  )
}

export function unsentRefund(refund: PaymentConcern) {
  return item(
    'refund_unsent',
    `A refund of ${pounds(refund.pence)} has not been sent`,
    `${whose(refund)}. The card provider could not be reached. The refund is retried automatically.`,
    { about: refund.id, since: refund.since, actions: ['send_again'], link: PURCHASES },
  )
}

export function failedReturn(refund: PaymentConcern) {
  const why = refund.failure ? ` The card provider’s reason: “${refund.failure.replaceAll('_', ' ')}”.` : ''
  return item(
    'return_failed',
    `${pounds(refund.pence)} could not be returned`,
    `${whose(refund)}. The payment did not create a pass, and returning it failed.${why} Please agree another way with the member.`,
    { about: refund.id, since: refund.since, actions: ['done'] },
  )
}

export function mismatchedPayment(payment: PaymentConcern) {
  const emailed = payment.memberName === null ? 'We have emailed you.' : 'We have emailed you both.'
  return item(
    'payment_mismatched',
    `A payment of ${pounds(payment.pence)} did not match what was requested`,
    `${whose(payment)}. It did not create a pass and was returned in full. ${emailed} Its ID at the card provider is ${payment.id}.`,
    { about: payment.id, since: payment.since, actions: ['done'] },
  )
}

export function unreadPayments({ payments, since }: { payments: number; since: Temporal.Instant }) {
  return item(
    'payment_unread',
    `${many(payments, 'payment')} could not be checked with the card provider`,
    'Checks are retried automatically. If this continues, find out whether the provider has an outage or its key was changed.',
    { since, actions: ['send_again'] },
  )
}

export function undecidedPurchases(purchases: number) {
  return item(
    'purchases_undecided',
    `${many(purchases, 'purchase needs', 'purchases need')} your decision`,
    'A bank dispute, a refund made at the card provider, or a refund that did not arrive.',
    { link: { ...PURCHASES, path: `${PURCHASES.path}&attention=true` } },
  )
}

export function feeKept(refund: PaymentConcern) {
  return item(
    'fee_in_cooling_off',
    `A fee of ${pounds(refund.paidPence - refund.pence)} was kept from a refund`,
    `${whose(refund)}. It was refunded within the ${studio.policies.coolingOffDays} days in which the law lets the member cancel an online purchase. Keeping a fee may not be lawful. Refund the rest, or mark this as done.`,
    { about: refund.id, since: refund.since, actions: ['done'], link: PURCHASES },
  )
}

export function nearlyFull({ free, total }: DiskSpace) {
  const gigabytes = (bytes: number) => (bytes / 1024 ** 3).toFixed(1)
  return item(
    'disk_full',
    'The server’s disk is nearly full',
    `${gigabytes(free)} of ${gigabytes(total)} GB are free. When it is full, no one can book or pay. Please contact the person who looks after the server.`,
  )
}

export function backupOld({ made, failure }: LastBackup) {
  return item(
    'backup_old',
    made ? 'The last backup is too old' : 'There is no backup yet',
    `A backup is made every night. If the server were lost, everything since the last one would be lost too.${failure ? ` The last attempt failed: “${failure}”.` : ''}`,
    { since: made?.endedAt },
  )
}

export function legalMissing() {
  return item(
    'legal_missing',
    'The site does not say who runs the studio',
    'The law asks for this on your website, in emails and on receipts. It takes a minute.',
    { link: { label: 'Open the settings', path: '/admin?view=settings#legal' } },
  )
}

export function ownCalendarUnread({ failure, failingSince }: { failure: ReadFailure; failingSince: Temporal.Instant }) {
  return item(
    'own_calendar_unread',
    'Your own calendar has not been read for a day',
    `${FAILURE_TEXTS[failure]} New classes may clash with it. We keep trying. You can paste its address again, or remove it.`,
    { since: failingSince, link: { label: 'Open the settings', path: '/admin?view=settings#own-calendar' } },
  )
}

export function blockedContent({ page, directive, blocked, reports, since }: FrequentViolation) {
  return item(
    'scripts_blocked',
    `Browsers blocked something on ${page} (${many(reports, 'report')})`,
    `Blocked under ${directive}: ${blocked}. One visitor’s browser extension can cause this. If many visitors report it, or it is on the checkout, ask the person who looks after the server to check the site at once.`,
    { about: `${page} ${directive} ${blocked}`, since, actions: ['done'] },
  )
}
