import { and, asc, eq, gt, inArray } from 'drizzle-orm'
import type { User } from '#accounts/contract.ts'
import { findUser, recipient } from '#accounts/server/accounts.ts'
import { users } from '#accounts/tables.ts'
import { AUDITED } from '#audit/contract.ts'
import { differences, recordAdminChange } from '#audit/server/audit.ts'
import { defined } from '#foundation/collections.ts'
import { endOfDay, studioDate } from '#foundation/instants.ts'
import { refuse } from '#foundation/refusal.ts'
import { queueMail, queueMails } from '#messages/server/messages.ts'
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
import { BeginAgain, onlyRow, type Reader, type Tx } from '#platform/database/database.ts'
import { studio } from '#studio.ts'
import { classesForUpdate, classForUpdateOnRecord } from '#timetable/server/timetable.ts'
import { type ClassRow, classes } from '#timetable/tables.ts'
import type { Booking } from '../contract.ts'
import { bookingRefusals } from '../refusals.ts'
import { type Cancellable, cancellationAt, graceUntil, hasEnded } from '../rules.ts'
import { type BookingRow, bookings } from '../tables.ts'
import { lockPassesAround, offerFreedPlaces } from './offer-freed-place.ts'
import { bookingForUpdate, findBooking, ownBooking, toBooking, toClassFacts, toMailedBooking } from './queries.ts'

/**
 * Gives a member's own place back. More than 120 minutes before the start, or where the studio has moved the class, the
 * credit returns to the pass that paid; later, or where that pass has ended, the place is freed and the credit forfeited; from
 * the start on it is refused.
 * Whoever waits for the class is offered the place.
 */
export async function cancelBooking(tx: Tx, member: User, id: number, now: Temporal.Instant): Promise<Booking> {
  const own = (await ownBooking(tx, member.id, id)) ?? refuse(bookingRefusals.booking_not_found)
  return await giveBack(tx, member, await lockBooking(tx, own), { causedBy: { by: 'member' } }, now)
}

/**
 * Gives a member's place back for them: they rang up. The credit follows the same rules unless the admin decides
 * otherwise, either way; the member is mailed what became of it.
 */
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
  const cancelled = await giveBack(tx, member, locked, { ...options, causedBy }, now)
  const changes = differences(AUDITED.booking, stateOf(locked.booking), stateOf(cancelled))
  const change = { action: 'booking_cancelled_for', subject: { kind: 'booking', id }, changes } as const
  await recordAdminChange(tx, admin, change, now)
  return cancelled
}

/** What the record says of a booking. */
export const stateOf = ({ status, paymentStatus }: Pick<BookingRow, 'status' | 'paymentStatus'>) => ({
  status,
  paymentStatus,
})

/** Why the credit did not go the way of the rules. */
const OTHERWISE = {
  credit_returned: 'Returned by the studio, although it was late',
  forfeited: 'The studio decided that the credit is not returned',
}

/** Why the credit went the way of the rules, where that is not plain. */
const LEDGER_REASONS = {
  in_time: undefined,
  late: undefined,
  moved: 'The studio had moved the class',
  no_pass: 'The pass that paid has ended',
}

type Holder = Pick<User, 'email' | 'firstName' | 'lastName'>

async function giveBack(
  tx: Tx,
  member: Holder,
  { booking, studioClass }: { booking: BookingRow; studioClass: ClassRow },
  { returnCredit: wanted, causedBy }: { returnCredit?: boolean | null; causedBy: CausedBy },
  now: Temporal.Instant,
): Promise<Booking> {
  if (booking.status !== 'confirmed') refuse(bookingRefusals.booking_not_confirmed)
  await lockPassesAround(tx, [studioClass.id], booking.userId)
  const isMoved = booking.movedAt !== null
  const hasPassEnded = (await endedPasses(tx, [booking])).has(booking.passId)
  const facts = { startsAt: studioClass.startsAt, isMoved, hasPassEnded }
  const rule = cancellationAt(now, facts)
  if (rule === 'too_late') refuse(bookingRefusals.too_late_to_cancel)
  if (wanted && hasPassEnded) refuse(bookingRefusals.pass_voided)
  const outcome = wanted == null ? rule : wanted ? 'credit_returned' : 'forfeited'
  const cancelled = onlyRow(await markCancelled(tx, [booking.id], outcome, now))
  const why = reasonFor(outcome, now, facts)
  const reason = why === 'decided' ? OTHERWISE[outcome] : LEDGER_REASONS[why]
  const cause = { causedBy, reason, now }
  if (outcome === 'credit_returned') await returnCreditOf(tx, booking, cause)
  else await forfeitCredits(tx, [booking], cause)
  await queueMail(tx, 'booking-cancelled', {
    to: recipient(member),
    class: toMailedBooking(cancelled, studioClass),
    outcome: why === 'no_pass' ? 'no_pass' : outcome,
    reason: why === 'no_pass' ? 'decided' : why,
  })
  await offerFreedPlaces(tx, [studioClass.id], now)
  return toBooking({ booking: cancelled, class: studioClass, user: member })
}

/** Why a cancellation ends as it does, as its mail says it. */
function reasonFor(outcome: 'credit_returned' | 'forfeited', now: Temporal.Instant, studioClass: Cancellable) {
  if (studioClass.hasPassEnded) return 'no_pass'
  if (cancellationAt(now, studioClass) !== outcome) return 'decided'
  if (outcome === 'forfeited') return 'late'
  return cancellationAt(now, { ...studioClass, isMoved: false }) === outcome ? 'in_time' : 'moved'
}

/** Gives a booking's credit back. Where the studio has moved the class, its pass may end too soon to be used: it gets 14 days. */
export async function returnCreditOf(tx: Tx, booking: BookingRow, cause: Cause): Promise<void> {
  const grace = booking.movedAt ? { validUntil: graceUntil(cause.now) } : {}
  await returnCredits(tx, [booking], { ...cause, ...grace })
}

/** Those of the (locked) passes that paid for these bookings to which no credit can go back. */
export async function endedPasses(tx: Tx, paid: readonly Pick<BookingRow, 'passId'>[]): Promise<ReadonlySet<number>> {
  const found = await findPasses(tx, [...new Set(paid.map(({ passId }) => passId))])
  return new Set(found.filter(hasEnded).map(({ id }) => id))
}

/**
 * Cancels bookings on behalf of the studio. Their credits go back to the (locked) passes that paid, unless a pass has
 * ended: then its booking counts as forfeited.
 */
export async function cancelAll(
  tx: Tx,
  rows: readonly BookingRow[],
  cause: Cause & { validUntil?: Temporal.Instant },
): Promise<BookingRow[]> {
  const ended = await endedPasses(tx, rows)
  const [lost, paidBack] = [rows.filter((row) => ended.has(row.passId)), rows.filter((row) => !ended.has(row.passId))]
  const idsOf = (some: readonly BookingRow[]) => some.map(({ id }) => id)
  const cancelled = [
    ...(await markCancelled(tx, idsOf(paidBack), 'credit_returned', cause.now)),
    ...(await markCancelled(tx, idsOf(lost), 'forfeited', cause.now)),
  ]
  await returnCredits(tx, paidBack, cause)
  await forfeitCredits(tx, lost, { ...cause, reason: LEDGER_REASONS.no_pass })
  return cancelled
}

/** Writes that bookings are cancelled and what became of their credits; the places are free from then on. */
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

/** Locks the class before its booking, in the order in which booking does, so that neither waits for the other in a ring. */
export async function lockBooking(tx: Tx, found: BookingRow): Promise<{ booking: BookingRow; studioClass: ClassRow }> {
  const studioClass = await classForUpdateOnRecord(tx, found.classId)
  const booking = await bookingForUpdate(tx, found.id)
  if (!studioClass || !booking) refuse(bookingRefusals.booking_not_found)
  return { booking, studioClass }
}

/**
 * Locks the classes in which a pass has paid for a place that is still to come, then the passes of all whom freed places
 * concern: what a cancellation of these bookings needs, in the one lock order.
 *
 * @throws BeginAgain when the pass paid for another class meanwhile, which would now be locked too late
 */
export async function lockBookingsPaidBy(
  tx: Tx,
  pass: Pick<PassRow, 'id' | 'userId'>,
  now: Temporal.Instant,
): Promise<void> {
  const before = await classesPaidBy(tx, pass.id, now)
  await classesForUpdate(tx, before)
  await lockPassesAround(tx, before, pass.userId)
  const paidNow = await classesPaidBy(tx, pass.id, now)
  if (paidNow.some((classId) => !before.includes(classId))) throw new BeginAgain('the pass paid for another class')
}

/**
 * Cancels the bookings to come that a pass has paid, because its money went back: the credits return to it, to be taken
 * with the rest, and the member is told. Everything is locked ({@link lockBookingsPaidBy}).
 *
 * @returns the classes with a free place, for {@link offerFreedPlaces} once the pass is void
 */
export async function cancelBookingsPaidBy(
  tx: Tx,
  passId: number,
  { causedBy, reason, now }: { causedBy: CausedBy; reason: string; now: Temporal.Instant },
): Promise<number[]> {
  const upcoming = await upcomingPaidBy(tx, passId, now).for('no key update', { of: bookings })
  const cancelled = await cancelAll(
    tx,
    upcoming.map(({ booking }) => booking),
    { causedBy, reason, now },
  )
  await queueMails(
    tx,
    'booking-cancelled',
    upcoming.map(({ booking, class: studioClass, user }) => {
      const ended = defined(cancelled.find(({ id }) => id === booking.id))
      return { to: recipient(user), class: toMailedBooking(ended, studioClass), outcome: 'pass_ended' as const }
    }),
  )
  return upcoming.map(({ booking }) => booking.classId)
}

function upcomingPaidBy(reader: Reader, passId: number, now: Temporal.Instant) {
  return reader
    .select({ booking: bookings, class: classes, user: { email: users.email, firstName: users.firstName } })
    .from(bookings)
    .innerJoin(classes, eq(classes.id, bookings.classId))
    .innerJoin(users, eq(users.id, bookings.userId))
    .where(and(eq(bookings.passId, passId), eq(bookings.status, 'confirmed'), gt(classes.startsAt, now)))
    .orderBy(asc(bookings.classId))
}

async function classesPaidBy(reader: Reader, passId: number, now: Temporal.Instant): Promise<number[]> {
  const upcoming = await upcomingPaidBy(reader, passId, now)
  return upcoming.map(({ booking }) => booking.classId)
}

/**
 * An admin gives back a credit that the rules had kept: of a booking cancelled too late, or not come to. Once, whatever
 * becomes of the attendance afterwards. The pass is then valid for at least 14 days; a void or refunded one gets nothing.
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
  if (booking.paymentStatus === 'refunded') refuse(bookingRefusals.credit_already_returned)
  if (booking.paymentStatus !== 'forfeited') refuse(bookingRefusals.credit_not_forfeited)
  const pass = (await passesForUpdate(tx, booking.userId)).find(({ id: passId }) => passId === booking.passId)
  if (!pass || pass.voidedAt) refuse(bookingRefusals.pass_voided)
  if (pass.refundedAt) refuse(bookingRefusals.pass_refunded)

  const causedBy = { by: 'admin' as const, id: admin.id }
  const validUntil = endOfDay(studioDate(now).add({ days: studio.policies.goodwillDays }))
  await returnAsGoodwill(tx, [booking], { causedBy, reason: reason.trim(), validUntil, now })
  const returned = await markReturned(tx, id)
  const latest = Temporal.Instant.compare(pass.expiresAt, validUntil) > 0 ? pass.expiresAt : validUntil
  await queueMail(tx, 'credit-returned', {
    to: recipient(member),
    class: toClassFacts(studioClass),
    reason: reason.trim(),
    expiresAt: latest.toString(),
  })
  const changes = differences(AUDITED.booking, stateOf(booking), stateOf(returned))
  await recordAdminChange(tx, admin, { action: 'credit_returned', subject: { kind: 'booking', id }, changes }, now)
  return toBooking({ booking: returned, class: studioClass, user: member })
}

async function markReturned(tx: Tx, id: number): Promise<BookingRow> {
  const returned = tx.update(bookings).set({ paymentStatus: 'refunded' }).where(eq(bookings.id, id)).returning()
  return await returned.then(onlyRow)
}
