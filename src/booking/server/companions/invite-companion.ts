import { createHash } from 'node:crypto'
import { and, count, eq, gt, min } from 'drizzle-orm'
import type { User } from '#accounts/contract.ts'
import { findByAnyAddress, findUser } from '#accounts/server/accounts.ts'
import { recordAdminChange } from '#audit/server/audit.ts'
import { toPersonName } from '#foundation/person-names.ts'
import { commonRefusals, refuse, refuseUntil } from '#foundation/refusal.ts'
import { queueMail } from '#messages/server/messages.ts'
import { actingFor } from '#passes/server/passes.ts'
import { onlyRow, type Reader, type Tx } from '#platform/database/database.ts'
import { studio } from '#studio.ts'
import { hasStarted, isFull } from '#timetable/rules.ts'
import { classForUpdate } from '#timetable/server/timetable.ts'
import type { ClassRow } from '#timetable/tables.ts'
import type { CompanionForm } from '../../contract.ts'
import { bookingRefusals, companionRefusals } from '../../refusals.ts'
import { canHaveCompanion, canInvite, heldUntil } from '../../rules.ts'
import { WAYS_IN } from '../../rules-places.ts'
import { type InvitationRow, invitationObjections, invitations } from '../../tables.ts'
import { type BookingRequest, bookClass } from '../bookings/book-class.ts'
import { cancelForUndo, lockBooking } from '../bookings/cancel-booking.ts'
import { bookingWithCompanion, describeClass, findBooking, hasPlace, toClassFacts } from '../places/queries.ts'
import { takePlaces } from '../places/take-places.ts'
import { endHeld, findCompanion, heldBy, heldFor, heldIn, lockHeld, selectHeld } from './held-places.ts'

type Inviter = Pick<User, 'id' | 'email' | 'firstName' | 'lastName'>
const { companions: limits } = studio.policies

/**
 * Holds the second place of a member's booking for a companion, paid with the member's credit, and invites the
 * companion. With `override` an admin does it at the desk for any member, until the class ends.
 */
export async function addCompanion(
  tx: Tx,
  caller: User,
  id: number,
  { override, ...companion }: CompanionForm & { override?: boolean | null },
  now: Temporal.Instant,
) {
  const isDesk = caller.isAdmin && override === true
  const found =
    (await findBooking(tx, id, caller.isAdmin ? undefined : caller.id)) ?? refuse(bookingRefusals.booking_not_found)
  const { booking, studioClass } = await lockBooking(tx, found)
  const member = (await findUser(tx, booking.userId)) ?? refuse(bookingRefusals.booking_not_found)
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
  caller: User,
  { companion, ...request }: BookingRequest & { companion?: CompanionForm | null },
  now: Temporal.Instant,
) {
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
    booking: { id: number }
    studioClass: ClassRow
    companion: CompanionForm
    isDesk: boolean
    caller: { id: string }
    /** The regular booking that the companion is to come along to. */
    regular?: { id: number; day: string; startTime: string }
  },
  now: Temporal.Instant,
): Promise<InvitationRow> {
  const { inviter, booking, studioClass, companion, isDesk } = invited
  if (studioClass.maxParticipants < 2) refuse(companionRefusals.class_not_for_two)
  if (companion.email.toLowerCase() === inviter.email?.toLowerCase()) refuse(companionRefusals.companion_is_self)
  if (hasStarted(isDesk ? studioClass.endsAt : studioClass.startsAt, now)) refuse(bookingRefusals.class_started)
  if (!studioClass.isActive) refuse(bookingRefusals.class_inactive)
  if (!isDesk && !canInvite(now, studioClass.startsAt)) refuse(companionRefusals.too_late_to_invite)
  if (await findCompanion(tx, booking.id)) refuse(companionRefusals.companion_already_added)
  const account = await findByAnyAddress(tx, companion.email)
  const isInvited = (await selectHeld(tx, and(heldIn([studioClass.id]), heldFor(companion.email)))).length > 0
  const isTaken = isInvited || (account !== undefined && (await hasPlace(tx, account.id, studioClass.id)))
  if (isFull(studioClass) || isTaken) refuse(bookingRefusals.class_full)
  if (account?.blockedAt || (await hasObjected(tx, companion.email))) refuse(companionRefusals.invitation_not_possible)
  if (!isDesk) await refuseTooMany(tx, inviter, companion.email, now)

  const until = heldUntil(now, studioClass.startsAt)
  // At the desk the owner confirms it before the class ends.
  const openUntil = Temporal.Instant.compare(until, now) > 0 ? until : studioClass.endsAt
  const invitation = await insertInvitation(tx, inviter, companion, { openUntil, now })
  const place = { broughtBy: booking.id, invitationId: invitation.id, regularBookingId: invited.regular?.id ?? null }
  const wish = { studioClass, holder: null, payer: inviter, ...place }
  const way = isDesk ? WAYS_IN.invitation_at_desk : WAYS_IN.invitation
  const held = onlyRow(await takePlaces(tx, [wish], way, { causedBy: actingFor(inviter.id, invited.caller), now }))
  if ('refusal' in held) refuse(held.refusal)
  await emailInvitation(tx, invitation, { inviter, studioClass, every: invited.regular })
  return invitation
}

/** Writes an invitation, of which the companion is not emailed yet. */
export async function insertInvitation(
  tx: Tx,
  inviter: { id: string },
  { firstName, lastName, email }: CompanionForm,
  { openUntil, now }: { openUntil: Temporal.Instant; now: Temporal.Instant },
): Promise<InvitationRow> {
  return await tx
    .insert(invitations)
    .values({
      invitedBy: inviter.id,
      firstName: toPersonName(firstName),
      lastName,
      email,
      invitedAt: now,
      openUntil,
    })
    .returning()
    .then(onlyRow)
}

/** Emails a companion the link of an invitation. @param about.isBooked asks one who has the place for every week */
export async function emailInvitation(
  tx: Tx,
  { email, firstName, openUntil, linkId }: InvitationRow,
  about: {
    inviter: Pick<User, 'firstName'>
    studioClass: ClassRow
    every?: { day: string; startTime: string } | undefined
    isBooked?: true
  },
): Promise<void> {
  await queueMail(tx, 'companion-invited', {
    to: { email, firstName },
    class: toClassFacts(about.studioClass),
    invitedBy: about.inviter.firstName,
    until: openUntil.toString(),
    linkId,
    every: about.every,
    isBooked: about.isBooked,
  })
}

/** Refuses more than 4 held places, and more than 5 invitations an hour by one member or to one address. */
export async function refuseTooMany(tx: Tx, inviter: { id: string }, email: string, now: Temporal.Instant) {
  if ((await selectHeld(tx, heldBy(inviter.id))).length >= limits.held) refuse(companionRefusals.too_many_held_places)
  const since = now.subtract({ hours: 1 })
  for (const about of [eq(invitations.invitedBy, inviter.id), heldFor(email)]) {
    const [made] = await tx
      .select({ count: count(), first: min(invitations.invitedAt) })
      .from(invitations)
      .where(and(about, gt(invitations.invitedAt, since)))
    if (made && made.count >= limits.anHour)
      refuseUntil(commonRefusals.too_many_requests, since.until(made.first ?? now).total('seconds'))
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
export async function cancelCompanion(tx: Tx, member: User, id: number, now: Temporal.Instant) {
  const own = (await findBooking(tx, id, member.id)) ?? refuse(bookingRefusals.booking_not_found)
  const found = (await findCompanion(tx, own.id)) ?? refuse(companionRefusals.companion_not_found)
  const held = await lockHeld(tx, found)
  if (held) await endHeld(tx, [held], 'withdrawn', { causedBy: { by: 'member' }, now })
  else {
    const booked = await findBooking(tx, found.id)
    if (!booked || booked.status === 'cancelled') refuse(companionRefusals.companion_not_found)
    await cancelForUndo(tx, member, await lockBooking(tx, booked), now)
  }
  return await bookingWithCompanion(tx, id)
}
