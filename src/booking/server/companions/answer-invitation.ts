import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { User } from '#accounts/contract.ts'
import {
  addMember,
  type BlockStatus,
  findByAnyAddress,
  findUser,
  recipient,
  refuseBlocked,
  registerMember,
  verifyAddress,
} from '#accounts/server/accounts.ts'
import { recordAdminChange } from '#audit/server/audit.ts'
import { refuse } from '#foundation/refusal.ts'
import { isHealthComplete } from '#health/server/health.ts'
import { queueMail, type TokenOf } from '#messages/server/messages.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { type ClassRow, classes } from '#timetable/tables.ts'
import type { Invitation } from '../../contract-companions.ts'
import { bookingRefusals, companionRefusals } from '../../refusals.ts'
import { cancellationAt } from '../../rules.ts'
import { WAYS_IN, type WayIn } from '../../rules-places.ts'
import { dayOfWeekday } from '../../rules-regular.ts'
import {
  bookings,
  type InvitationRow,
  invitationObjections,
  invitations,
  type PlaceRow,
  type RegularRow,
  regularBookings,
} from '../../tables.ts'
import { payerOf } from '../places/email-places.ts'
import { bookingWithCompanion, describeClass, hasPlace, toClassFacts, toMailedBooking } from '../places/queries.ts'
import { takeHeldPlace } from '../places/take-places.ts'
import { endHeld, forAddressesOf, lockHeld, selectHeld } from './held-places.ts'
import { hashOfAddress } from './invite-companion.ts'

/**
 * An invitation that can be answered: to a held place, to come along every week, or to both. `place` is the one in the
 * first class; the companion may have it already.
 */
type Open = {
  invitation: InvitationRow
  place: PlaceRow
  studioClass: ClassRow
  inviter: Pick<User, 'id' | 'email' | 'firstName' | 'lastName'>
  regular: RegularRow | null
}

/** The invitation as the invited person sees it before answering. */
export async function readInvitation(
  reader: Reader,
  linkId: string | undefined,
  now: Temporal.Instant,
): Promise<Invitation> {
  const { invitation, place, studioClass, inviter, regular } = await openInvitation(reader, linkId, now)
  const { firstName, lastName, email, openUntil } = invitation
  return {
    class: toClassFacts(studioClass),
    invitedBy: { firstName: inviter.firstName },
    firstName,
    lastName,
    email,
    heldUntil: openUntil.toString(),
    isBooked: place.status !== 'held',
    hasAccount: (await findByAnyAddress(reader, email)) !== undefined,
    regular: regular && slotOf(regular),
  }
}

const slotOf = ({ weekday, startTime }: RegularRow) => ({ day: dayOfWeekday(weekday), startTime })

/** The open invitation of a link, or why it cannot be answered. */
async function openInvitation(reader: Reader, linkId: string | undefined, now: Temporal.Instant): Promise<Open> {
  const [found] = linkId ? await reader.select().from(invitations).where(eq(invitations.linkId, linkId)) : []
  return await readOpen(reader, found ?? refuse(companionRefusals.invitation_not_found), now)
}

async function readOpen(reader: Reader, invitation: InvitationRow, now: Temporal.Instant): Promise<Open> {
  if (invitation.answer === 'accepted') refuse(companionRefusals.invitation_accepted)
  const [row] = await reader
    .select({ place: bookings, studioClass: classes })
    .from(bookings)
    .innerJoin(classes, eq(classes.id, bookings.classId))
    .where(and(eq(bookings.invitationId, invitation.id), inArray(bookings.status, ['held', 'confirmed'])))
  const inviter = row && (await payerOf(reader, row.place))
  const isOver = invitation.answer !== null || Temporal.Instant.compare(invitation.openUntil, now) <= 0
  if (!row || !inviter || isOver) refuse(companionRefusals.invitation_ended)
  const [regular = null] = await reader
    .select()
    .from(regularBookings)
    .where(and(eq(regularBookings.invitationId, invitation.id), isNull(regularBookings.companionUserId)))
  return { invitation, ...row, inviter, regular }
}

/** Locks everything that answering an invitation touches. */
async function lockInvitation(tx: Tx, linkId: string | undefined, now: Temporal.Instant): Promise<Open> {
  const { place, invitation } = await openInvitation(tx, linkId, now)
  return await lockAnswer(tx, place, invitation.id, now)
}

async function lockAnswer(tx: Tx, place: PlaceRow, invitationId: number, now: Temporal.Instant): Promise<Open> {
  await lockHeld(tx, place)
  const [invitation] = await tx.select().from(invitations).where(eq(invitations.id, invitationId)).for('update')
  return await readOpen(tx, invitation ?? refuse(companionRefusals.invitation_not_found), now)
}

/**
 * Accepts an invitation: the held place becomes the companion's booking, paid by the inviting member's pass, and the
 * places of a regular booking follow.
 */
export async function acceptInvitation(
  tx: Tx,
  caller: User & BlockStatus,
  linkId: string | undefined,
  now: Temporal.Instant,
) {
  const open = await lockInvitation(tx, linkId, now)
  const isTheirs = and(eq(invitations.id, open.invitation.id), forAddressesOf(caller.id))
  if ((await tx.$count(invitations, isTheirs)) === 0) refuse(companionRefusals.invitation_for_another_address)
  if (open.place.status === 'held') return await bookHeldPlace(tx, open, caller, WAYS_IN.accepted, now)
  refuseBlocked(caller)
  if (!(await isHealthComplete(tx, caller.id))) refuse(bookingRefusals.health_information_missing)
  await accept(tx, open, caller)
  return await bookingWithCompanion(tx, open.place.id)
}

type Companion = Pick<User, 'id' | 'email' | 'firstName' | 'lastName'>

/** Books a (locked) held place for its companion. */
async function bookHeldPlace(tx: Tx, open: Open, companion: Companion, way: WayIn, now: Temporal.Instant) {
  const { place, studioClass, inviter } = open
  const taken = await takeHeldPlace(tx, { place, studioClass, holderId: companion.id }, way, now)
  const ifCancelled = cancellationAt(now, { startsAt: studioClass.startsAt, isMoved: false })
  const mailed = toMailedBooking(taken, studioClass)
  const facts = { to: recipient(companion), class: mailed, ifCancelled, bookedBy: inviter.firstName }
  await queueMail(tx, 'booking-confirmed', facts)
  await accept(tx, open, companion)
  return await bookingWithCompanion(tx, taken.id)
}

/** Closes an accepted invitation and emails the member who invited; a regular booking has its companion from now on. */
async function accept(tx: Tx, { invitation, place, studioClass, inviter, regular }: Open, companion: Companion) {
  await tx.update(invitations).set({ answer: 'accepted' }).where(eq(invitations.id, invitation.id))
  if (regular) {
    await tx.update(regularBookings).set({ companionUserId: companion.id }).where(eq(regularBookings.id, regular.id))
    await tx.enqueue('book-for-companion', { regularId: regular.id })
  }
  await queueMail(tx, 'companion-answered', {
    to: recipient(inviter),
    class: toClassFacts(studioClass),
    companion: invitation.firstName,
    answer: 'accepted',
    every: regular ? slotOf(regular) : undefined,
    isBooked: place.status === 'held' ? undefined : true,
  })
}

/** Declines an invitation; with `never` no member can invite the address again. */
export async function declineInvitation(
  tx: Tx,
  linkId: string | undefined,
  { never }: { never?: boolean | null },
  now: Temporal.Instant,
): Promise<void> {
  const { invitation, place, studioClass, inviter, regular } = await lockInvitation(tx, linkId, now)
  const held = await selectHeld(tx, eq(bookings.id, place.id))
  await endHeld(tx, held, 'declined', { causedBy: { by: 'system' }, now })
  if (held.length === 0) {
    await tx.update(invitations).set({ answer: 'declined' }).where(eq(invitations.id, invitation.id))
    await queueMail(tx, 'companion-answered', {
      to: recipient(inviter),
      class: toClassFacts(studioClass),
      companion: invitation.firstName,
      answer: 'declined',
      every: regular ? slotOf(regular) : undefined,
      isBooked: true,
    })
  }
  if (never) {
    const objection = { emailHash: hashOfAddress(invitation.email), objectedAt: now }
    await tx.insert(invitationObjections).values(objection).onConflictDoNothing()
    await tx.enqueue('update-journal', {})
  }
}

/** Signs an invited person up. Their link has proved the address, so no verification is needed. */
export async function signUpInvited(
  tx: Tx,
  linkId: string | undefined,
  account: { firstName: string; lastName: string; passwordHash: string },
  now: Temporal.Instant,
) {
  const { invitation } = await openInvitation(tx, linkId, now)
  const user = await registerMember(tx, { ...account, email: invitation.email }, { verification: 'off', now })
  await verifyAddress(tx, user.id, now)
  return user
}

/** An admin books a held place for the companion, who gets an account if they have none. */
export async function confirmHeldPlace(
  tx: Tx,
  admin: User,
  id: number,
  { tokenOf, now }: { tokenOf: TokenOf; now: Temporal.Instant },
) {
  const found = await findInvited(tx, id)
  const open = await lockAnswer(tx, found, found.invitationId, now)
  if (open.place.status !== 'held') refuse(companionRefusals.invitation_accepted)
  const { email, firstName, lastName } = open.invitation
  const existing = await findByAnyAddress(tx, email)
  const companionId =
    existing?.id ?? (await addMember(tx, admin, { email, firstName, lastName, phone: '' }, { tokenOf, now })).id
  const companion = (await findUser(tx, companionId)) ?? refuse(companionRefusals.companion_not_found)
  if (await hasPlace(tx, companion.id, open.place.classId)) refuse(bookingRefusals.already_booked)
  const booking = await bookHeldPlace(tx, open, companion, WAYS_IN.accepted_at_desk, now)
  const changes = { class: { after: describeClass(open.studioClass) } }
  const subject = { kind: 'booking' as const, id: booking.id }
  await recordAdminChange(tx, admin, { action: 'companion_confirmed', subject, changes }, now)
  return booking
}

/** An admin ends a held place: the credit goes back, and both people are emailed. */
export async function endHeldPlace(tx: Tx, admin: { id: string }, id: number, now: Temporal.Instant): Promise<void> {
  const held = (await lockHeld(tx, await findInvited(tx, id))) ?? refuse(companionRefusals.invitation_ended)
  await endHeld(tx, [held], 'withdrawn', { causedBy: { by: 'admin', id: admin.id }, now })
  const changes = { class: { before: describeClass(held.class) } }
  const subject = { kind: 'booking' as const, id: held.place.broughtBy ?? id }
  await recordAdminChange(tx, admin, { action: 'companion_ended', subject, changes }, now)
}

/** The place of an invited person, whatever became of it. */
async function findInvited(tx: Tx, id: number): Promise<PlaceRow & { invitationId: number }> {
  const [place] = await tx.select().from(bookings).where(eq(bookings.id, id))
  const { invitationId } = place ?? {}
  if (!place || invitationId == null) refuse(companionRefusals.companion_not_found)
  return { ...place, invitationId }
}
