import { eq, sql } from 'drizzle-orm'
import type { User } from '#accounts/contract.ts'
import { type BlockStatus, findUser, recipient, refuseBlocked } from '#accounts/server/accounts.ts'
import { recordAdminChange } from '#audit/server/audit.ts'
import { type RefusalDefinition, refuse } from '#foundation/refusal.ts'
import { hasCompleteHealth } from '#health/server/health.ts'
import type { MailedBooking } from '#messages/mail.ts'
import { queueMail } from '#messages/server/messages.ts'
import { actingFor, type CausedBy, passesForUpdate, spendCredit } from '#passes/server/passes.ts'
import type { PassRow } from '#passes/tables.ts'
import { onlyRow, type Tx, violates } from '#platform/database/database.ts'
import { timetableRefusals } from '#timetable/contract.ts'
import { hasStarted, isFull } from '#timetable/rules.ts'
import { classForUpdate, holdPlaces } from '#timetable/server/timetable.ts'
import { type ClassRow, classes } from '#timetable/tables.ts'
import type { Booking } from '../contract.ts'
import { bookingRefusals } from '../refusals.ts'
import { cancellationAt, payingPass } from '../rules.ts'
import { type BookingRow, bookings, waitingList } from '../tables.ts'
import { describeClass, toBooking, toMailedBooking } from './queries.ts'
import { endOffer, removeFromWaitingList } from './waiting-queries.ts'

type BookedMember = Pick<User, 'id' | 'firstName' | 'lastName'>
type Notify = (mailed: MailedBooking) => Promise<void>
/** The cancelled booking that a new one replaces: it keeps its calendar entry. */
type Predecessor = Pick<BookingRow, 'calendarUid' | 'calendarSequence'>
/** Who causes the booking and why (for the ledger), what it replaces, and which mail to send. */
type BookingCause = { causedBy: CausedBy; reason?: string; insteadOf?: Predecessor; notify: Notify }

export type BookingRequest = {
  classId: number
  /** The caller if absent. */
  userId?: string | null
  participantCount?: number | null
  usePass?: boolean | null
  /** Admins only: the class may have started, health information may be missing. */
  override?: boolean | null
}

/**
 * Books a place and pays for it with one credit. The class is locked, so of concurrent bookings of the last place one
 * wins. Refusals come in the order of docs/studio-rules.md#booking.
 */
export async function bookClass(
  tx: Tx,
  caller: User & BlockStatus,
  body: BookingRequest,
  now: Temporal.Instant,
): Promise<Booking> {
  const studioClass = (await classForUpdate(tx, body.classId)) ?? refuse(timetableRefusals.class_not_found)
  const member = await findBookedMember(tx, caller, body.userId)
  refuseBlocked(member)
  if ((body.participantCount ?? 1) !== 1) refuse(bookingRefusals.one_participant_only)
  const ifCancelled = cancellationAt(now, { startsAt: studioClass.startsAt, isMoved: false })
  const notify: Notify = (mailed) =>
    queueMail(tx, 'booking-confirmed', { to: recipient(member), class: mailed, ifCancelled })
  const causedBy = actingFor(member.id, caller)
  const isOverride = caller.isAdmin && body.override === true
  const requirements = isOverride ? WALK_IN : SELF_SERVICE
  const usePass = body.usePass ?? true
  const booking = await bookPlace(tx, member, studioClass, { usePass, requirements, causedBy, notify }, now)
  if (member.id !== caller.id) {
    const subject = { kind: 'user' as const, id: member.id }
    const changes = { class: { after: describeClass(studioClass) }, ...(isOverride && { override: { after: true } }) }
    await recordAdminChange(tx, caller, { action: 'booked_for', subject, changes }, now)
  }
  return booking
}

/** Until when a place can be booked, and whether health information is required. */
export type BookingRequirements = { until: 'start' | 'end'; health: boolean }
export const SELF_SERVICE: BookingRequirements = { until: 'start', health: true }
/** For members who are already in the studio. */
const WALK_IN: BookingRequirements = { until: 'end', health: false }

/** The refusal for an admin who books for a member without health information. */
export const memberHealthMissing = {
  ...bookingRefusals.health_information_missing,
  message: 'This member’s health information is missing. Tick “Book anyway” to book without it.',
}

/** Books a place in a (locked) class, or refuses. */
export async function bookPlace(
  tx: Tx,
  member: BookedMember,
  studioClass: ClassRow,
  { usePass, requirements, ...cause }: BookingCause & { usePass: boolean; requirements: BookingRequirements },
  now: Temporal.Instant,
): Promise<Booking> {
  const open = await takeOffer(tx, member.id, studioClass, now)
  const check = await checkPlace(tx, member.id, open, { usePass, requirements, now })
  if ('refusal' in check) {
    const isForMember = cause.causedBy.by === 'admin' && check.refusal === bookingRefusals.health_information_missing
    refuse(isForMember ? memberHealthMissing : check.refusal)
  }
  const { pass, isWaiting } = check
  return await createBooking(tx, member, studioClass, { passId: pass.id, isWaiting, ...cause }, now)
}

/** Opens the place of a (locked) class that is offered to the member, if one is. A refusal rolls this back. */
async function takeOffer(tx: Tx, userId: string, studioClass: ClassRow, now: Temporal.Instant): Promise<ClassRow> {
  if (studioClass.heldPlaces === 0 || !(await endOffer(tx, userId, studioClass.id, now))) return studioClass
  const heldPlaces = studioClass.heldPlaces - 1
  await holdPlaces(tx, [studioClass.id], heldPlaces)
  return { ...studioClass, heldPlaces }
}

/** Whether a member can book a (locked) class: the pass that would pay, or the first refusal in booking's order. */
export async function checkPlace(
  tx: Tx,
  userId: string,
  studioClass: ClassRow,
  { usePass, requirements, now }: { usePass: boolean; requirements: BookingRequirements; now: Temporal.Instant },
): Promise<{ pass: PassRow; isWaiting: boolean } | { refusal: RefusalDefinition }> {
  const [{ isTaken, isWaiting, isHealthComplete }, passes] = await Promise.all([
    readStanding(tx, userId, studioClass.id),
    passesForUpdate(tx, userId),
  ])
  if (isTaken) return { refusal: bookingRefusals.already_booked }
  const last = requirements.until === 'start' ? studioClass.startsAt : studioClass.endsAt
  if (hasStarted(last, now)) return { refusal: bookingRefusals.class_started }
  if (!studioClass.isActive) return { refusal: bookingRefusals.class_inactive }
  if (isFull(studioClass)) return { refusal: bookingRefusals.class_full }
  const paying = payingPass(passes, studioClass.startsAt)
  if ('refusal' in paying) return paying
  // Checked after the passes: a screen that sees no credits sends false, and "no credits" is the helpful refusal then.
  if (!usePass) return { refusal: bookingRefusals.class_pass_required }
  if (requirements.health && !isHealthComplete) return { refusal: bookingRefusals.health_information_missing }
  return { pass: paying.pass, isWaiting }
}

/** What a booking of a (locked) class needs to know of its member, in one statement. */
async function readStanding(tx: Tx, userId: string, classId: number) {
  return await tx
    .select({
      isTaken: sql<boolean>`exists (
        select from ${bookings} where user_id = ${userId} and class_id = ${classId} and status <> 'cancelled')`,
      isWaiting: sql<boolean>`exists (select from ${waitingList} where user_id = ${userId} and class_id = ${classId})`,
      isHealthComplete: hasCompleteHealth(userId),
    })
    .from(classes)
    .where(eq(classes.id, classId))
    .prepare('standing_of_member')
    .execute()
    .then(onlyRow)
}

/**
 * Creates the booking that {@link checkPlace} allowed, its payment and its mail. The member leaves the waiting list,
 * unless the check has found that they are not on it.
 */
export async function createBooking(
  tx: Tx,
  member: BookedMember,
  studioClass: ClassRow,
  {
    passId,
    isWaiting = true,
    causedBy,
    reason,
    insteadOf,
    notify,
  }: BookingCause & { passId: number; isWaiting?: boolean },
  now: Temporal.Instant,
): Promise<Booking> {
  const booking = await insertBooking(tx, {
    userId: member.id,
    classId: studioClass.id,
    passId,
    status: 'confirmed',
    paymentStatus: 'paid',
    totalAmountPence: studioClass.passPricePence,
    bookedAt: now,
    calendarUid: insteadOf?.calendarUid,
    calendarSequence: insteadOf && insteadOf.calendarSequence + 1,
  })
  await Promise.all([
    spendCredit(tx, passId, { bookingId: booking.id, causedBy, reason, now }),
    isWaiting && removeFromWaitingList(tx, member.id, studioClass.id),
    notify(toMailedBooking(booking, studioClass)),
  ])
  return toBooking({ booking, class: studioClass, user: member })
}

async function findBookedMember(tx: Tx, caller: User & BlockStatus, userId: string | null | undefined) {
  if (userId == null || userId === caller.id) return caller
  if (!caller.isAdmin) refuse(bookingRefusals.booking_for_another_member)
  return (await findUser(tx, userId)) ?? refuse(bookingRefusals.user_not_found)
}

async function insertBooking(tx: Tx, values: typeof bookings.$inferInsert): Promise<BookingRow> {
  try {
    // A name for each text: with a calendar entry to continue, the statement has more columns.
    const name = values.calendarUid ? 'insert_moved_booking' : 'insert_booking'
    return await tx.insert(bookings).values(values).returning().prepare(name).execute().then(onlyRow)
  } catch (error) {
    if (violates(error, 'one_confirmed_booking_per_member_and_class')) refuse(bookingRefusals.already_booked)
    if (violates(error, 'a_class_is_never_oversold')) refuse(bookingRefusals.class_full)
    throw error
  }
}
