import type { User } from '#accounts/contract.ts'
import { findUser, recipient, refuseBlocked, type Standing } from '#accounts/server/accounts.ts'
import { recordAdminChange } from '#audit/server/audit.ts'
import { type RefusalDefinition, refuse } from '#foundation/refusal.ts'
import { isHealthComplete } from '#health/server/health.ts'
import type { MailedBooking } from '#messages/mail.ts'
import { queueMail } from '#messages/server/messages.ts'
import { actingFor, type CausedBy, passesForUpdate, spendCredit } from '#passes/server/passes.ts'
import type { PassRow } from '#passes/tables.ts'
import { onlyRow, type Tx, violates } from '#platform/database/database.ts'
import { timetableRefusals } from '#timetable/contract.ts'
import { hasStarted, isFull } from '#timetable/rules.ts'
import { classForUpdate } from '#timetable/server/timetable.ts'
import type { ClassRow } from '#timetable/tables.ts'
import type { Booking } from '../contract.ts'
import { bookingRefusals } from '../refusals.ts'
import { cancellationAt, payingPass } from '../rules.ts'
import { type BookingRow, bookings } from '../tables.ts'
import { hasPlace, toBooking, toMailedBooking, wordsOf } from './queries.ts'
import { takeOutOfLine } from './waiting-queries.ts'

/** Whose place it becomes. */
type Taker = Pick<User, 'id' | 'firstName' | 'lastName'>
type Notify = (mailed: MailedBooking) => Promise<void>
/** The (cancelled) booking that a new one takes over from: in calendars it stays the same entry. */
type Predecessor = Pick<BookingRow, 'calendarUid' | 'calendarSequence'>
/** Who takes the place, why if that is not plain, the booking that moves here if one does, and the mail that says so. */
type Taking = { causedBy: CausedBy; reason?: string; insteadOf?: Predecessor; notify: Notify }

export type BookBody = {
  classId: number
  /** Whose place; absent: the caller's. */
  userId?: string | null
  participantCount?: number | null
  usePass?: boolean | null
  /** An admin's: the class may have begun, health information may be missing. */
  override?: boolean | null
}

/**
 * Books a place and pays for it with one credit. The class stays locked until the transaction ends, so of all
 * who race for its last place one wins. Refusals come in the order of docs/studio-rules.md#booking.
 */
export async function bookClass(
  tx: Tx,
  caller: User & Standing,
  body: BookBody,
  now: Temporal.Instant,
): Promise<Booking> {
  const studioClass = (await classForUpdate(tx, body.classId)) ?? refuse(timetableRefusals.class_not_found)
  const member = await whoseBooking(tx, caller, body.userId)
  refuseBlocked(member)
  if ((body.participantCount ?? 1) !== 1) refuse(bookingRefusals.one_participant_only)
  const ifCancelled = cancellationAt(now, { startsAt: studioClass.startsAt, isMoved: false })
  const notify: Notify = (mailed) =>
    queueMail(tx, 'booking-confirmed', { to: recipient(member), class: mailed, ifCancelled })
  const causedBy = actingFor(member.id, caller)
  const isOverride = caller.isAdmin && body.override === true
  const asks = isOverride ? ADMITTED : ASKED
  const booking = await takePlace(
    tx,
    member,
    studioClass,
    { usePass: body.usePass ?? true, asks, causedBy, notify },
    now,
  )
  if (member.id !== caller.id) {
    const subject = { kind: 'user' as const, id: member.id }
    const changes = { class: { after: wordsOf(studioClass) }, ...(isOverride && { override: { after: true } }) }
    await recordAdminChange(tx, caller, { action: 'booked_for', subject, changes }, now)
  }
  return booking
}

/** Until when a place can be taken, and whether health information must be there. */
export type Asks = { until: 'start' | 'end'; health: boolean }
export const ASKED: Asks = { until: 'start', health: true }
/** Who stands in the studio already. */
const ADMITTED: Asks = { until: 'end', health: false }

/** Takes a place in a (locked) class for a member and pays for it, or refuses. */
export async function takePlace(
  tx: Tx,
  member: Taker,
  studioClass: ClassRow,
  { usePass, asks = ASKED, ...taking }: Taking & { usePass: boolean; asks?: Asks },
  now: Temporal.Instant,
): Promise<Booking> {
  const chance = await mayTakePlace(tx, member.id, studioClass, { usePass, asks, now })
  if ('refusal' in chance) refuse(chance.refusal)
  return await writePlace(tx, member, studioClass, { passId: chance.pass.id, ...taking }, now)
}

/** Whether a member can have a place in a (locked) class: the pass that would pay, or the first refusal in booking's order. */
export async function mayTakePlace(
  tx: Tx,
  userId: string,
  studioClass: ClassRow,
  { usePass, asks = ASKED, now }: { usePass: boolean; asks?: Asks; now: Temporal.Instant },
): Promise<{ pass: PassRow } | { refusal: RefusalDefinition }> {
  const [isTaken, passes, isHealthy] = await Promise.all([
    hasPlace(tx, userId, studioClass.id),
    passesForUpdate(tx, userId),
    asks.health ? isHealthComplete(tx, userId) : true,
  ])
  if (isTaken) return { refusal: bookingRefusals.already_booked }
  const last = asks.until === 'start' ? studioClass.startsAt : studioClass.endsAt
  if (hasStarted(last, now)) return { refusal: bookingRefusals.class_started }
  if (!studioClass.isActive) return { refusal: bookingRefusals.class_inactive }
  if (isFull(studioClass)) return { refusal: bookingRefusals.class_full }
  const paying = payingPass(passes, studioClass.startsAt)
  if ('refusal' in paying) return paying
  // Asked last of the pass: a screen sends false when it sees no credits, and "you have none" is what helps then.
  if (!usePass) return { refusal: bookingRefusals.class_pass_required }
  return isHealthy ? paying : { refusal: bookingRefusals.health_information_missing }
}

/** Writes what {@link mayTakePlace} allowed: the booking, its payment, its mail. Whoever has a place no longer waits for one. */
export async function writePlace(
  tx: Tx,
  member: Taker,
  studioClass: ClassRow,
  { passId, causedBy, reason, insteadOf, notify }: Taking & { passId: number },
  now: Temporal.Instant,
): Promise<Booking> {
  const booking = await addBooking(tx, {
    userId: member.id,
    classId: studioClass.id,
    passId,
    status: 'confirmed',
    paymentStatus: 'paid',
    totalAmountPence: studioClass.passPricePence,
    bookedAt: now,
    ...(insteadOf && { calendarUid: insteadOf.calendarUid, calendarSequence: insteadOf.calendarSequence + 1 }),
  })
  await Promise.all([
    spendCredit(tx, passId, { bookingId: booking.id, causedBy, reason, now }),
    takeOutOfLine(tx, member.id, studioClass.id),
    notify(toMailedBooking(booking, studioClass)),
  ])
  return toBooking({ booking, class: studioClass, user: member })
}

async function whoseBooking(tx: Tx, caller: User & Standing, userId: string | null | undefined) {
  if (userId == null || userId === caller.id) return caller
  if (!caller.isAdmin) refuse(bookingRefusals.booking_for_another_member)
  return (await findUser(tx, userId)) ?? refuse(bookingRefusals.user_not_found)
}

async function addBooking(tx: Tx, values: typeof bookings.$inferInsert): Promise<BookingRow> {
  try {
    return await tx.insert(bookings).values(values).returning().then(onlyRow)
  } catch (error) {
    if (violates(error, 'one_confirmed_booking_per_member_and_class')) refuse(bookingRefusals.already_booked)
    if (violates(error, 'a_class_is_never_oversold')) refuse(bookingRefusals.class_full)
    throw error
  }
}
