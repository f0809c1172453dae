import { createHash } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { User } from '#accounts/contract.ts'
import { type BlockStatus, countInvitation, findByEmail, findUser, refuseBlocked } from '#accounts/server/accounts.ts'
import { recordAdminChange } from '#audit/server/audit.ts'
import { refuse } from '#foundation/refusal.ts'
import { queueMail } from '#messages/server/messages.ts'
import { actingFor, type CausedBy, findPasses, holdCredit, passesForUpdate } from '#passes/server/passes.ts'
import { onlyRow, type Reader, type Tx, violates } from '#platform/database/database.ts'
import { studio } from '#studio.ts'
import { hasStarted, isFull } from '#timetable/rules.ts'
import { classForUpdate } from '#timetable/server/timetable.ts'
import type { ClassRow } from '#timetable/tables.ts'
import type { Booking, CompanionForm } from '../contract.ts'
import { bookingRefusals, companionRefusals } from '../refusals.ts'
import { cancellationAt, canHaveCompanion, canInvite, heldUntil, payingPass } from '../rules.ts'
import { type BookingRow, type CompanionRow, companions, invitationObjections } from '../tables.ts'
import { type BookingRequest, bookClass } from './book-class.ts'
import { cancelPlace, lockBooking } from './cancel-booking.ts'
import { companionForUpdate, findCompanion, heldBy, heldFor, heldIn, selectHeld } from './companion-queries.ts'
import { endHold } from './end-holds.ts'
import { lockPassesForFreedPlaces, offerFreedPlaces } from './offer-freed-place.ts'
import { saveForOwnUndo } from './own-cancellations.ts'
import { bookingWithCompanion, describeClass, findBooking, hasPlace, toClassFacts } from './queries.ts'

type Inviter = Pick<User, 'id' | 'email' | 'firstName' | 'lastName'>
const { companions: limits } = studio.policies

/**
 * Holds the second place of a member's booking for a companion, paid with the member's credit, and invites the
 * companion. With `override` an admin does it at the desk for any member, until the class ends.
 */
export async function addCompanion(
  tx: Tx,
  caller: User & BlockStatus,
  id: number,
  { override, ...companion }: CompanionForm & { override?: boolean | null },
  now: Temporal.Instant,
): Promise<Booking> {
  const isDesk = caller.isAdmin && override === true
  const found =
    (await findBooking(tx, id, caller.isAdmin ? undefined : caller.id)) ?? refuse(bookingRefusals.booking_not_found)
  const { booking, studioClass } = await lockBooking(tx, found)
  const member = (await findUser(tx, booking.userId)) ?? refuse(bookingRefusals.booking_not_found)
  refuseBlocked(member)
  if (!canHaveCompanion(booking.status, isDesk)) refuse(bookingRefusals.booking_not_confirmed)
  await holdPlace(tx, { inviter: member, booking, studioClass, companion, isDesk, caller }, now)
  if (member.id !== caller.id) {
    const subject = { kind: 'booking' as const, id }
    const changes = { class: { after: describeClass(studioClass) } }
    await recordAdminChange(tx, caller, { action: 'companion_added', subject, changes }, now)
  }
  return await bookingWithCompanion(tx, id)
}

/** Books a place, and with `companion` also holds the second one: both or neither. */
export async function bookForTwo(
  tx: Tx,
  caller: User & BlockStatus,
  { companion, ...request }: BookingRequest & { companion?: CompanionForm | null },
  now: Temporal.Instant,
): Promise<Booking> {
  const booking = await bookClass(tx, caller, request, now)
  if (!companion) return booking
  const [inviter, studioClass] = [await findUser(tx, booking.userId), await classForUpdate(tx, booking.classId)]
  if (!inviter || !studioClass) refuse(bookingRefusals.booking_not_found)
  const isDesk = caller.isAdmin && request.override === true
  await holdPlace(tx, { inviter, booking, studioClass, companion, isDesk, caller }, now)
  return await bookingWithCompanion(tx, booking.id)
}

/** Holds a place of a (locked) class for a companion, or refuses. */
export async function holdPlace(
  tx: Tx,
  invited: {
    inviter: Inviter
    booking: Pick<BookingRow, 'id'>
    studioClass: ClassRow
    companion: CompanionForm
    isDesk: boolean
    caller: { id: string }
    /** Of the regular booking that the companion is to come along to. */
    every?: { day: string; startTime: string }
  },
  now: Temporal.Instant,
): Promise<void> {
  const { inviter, booking, studioClass, companion, isDesk } = invited
  if (studioClass.maxParticipants < 2) refuse(companionRefusals.class_not_for_two)
  if (companion.email.toLowerCase() === inviter.email?.toLowerCase()) refuse(companionRefusals.companion_is_self)
  if (hasStarted(isDesk ? studioClass.endsAt : studioClass.startsAt, now)) refuse(bookingRefusals.class_started)
  if (!studioClass.isActive) refuse(bookingRefusals.class_inactive)
  if (!isDesk && !canInvite(now, studioClass.startsAt)) refuse(companionRefusals.too_late_to_invite)
  if (await findCompanion(tx, booking.id)) refuse(companionRefusals.companion_already_added)
  const account = await findByEmail(tx, companion.email)
  const isInvited = (await selectHeld(tx, and(heldIn([studioClass.id]), heldFor(companion.email)))).length > 0
  const isTaken = isInvited || (account !== undefined && (await hasPlace(tx, account.id, studioClass.id)))
  if (isFull(studioClass) || isTaken) refuse(bookingRefusals.class_full)
  if (account?.blockedAt || (await hasObjected(tx, companion.email))) refuse(companionRefusals.invitation_not_possible)
  const passes = await passesForUpdate(tx, inviter.id)
  if (!isDesk && (await selectHeld(tx, heldBy(inviter.id))).length >= limits.held)
    refuse(companionRefusals.too_many_held_places)
  const paying = payingPass(passes, studioClass.startsAt)
  if ('refusal' in paying) refuse(paying.refusal)
  if (!isDesk) await countInvitation(tx, inviter.id, companion.email, now)

  const until = heldUntil(now, studioClass.startsAt)
  const place = await insertPlace(tx, {
    bookingId: booking.id,
    classId: studioClass.id,
    passId: paying.pass.id,
    ...companion,
    state: 'held',
    invitedAt: now,
    // At the desk the owner confirms it before the class ends.
    heldUntil: Temporal.Instant.compare(until, now) > 0 ? until : studioClass.endsAt,
  })
  await holdCredit(tx, paying.pass.id, place.id, { causedBy: actingFor(inviter.id, invited.caller), now })
  await queueMail(tx, 'companion-invited', {
    to: { email: companion.email, firstName: companion.firstName },
    class: toClassFacts(studioClass),
    invitedBy: inviter.firstName,
    until: place.heldUntil.toString(),
    linkId: place.linkId,
    every: invited.every,
  })
}

async function insertPlace(tx: Tx, values: typeof companions.$inferInsert): Promise<CompanionRow> {
  try {
    return await tx.insert(companions).values(values).returning().then(onlyRow)
  } catch (error) {
    if (violates(error, 'one_held_place_per_booking')) refuse(companionRefusals.companion_already_added)
    if (violates(error, 'one_held_place_per_recipient_and_class')) refuse(bookingRefusals.class_full)
    if (violates(error, 'a_class_is_never_oversold')) refuse(bookingRefusals.class_full)
    throw error
  }
}

/** An address as it is kept for those that object to invitations. */
export const hashOfAddress = (email: string) => createHash('sha256').update(email.toLowerCase()).digest()

/** Whether no member may invite this address. */
export async function hasObjected(reader: Reader, email: string): Promise<boolean> {
  return (await reader.$count(invitationObjections, eq(invitationObjections.emailHash, hashOfAddress(email)))) > 0
}

/**
 * Cancels the companion's place of a member's booking. A held place ends immediately and always returns the credit; a
 * booked one follows the 120-minute rule and can be undone for some seconds.
 */
export async function cancelCompanion(tx: Tx, member: User, id: number, now: Temporal.Instant): Promise<Booking> {
  const own = (await findBooking(tx, id, member.id)) ?? refuse(bookingRefusals.booking_not_found)
  const found = (await findCompanion(tx, own.id)) ?? refuse(companionRefusals.companion_not_found)
  const causedBy: CausedBy = { by: 'member' }
  const { studioClass } = await lockBooking(tx, own)
  const place = await companionForUpdate(tx, found.id)
  if (place?.state === 'held') {
    await lockPassesForFreedPlaces(tx, [place.classId])
    await endHold(tx, { place, class: studioClass, member, booking: own }, { why: 'withdrawn', causedBy, now })
    await offerFreedPlaces(tx, [place.classId], now)
  } else {
    const booked = place?.companionBookingId && (await findBooking(tx, place.companionBookingId))
    if (!booked || booked.status === 'cancelled') refuse(companionRefusals.companion_not_found)
    if (cancellationAt(now, { startsAt: studioClass.startsAt, isMoved: false }) === 'too_late')
      refuse(bookingRefusals.too_late_to_cancel)
    const locked = await lockBooking(tx, booked)
    const [passBefore] = await findPasses(tx, [booked.passId])
    const { cancelled, outcome, reason } = await cancelPlace(tx, locked, { causedBy }, now)
    if (passBefore) await saveForOwnUndo(tx, cancelled, { studioClass, passBefore, outcome, reason, isByPayer: true })
  }
  return await bookingWithCompanion(tx, id)
}
