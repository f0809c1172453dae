import { and, asc, between, eq, gt, inArray } from 'drizzle-orm'
import type { User } from '#accounts/contract.ts'
import { findUser, recipient } from '#accounts/server/accounts.ts'
import { users } from '#accounts/tables.ts'
import { AUDITED } from '#audit/contract.ts'
import { differences, recordAdminChange } from '#audit/server/audit.ts'
import { defined } from '#foundation/collections.ts'
import { endOfDay, studioDate } from '#foundation/instants.ts'
import { refuse } from '#foundation/refusal.ts'
import { queueMail, queueMails } from '#messages/server/messages.ts'
import type { DateRange } from '#passes/rules.ts'
import {
  actingFor,
  type Cause,
  type CausedBy,
  findPasses,
  forfeitCredits,
  passesForUpdate,
  returnAsGoodwill,
  returnCredits,
} from '#passes/server/passes.ts'
import type { PassRow } from '#passes/tables.ts'
import { onlyRow, type Reader, RetryTransaction, type Tx } from '#platform/database/database.ts'
import { studio } from '#studio.ts'
import { classesForUpdate, classForUpdateEvenDeleted } from '#timetable/server/timetable.ts'
import { type ClassRow, classes } from '#timetable/tables.ts'
import type { Booking } from '../contract.ts'
import { bookingRefusals, goodwillRefusal } from '../refusals.ts'
import { type Cancellable, cancellationAt, graceUntil, hasEnded } from '../rules.ts'
import { type BookingRow, bookings } from '../tables.ts'
import { endHoldsPaidBy, heldPaidBy } from './end-holds.ts'
import { lockPassesForFreedPlaces, offerFreedPlaces } from './offer-freed-place.ts'
import { emailOther, payerOf } from './other-place.ts'
import { type OwnCancellation, saveForOwnUndo } from './own-cancellations.ts'
import {
  bookingForUpdate,
  bookingWithCompanion,
  findBooking,
  toBooking,
  toClassFacts,
  toMailedBooking,
} from './queries.ts'
import { leaveDatesOut } from './regular/regular-queries.ts'

/**
 * Cancels a member's own booking. More than 120 minutes before the start, or if the studio has moved the class, the
 * credit goes back to the pass that paid; later, or if that pass has ended, it is forfeited; after the start it is
 * refused. The member can undo it for some seconds: the email and the waiting list wait for {@link endUndo}.
 */
export async function cancelBooking(tx: Tx, member: User, id: number, now: Temporal.Instant): Promise<Booking> {
  const own = (await findBooking(tx, id, member.id)) ?? refuse(bookingRefusals.booking_not_found)
  const locked = await lockBooking(tx, own)
  const [pass] = await findPasses(tx, [own.passId])
  const { cancelled, outcome, reason } = await cancelPlace(tx, locked, { causedBy: { by: 'member' } }, now)
  await saveForOwnUndo(tx, cancelled, { studioClass: locked.studioClass, passBefore: defined(pass), outcome, reason })
  return await bookingWithCompanion(tx, id)
}

/** Cancels a booking for a member who rang up. The credit follows the same rules unless the admin decides otherwise. */
export async function cancelForMember(
  tx: Tx,
  admin: { id: string },
  id: number,
  options: { returnCredit?: boolean | null },
  now: Temporal.Instant,
): Promise<Booking> {
  const found = (await findBooking(tx, id)) ?? refuse(bookingRefusals.booking_not_found)
  const member = (await findUser(tx, found.userId)) ?? refuse(bookingRefusals.booking_not_found)
  const locked = await lockBooking(tx, found)
  const causedBy = actingFor(member.id, admin)
  const { booking, studioClass } = locked
  const { cancelled, outcome, reason } = await cancelPlace(tx, locked, { ...options, causedBy }, now)
  const mailed = toMailedBooking(cancelled, studioClass)
  const paidBy = (await payerOf(tx, cancelled))?.firstName
  await queueMail(tx, 'booking-cancelled', { to: recipient(member), class: mailed, outcome, reason, paidBy })
  await emailOther(tx, cancelled, studioClass)
  await offerFreedPlaces(tx, [studioClass.id], now)
  const changes = differences(AUDITED.booking, auditedState(booking), auditedState(cancelled))
  const change = { action: 'booking_cancelled_for', subject: { kind: 'booking', id }, changes } as const
  await recordAdminChange(tx, admin, change, now)
  return toBooking({ booking: cancelled, class: studioClass, user: member })
}

export const auditedState = ({ status, paymentStatus }: Pick<BookingRow, 'status' | 'paymentStatus'>) => ({
  status,
  paymentStatus,
})

/** For the ledger, when an admin decided about the credit. */
const OVERRIDE_REASONS = {
  credit_returned: 'Returned by the studio, although it was late',
  forfeited: 'The studio decided that the credit is not returned',
}

/** For the ledger, when the rules decided. */
const LEDGER_REASONS = {
  in_time: undefined,
  late: undefined,
  moved: 'The studio had moved the class',
  no_pass: 'The pass that paid has ended',
}

/** Cancels one (locked) booking and settles its credit. Email and waiting list are left to the caller. */
export async function cancelPlace(
  tx: Tx,
  { booking, studioClass }: { booking: BookingRow; studioClass: ClassRow },
  { returnCredit: wanted, causedBy }: { returnCredit?: boolean | null; causedBy: CausedBy },
  now: Temporal.Instant,
): Promise<{ cancelled: BookingRow } & Pick<OwnCancellation, 'outcome' | 'reason'>> {
  if (booking.status !== 'confirmed') refuse(bookingRefusals.booking_not_confirmed)
  await lockPassesForFreedPlaces(tx, [studioClass.id], booking.userId)
  const isMoved = booking.movedAt !== null
  const hasPassEnded = (await findEndedPassIds(tx, [booking])).has(booking.passId)
  const facts = { startsAt: studioClass.startsAt, isMoved, hasPassEnded }
  const rule = cancellationAt(now, facts)
  if (rule === 'too_late') refuse(bookingRefusals.too_late_to_cancel)
  if (wanted && hasPassEnded) refuse(bookingRefusals.pass_voided)
  const override = wanted ? 'credit_returned' : 'forfeited'
  const outcome = wanted == null ? rule : override
  const cancelled = onlyRow(await markCancelled(tx, [booking.id], outcome, now))
  await leaveDatesOut(tx, booking.userId, [studioClass.id])
  const why = reasonFor(outcome, now, facts)
  const reason = why === 'decided' ? OVERRIDE_REASONS[outcome] : LEDGER_REASONS[why]
  const cause = { causedBy, reason, now }
  if (outcome === 'credit_returned') await returnCreditOfBooking(tx, booking, cause)
  else await forfeitCredits(tx, [booking], cause)
  return why === 'no_pass'
    ? { cancelled, outcome: why, reason: 'decided' as const }
    : { cancelled, outcome, reason: why }
}

/** Why a cancellation has this outcome, for its mail. */
function reasonFor(outcome: 'credit_returned' | 'forfeited', now: Temporal.Instant, studioClass: Cancellable) {
  if (studioClass.hasPassEnded) return 'no_pass'
  if (cancellationAt(now, studioClass) !== outcome) return 'decided'
  if (outcome === 'forfeited') return 'late'
  return cancellationAt(now, { ...studioClass, isMoved: false }) === outcome ? 'in_time' : 'moved'
}

/** Returns a booking's credit. If the studio has moved the class, its pass stays valid for at least 14 days. */
export async function returnCreditOfBooking(tx: Tx, booking: BookingRow, cause: Cause): Promise<void> {
  const grace = booking.movedAt ? { validUntil: graceUntil(cause.now) } : {}
  await returnCredits(tx, [booking], { ...cause, ...grace })
}

/** The ids of the (locked) passes behind these bookings to which no credit can go back. */
export async function findEndedPassIds(
  tx: Tx,
  paid: readonly Pick<BookingRow, 'passId'>[],
): Promise<ReadonlySet<number>> {
  const found = await findPasses(tx, [...new Set(paid.map(({ passId }) => passId))])
  return new Set(found.filter(hasEnded).map(({ id }) => id))
}

/** Cancels bookings for the studio. The (locked) passes that paid get their credits back; ended ones forfeit them. */
export async function cancelBookings(
  tx: Tx,
  rows: readonly BookingRow[],
  cause: Cause & { validUntil?: Temporal.Instant },
): Promise<BookingRow[]> {
  const ended = await findEndedPassIds(tx, rows)
  const lost = rows.filter((row) => ended.has(row.passId))
  const paidBack = rows.filter((row) => !ended.has(row.passId))
  const idsOf = (some: readonly BookingRow[]) => some.map(({ id }) => id)
  const cancelled = [
    ...(await markCancelled(tx, idsOf(paidBack), 'credit_returned', cause.now)),
    ...(await markCancelled(tx, idsOf(lost), 'forfeited', cause.now)),
  ]
  await returnCredits(tx, paidBack, cause)
  await forfeitCredits(tx, lost, { ...cause, reason: LEDGER_REASONS.no_pass })
  return cancelled
}

/** Marks bookings as cancelled; their places are free from then on. */
export async function markCancelled(
  tx: Tx,
  ids: number[],
  outcome: 'credit_returned' | 'forfeited',
  now: Temporal.Instant,
): Promise<BookingRow[]> {
  const paymentStatus = outcome === 'credit_returned' ? 'refunded' : 'forfeited'
  return await tx
    .update(bookings)
    .set({ status: 'cancelled', paymentStatus, cancelledAt: now })
    .where(inArray(bookings.id, ids))
    .returning()
}

/** Locks the class, then its booking, in booking's order. */
export async function lockBooking(tx: Tx, found: BookingRow): Promise<{ booking: BookingRow; studioClass: ClassRow }> {
  const studioClass = await classForUpdateEvenDeleted(tx, found.classId)
  const booking = await bookingForUpdate(tx, found.id)
  if (!studioClass || !booking) refuse(bookingRefusals.booking_not_found)
  return { booking, studioClass }
}

/**
 * Locks everything that cancelling a pass's upcoming bookings touches, in the lock order: their classes, then the
 * passes of everyone affected.
 *
 * @param during only bookings on these days
 * @throws RetryTransaction when the pass has just paid for another class, which would now be locked too late
 */
export async function lockBookingsPaidBy(
  tx: Tx,
  pass: Pick<PassRow, 'id' | 'userId'>,
  now: Temporal.Instant,
  during?: DateRange,
): Promise<void> {
  const before = await classesPaidBy(tx, pass.id, now, during)
  await classesForUpdate(tx, before)
  await lockPassesForFreedPlaces(tx, before, pass.userId)
  const paidNow = await classesPaidBy(tx, pass.id, now, during)
  if (paidNow.some((classId) => !before.includes(classId)))
    throw new RetryTransaction('the pass paid for another class')
}

/**
 * Cancels the upcoming bookings paid by a pass whose money was returned, or that is paused on their days: the credits
 * go back to it, and the members are emailed; of two people in a class, the other too. Everything is locked
 * ({@link lockBookingsPaidBy}).
 *
 * @returns the classes with freed places, for {@link offerFreedPlaces} once the pass is void
 */
export async function cancelBookingsPaidBy(
  tx: Tx,
  passId: number,
  { causedBy, reason, now, during }: { causedBy: CausedBy; reason: string; now: Temporal.Instant; during?: DateRange },
): Promise<number[]> {
  const upcoming = await upcomingPaidBy(tx, passId, now, during).for('no key update', { of: bookings })
  const cancelled = await cancelBookings(
    tx,
    upcoming.map(({ booking }) => booking),
    { causedBy, reason, now },
  )
  const [pass] = await findPasses(tx, [passId])
  const payer = pass && (await findUser(tx, pass.userId))
  const ids = new Set(cancelled.map(({ id }) => id))
  await queueMails(
    tx,
    'booking-cancelled',
    upcoming.map(({ booking, class: studioClass, user }) => {
      const ended = defined(cancelled.find(({ id }) => id === booking.id))
      const paidBy = user.id === payer?.id ? undefined : payer?.firstName
      const why = during
        ? ({ outcome: 'credit_returned', reason: 'paused' } as const)
        : ({ outcome: 'pass_ended', reason: null } as const)
      return { to: recipient(user), class: toMailedBooking(ended, studioClass), paidBy, ...why }
    }),
  )
  for (const ended of cancelled) {
    const studioClass = defined(upcoming.find(({ booking }) => booking.id === ended.id)).class
    await emailOther(tx, ended, studioClass, { together: ids, hasPassEnded: !during })
  }
  const held = await endHoldsPaidBy(tx, passId, { causedBy, now, during })
  return [...new Set([...upcoming.map(({ booking }) => booking.classId), ...held])].sort((a, b) => a - b)
}

/** The upcoming bookings that a pass pays for. @param during only those on these days */
export function upcomingPaidBy(reader: Reader, passId: number, now: Temporal.Instant, during?: DateRange) {
  return reader
    .select({
      booking: bookings,
      class: classes,
      user: { id: users.id, email: users.email, firstName: users.firstName, lastName: users.lastName },
    })
    .from(bookings)
    .innerJoin(classes, eq(classes.id, bookings.classId))
    .innerJoin(users, eq(users.id, bookings.userId))
    .where(
      and(
        eq(bookings.passId, passId),
        eq(bookings.status, 'confirmed'),
        gt(classes.startsAt, now),
        during && between(classes.date, during.from, during.to),
      ),
    )
    .orderBy(asc(bookings.classId))
}

async function classesPaidBy(
  reader: Reader,
  passId: number,
  now: Temporal.Instant,
  during?: DateRange,
): Promise<number[]> {
  const upcoming = await upcomingPaidBy(reader, passId, now, during)
  const held = await heldPaidBy(reader, passId, during)
  return [...upcoming.map(({ booking }) => booking.classId), ...held.map(({ place }) => place.classId)]
}

/**
 * An admin returns the forfeited credit of a late cancellation or no-show, once, whatever happens to the attendance
 * later. The pass is then valid for at least 14 days; a voided or refunded pass gets nothing.
 */
export async function returnForfeitedCredit(
  tx: Tx,
  admin: { id: string },
  id: number,
  reason: string,
  now: Temporal.Instant,
): Promise<Booking> {
  const found = (await findBooking(tx, id)) ?? refuse(bookingRefusals.booking_not_found)
  const { booking, studioClass } = await lockBooking(tx, found)
  const member = (await findUser(tx, booking.userId)) ?? refuse(bookingRefusals.booking_not_found)
  const payer = (await payerOf(tx, booking)) ?? member
  const pass = defined((await passesForUpdate(tx, payer.id)).find(({ id: passId }) => passId === booking.passId))
  const refusal = goodwillRefusal({ paymentStatus: booking.paymentStatus, hasPassEnded: hasEnded(pass) })
  if (refusal) refuse(refusal)

  const causedBy = { by: 'admin' as const, id: admin.id }
  const validUntil = endOfDay(studioDate(now).add({ days: studio.policies.goodwillDays }))
  await returnAsGoodwill(tx, [booking], { causedBy, reason: reason.trim(), validUntil, now })
  const returned = await tx
    .update(bookings)
    .set({ paymentStatus: 'refunded' })
    .where(eq(bookings.id, id))
    .returning()
    .then(onlyRow)
  const latest = Temporal.Instant.compare(pass.expiresAt, validUntil) > 0 ? pass.expiresAt : validUntil
  await queueMail(tx, 'credit-returned', {
    to: recipient(payer),
    class: toClassFacts(studioClass),
    reason: reason.trim(),
    expiresAt: latest.toString(),
  })
  const changes = differences(AUDITED.booking, auditedState(booking), auditedState(returned))
  await recordAdminChange(tx, admin, { action: 'credit_returned', subject: { kind: 'booking', id }, changes }, now)
  return toBooking({ booking: returned, class: studioClass, user: member })
}
