import { inArray } from 'drizzle-orm'
import type { User } from '#accounts/contract.ts'
import { findUser, recipient } from '#accounts/server/accounts.ts'
import { AUDITED } from '#audit/contract.ts'
import { differences, recordAdminChange } from '#audit/server/audit.ts'
import { refuse } from '#foundation/refusal.ts'
import { queueMail } from '#messages/server/messages.ts'
import {
  actingFor,
  type Cause,
  type CausedBy,
  findPasses,
  forfeitCredits,
  returnCredits,
} from '#passes/server/passes.ts'
import type { Tx } from '#platform/database/database.ts'
import { onlyRow } from '#platform/database/only-row.ts'
import { classForUpdateOnRecord } from '#timetable/server/timetable.ts'
import type { ClassRow } from '#timetable/tables.ts'
import type { Booking } from '../contract.ts'
import { bookingRefusals } from '../refusals.ts'
import { type Cancellable, cancellationAt, graceUntil, hasEnded } from '../rules.ts'
import { type BookingRow, bookings } from '../tables.ts'
import { lockPassesAround, offerFreedPlaces } from './offer-freed-place.ts'
import { bookingForUpdate, findBooking, ownBooking, toBooking, toMailedBooking } from './queries.ts'

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
