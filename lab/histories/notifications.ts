import type { BookingRow, PlaceRow, WaitingRow } from '#booking/tables.ts'
import type { MailJob, MailName } from '#messages/mail.ts'
import { initialFacts } from '#studio.ts'
import type { ClassRow } from '#timetable/tables.ts'
import { moneyChanges } from './money-changes.ts'
import { newLines, pairRows, type Snapshot } from './snapshot.ts'
import { titleOf } from './step.ts'
import { isQuiet } from './time-steps.ts'
import { emailedBookings, nameOf as nameOfId, togetherChanges } from './together-changes.ts'
import type { World } from './world.ts'

// What a step changed for whom, and what each of them was emailed, both as sentences like `Ana got a place in Aster`.
// Every change must be emailed exactly once, so the two lists must match.

/**
 * Emails that are missing, wrong or duplicated.
 *
 * @param isSingle whether one thing happened; of several concurrent changes some may be overtaken before their email
 */
export function findEmailErrors(
  world: World,
  { before, after, mails, isSingle }: { before: Snapshot; after: Snapshot; mails: MailJob[]; isSingle: boolean },
): string[] {
  // Nobody is emailed about those who were erased.
  const happened = changes(world, before, after, isSingle).filter((sentence) => !sentence.startsWith('unknown '))
  // A regular booking that passes a date over for the night says nothing.
  const silent = before.waiting.filter(({ regularBookingId }) => regularBookingId !== null)
  const possible = new Set([
    ...silent.map((entry) => skippedSentence(world, after, entry)),
    ...(isSingle ? [] : transientChanges(world, before, after)),
  ])
  const emailed = mails.flatMap((mail) => changesInMail(world, mail))
  const counts = new Map<string, number>()
  for (const sentence of emailed) counts.set(sentence, (counts.get(sentence) ?? 0) + 1)
  const found: string[] = []
  for (const sentence of new Set(happened)) {
    const times = counts.get(sentence) ?? 0
    const due = happened.filter((other) => other === sentence).length
    if (times < due && !possible.has(sentence)) found.push(`no email that ${sentence}`)
    if (times > due) found.push(`${times} emails that ${sentence}`)
  }
  const untrue = [...counts.keys()].filter((sentence) => !happened.includes(sentence) && !possible.has(sentence))
  return [...found, ...untrue.map((sentence) => `an email about something that did not happen: ${sentence}`)]
}

/** Required words of subjects. */
const SUBJECTS: { [Mail in MailName]?: RegExp } = {
  'booking-cancelled': /cancelled/,
  'class-cancelled': /cancelled/,
  'awaited-class-cancelled': /cancelled/,
  'class-moved': /moved/,
  'awaited-class-moved': /moved/,
  'studio-closed': /cancelled|credit .* is back/,
  receipt: /receipt/,
}

/** Emails whose subject does not match their kind. */
export function findSubjectErrors(mails: readonly MailJob[], letters: readonly { subject: string }[]): string[] {
  return mails.flatMap(({ mail }, i) => {
    const subject = letters[i]?.subject ?? ''
    return SUBJECTS[mail]?.test(subject) === false ? [`a mail called ${mail} has the subject "${subject}"`] : []
  })
}

/** The changes that each kind of email reports. */
const REPORTED: { [Mail in MailName]?: (data: MailJob<Mail>['data'], to: string) => string[] } = {
  'booking-confirmed': (data, to) => [`${to} got a place in ${data.class.title}`],
  'place-from-waiting-list': (data, to) => [`${to} got a place in ${data.class.title}`],
  'booking-rescheduled': (data, to) => [
    `${to} lost a place in ${data.from.title}`,
    `${to} got a place in ${data.class.title}`,
  ],
  'booking-cancelled': (data, to) => [`${to} lost a place in ${data.class.title}`],
  'class-cancelled': (data, to) => [`${to} lost a place in ${data.class.title}`],
  'companion-invited': (data, to) => {
    const invited = data.from ? 'invited to another time of' : 'invited to'
    return [`${to} is ${data.isBooked ? 'asked along to' : invited} ${data.class.title}`]
  },
  'companion-answered': (data, to) => [`${to} is emailed that the companion ${data.answer} ${data.class.title}`],
  'held-place-ended': (data, to) => [`${to} is emailed that no place is held in ${data.class.title}`],
  'invitation-ended': (data, to) => [`${to} is no longer invited to ${data.class.title}`],
  'other-place-ended': (data, to) => [`${to} is alone in ${data.class.title}`],
  'regular-dates': (data, to) => [
    ...(data.kind === 'set_up' && !data.bookedBy ? [`${to} comes every ${data.day} ${data.startTime}`] : []),
    ...data.booked.map(({ title }) => `${to} got a place in ${title}`),
  ],
  'regular-ended': (data, to) => [
    `${to} no longer comes ${data.bookedBy ? 'along ' : ''}every ${data.day} ${data.startTime}`,
    ...data.cancelled.map(({ title }) => `${to} lost a place in ${title}`),
    ...data.kept.map(({ title }) => `${to} got a place in ${title}`),
  ],
  'regular-companion-left': (data, to) => [
    `${to} comes alone every ${data.day} ${data.startTime}`,
    ...data.cancelled.map(({ title }) => `${to} is alone in ${title}`),
  ],
  'regular-credits': (data, to) => [`${to} lacks credits every ${data.day} ${data.startTime}`],
  'voucher-to-print': (data, to) => [`${to} has voucher ${data.voucherId} to print`],
  'class-moved': (data, to) => [`${to} is moved with ${data.class.title}`],
  'studio-closed': (data, to) => [
    ...data.booked.map(({ title }) => `${to} lost a place in ${title}`),
    ...data.late.map(({ title }) => `${to} has a credit back for ${title}`),
    ...data.awaited.map(({ title }) => `${to} waits in vain for ${title}`),
  ],
  'awaited-class-moved': (data, to) => [
    `${to} is moved with ${data.class.title}`,
    ...(data.isFree ? [`${to} can have a place in ${data.class.title}`] : []),
  ],
  'awaited-class-cancelled': (data, to) => [`${to} waits in vain for ${data.class.title}`],
  'credit-returned': (data, to) =>
    Array.from({ length: data.hasBothCredits ? 2 : 1 }, () => `${to} has a credit back for ${data.class.title}`),
  'class-reminder': (data, to) => [`${to} is reminded of ${data.class.title}`],
  'place-free': (data, to) => [`${to} can have a place in ${data.class.title}`],
  'place-offered': (data, to) => [`${to} is offered a place in ${data.class.title}`],
  'skipped-on-waiting-list': (data, to) => [`${to} is skipped on the waiting list of ${data.class.title}`],
  receipt: (data, to) => [`${to} has paid purchase ${data.purchaseId}`],
  'sale-voided': (data, to) => [`${to} is emailed that purchase ${data.purchaseId} of ${data.packageName} was void`],
  'purchase-refunded': (data, to) => [`${to} is refunded £${data.amount} of ${data.packageName}`],
  'refund-failed': (data, to) => [`${to} misses £${data.amount} of ${data.packageName}`],
  'pass-on-hold': (data, to) => [`${to} has a pass-on-hold for ${data.packageName}`],
  'pass-off-hold': (data, to) => [`${to} has a pass-off-hold for ${data.packageName}`],
  'pass-ended': (data, to) => [`${to} has a pass-ended for ${data.packageName}`],
  'payment-notice': (data, to) => [`${to} is emailed ${data.kind} of ${data.packageName}`],
  'payment-returned': (data, to) => [`${to} is emailed that a payment for ${data.packageName} goes back`],
  'payment-returned-notice': (data, to) => [`${to} is emailed that a payment for ${data.packageName} goes back`],
  // Of members who are erased and sign up again.
  welcome: () => [],
  'health-update-notice': () => [],
  'account-erased': () => [],
}

function changesInMail(world: World, { mail, data }: MailJob): string[] {
  const to = nameOf(world, data.to.email)
  // TypeScript does not see that the data is that of the mail.
  const report = REPORTED[mail] as ((reported: MailJob['data'], to: string) => string[]) | undefined
  return report?.(data, to) ?? [`${to} got a mail called ${mail}`]
}

const nameOf = ({ members, owner }: World, email: string) =>
  email === initialFacts.ownerEmail
    ? 'the owner'
    : ([...members, owner].find((one) => one.email === email)?.name ?? email)

function changes(world: World, before: Snapshot, after: Snapshot, isSingle: boolean): string[] {
  const name = (userId: string | null) => nameOfId(world, userId)
  const title = (id: number) => titleOf(after, id)
  const got = ({ userId, classId }: BookingRow) => `${name(userId)} got a place in ${title(classId)}`
  const lost = ({ userId, classId }: BookingRow) => `${name(userId)} lost a place in ${title(classId)}`
  const sentences: string[] = []
  sentences.push(...emailedBookings(before, after).map(got))
  for (const { was, now } of pairRows(before.bookings, after.bookings)) {
    if (was && was.classId !== now.classId) sentences.push(lost(was))
    if (now.status === 'cancelled' && was?.status !== 'cancelled') sentences.push(lost(now))
    if (was?.paymentStatus === 'forfeited' && now.paymentStatus === 'refunded')
      sentences.push(`${nameOfId(world, now.payerId)} has a credit back for ${title(now.classId)}`)
    if (now.remindedAt && !was?.remindedAt) sentences.push(`${name(now.userId)} is reminded of ${title(now.classId)}`)
  }
  return [
    ...sentences,
    ...moneyChanges(world, before, after),
    ...togetherChanges(world, before, after),
    ...studioChanges(world, before, after),
    ...findSkipped(world, before, after).map((entry) => skippedSentence(world, after, entry)),
    ...pairRows(before.waiting, after.waiting)
      .filter(({ was, now }) => now.offeredUntil && !was?.offeredUntil?.equals(now.offeredUntil))
      .map(({ now }) => `${name(now.userId)} is offered a place in ${title(now.classId)}`),
    ...newLines(before, after)
      .filter(({ kind }) => kind === 'pause' || kind === 'resume' || kind === 'extension')
      .map(({ passId }) => name(after.passes.find(({ id }) => id === passId)?.userId ?? null))
      .map((holder) => `${holder} got a mail called pass-validity`),
    ...freedPlaces(world, before, after, isSingle).map(
      ({ userId, classId }) => `${name(userId)} can have a place in ${title(classId)}`,
    ),
  ]
}

const skippedSentence = (world: World, after: Snapshot, { userId, classId }: WaitingRow) =>
  `${nameOfId(world, userId)} is skipped on the waiting list of ${titleOf(after, classId)}`

/** Changes for members of a class, or of its waiting list, that the studio moved or cancelled. */
function studioChanges(world: World, before: Snapshot, after: Snapshot) {
  const names = new Map(world.members.map(({ id, name }) => [id, name]))
  const stays = (id: number) => after.bookings.some((row) => row.id === id && row.status === 'confirmed')
  const waits = (id: number) => after.waiting.some((row) => row.id === id)
  return pairRows(before.classes, after.classes).flatMap(({ was, now }) => {
    if (!was) return []
    const booked = before.bookings.filter(
      ({ id, classId, status }) => classId === now.id && status === 'confirmed' && stays(id),
    )
    const line = before.waiting.filter(({ classId }) => classId === now.id)
    const moved = isMoved(was, now) ? [...booked, ...line.filter(({ id }) => waits(id))] : []
    const isAhead = Temporal.Instant.compare(was.startsAt, world.now) > 0
    const inVain = was.isActive && !now.isActive && isAhead ? line : []
    return [
      ...moved.map(({ userId }) => `${names.get(userId)} is moved with ${now.title}`),
      ...inVain.map(({ userId }) => `${names.get(userId)} waits in vain for ${now.title}`),
    ]
  })
}

export const isMoved = (was: ClassRow, now: ClassRow) =>
  !was.startsAt.equals(now.startsAt) || !was.endsAt.equals(now.endsAt)

/** Members waiting for a class in which a place became free and still is; once per cause if several things happened. */
function freedPlaces(world: World, before: Snapshot, after: Snapshot, isSingle: boolean) {
  const isOver = ({ id }: PlaceRow) => after.places.every((row) => row.id !== id || row.status === 'cancelled')
  const lost = before.places
    .filter((was) => ['held', 'confirmed'].includes(was.status) && isOver(was))
    .map(({ classId }) => classId)
  return pairRows(before.classes, after.classes).flatMap(({ was, now }) => {
    const isAhead = Temporal.Instant.compare(now.startsAt, world.now) > 0
    if (!now.isActive || now.bookedCount + now.reservedPlaces >= now.maxParticipants || !isAhead) return []
    const isLarger = was && now.maxParticipants > was.maxParticipants
    const causes = [
      ...lost.filter((classId) => classId === now.id),
      ...(isLarger ? [1] : []),
      ...(was && isMoved(was, now) ? [1] : []),
      // Not if the member who had it booked it.
      ...(was && was.reservedPlaces - now.reservedPlaces > Math.max(0, now.bookedCount - was.bookedCount) ? [1] : []),
    ]
    const line = after.waiting.filter(({ classId, turn }) => classId === now.id && turn !== 'offered')
    return causes.slice(0, isSingle ? 1 : causes.length).flatMap(() => line)
  })
}

/** Source: docs/studio-rules.md#waiting-list */
const GIVEN_HOURS = 12

/** Members who were passed over in this step, because they could not take a place. */
function findSkipped(world: World, before: Snapshot, after: Snapshot) {
  const passedOver = findPassedOver(world, before, after).filter(({ regularBookingId }) => regularBookingId === null)
  return [...passedOver, ...findSkippedInTurn(before, after)]
}

/**
 * Less than 12 hours before the start: each is skipped once for the places that are offered, and again after another is
 * freed.
 */
function findSkippedInTurn(before: Snapshot, after: Snapshot) {
  const isFull = (id: number) =>
    after.classes.some((row) => row.id === id && row.bookedCount + row.reservedPlaces >= row.maxParticipants)
  const hasAnother = (id: number) =>
    pairRows(before.classes, after.classes).some(
      ({ was, now }) =>
        was && now.id === id && (now.bookedCount < was.bookedCount || now.maxParticipants > was.maxParticipants),
    )
  return pairRows(before.waiting, after.waiting)
    .filter(({ was, now }) => now.turn === 'skipped' && (was?.turn !== 'skipped' || hasAnother(now.classId)))
    .map(({ now }) => now)
    .filter(({ classId }) => isFull(classId))
}

/** At least 12 hours before the start: members who still wait although someone behind them on the list got a place. */
function findPassedOver(world: World, before: Snapshot, after: Snapshot) {
  if (isQuiet(world.now)) return []
  return after.classes.flatMap((row) => {
    const isGiven = world.now.until(row.startsAt).total('hours') >= GIVEN_HOURS
    if (!isGiven || row.bookedCount < row.maxParticipants) return []
    const line = before.waiting.filter(({ classId }) => classId === row.id)
    const given = newLines(before, after).filter(({ reason }) => reason === 'From the waiting list')
    const isNew = ({ userId }: { userId: string }) =>
      after.bookings.some(
        ({ id, ...booking }) =>
          booking.classId === row.id && booking.userId === userId && given.some(({ bookingId }) => bookingId === id),
      )
    const last = line.findLastIndex(isNew)
    const still = after.waiting.filter(({ classId, unconfirmedSince }) => classId === row.id && !unconfirmedSince)
    return line.slice(0, Math.max(0, last)).filter(({ id }) => still.some((entry) => entry.id === id))
  })
}

/**
 * Changes that may have been true for a moment between concurrent requests, for members of the class or its waiting
 * list. A member who joined a list that ended in the same moment has left no trace.
 */
function transientChanges(world: World, before: Snapshot, after: Snapshot): string[] {
  const involved = [...before.waiting, ...after.waiting, ...before.bookings, ...after.bookings]
  const pairs = new Set(involved.map(({ userId, classId }) => `${userId} ${classId}`))
  return after.classes.flatMap(({ id, title }) =>
    world.members.flatMap((member) => [
      `${member.name} waits in vain for ${title}`,
      ...(pairs.has(`${member.id} ${id}`)
        ? [
            `${member.name} can have a place in ${title}`,
            `${member.name} is moved with ${title}`,
            `${member.name} is skipped on the waiting list of ${title}`,
            `${member.name} is offered a place in ${title}`,
            `${member.name} is alone in ${title}`,
            // Cancelled late by the member, then by the studio.
            `${member.name} has a credit back for ${title}`,
          ]
        : []),
    ]),
  )
}
