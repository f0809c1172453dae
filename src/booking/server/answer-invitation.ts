import { eq } from 'drizzle-orm'
import type { User } from '#accounts/contract.ts'
import {
  addMember,
  type BlockStatus,
  findByEmail,
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
import { isPausedOn } from '#passes/rules.ts'
import { type CausedBy, findPasses, releaseCredit } from '#passes/server/passes.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { hasStarted } from '#timetable/rules.ts'
import type { ClassRow } from '#timetable/tables.ts'
import type { Booking } from '../contract.ts'
import type { Invitation } from '../contract-companions.ts'
import { bookingRefusals, companionRefusals } from '../refusals.ts'
import { dayOfWeekday } from '../regular-rules.ts'
import { cancellationAt } from '../rules.ts'
import { type CompanionRow, companions, invitationObjections, regularBookings } from '../tables.ts'
import { createBooking } from './book-class.ts'
import { companionForUpdate, findByLink, type Held, selectHeld } from './companion-queries.ts'
import { endHold, lockHold } from './end-holds.ts'
import { hashOfAddress } from './invite-companion.ts'
import { offerFreedPlaces } from './offer-freed-place.ts'
import { bookingWithCompanion, describeClass, hasPlace, toClassFacts } from './queries.ts'

/** The invitation as the invited person sees it before answering. */
export async function readInvitation(
  reader: Reader,
  linkId: string | undefined,
  now: Temporal.Instant,
): Promise<Invitation> {
  const { place, class: studioClass, member } = await openInvitation(reader, linkId, now)
  const email = place.email ?? ''
  const [regular] = await reader.select().from(regularBookings).where(eq(regularBookings.companionPlaceId, place.id))
  return {
    class: toClassFacts(studioClass),
    invitedBy: { firstName: member.firstName },
    firstName: place.firstName ?? '',
    lastName: place.lastName ?? '',
    email,
    heldUntil: place.heldUntil.toString(),
    hasAccount: (await findByEmail(reader, email)) !== undefined,
    regular: regular ? { day: dayOfWeekday(regular.weekday), startTime: regular.startTime } : null,
  }
}

/** The held place of a link, or why it cannot be answered. */
async function openInvitation(reader: Reader, linkId: string | undefined, now: Temporal.Instant): Promise<Held> {
  const found = (linkId && (await findByLink(reader, linkId))) || refuse(companionRefusals.invitation_not_found)
  return await openHold(reader, found, now)
}

async function openHold(reader: Reader, row: CompanionRow, now: Temporal.Instant): Promise<Held> {
  if (row.state === 'accepted') refuse(companionRefusals.invitation_accepted)
  const [held] = await selectHeld(reader, eq(companions.id, row.id))
  if (!held || Temporal.Instant.compare(row.heldUntil, now) <= 0) refuse(companionRefusals.invitation_ended)
  return held
}

/** Locks everything that answering an invitation touches. */
async function lockInvitation(tx: Tx, found: CompanionRow, now: Temporal.Instant) {
  const { studioClass, row } = await lockHold(tx, found)
  if (!studioClass || !row) refuse(companionRefusals.invitation_not_found)
  return { studioClass, held: await openHold(tx, row, now) }
}

/** Accepts an invitation: the held place becomes the companion's booking, paid by the inviting member's pass. */
export async function acceptInvitation(
  tx: Tx,
  caller: User & BlockStatus,
  linkId: string | undefined,
  now: Temporal.Instant,
): Promise<Booking> {
  const found = (linkId && (await findByLink(tx, linkId))) || refuse(companionRefusals.invitation_not_found)
  const { held, studioClass } = await lockInvitation(tx, found, now)
  if (held.place.email?.toLowerCase() !== caller.email?.toLowerCase())
    refuse(companionRefusals.invitation_for_another_address)
  refuseBlocked(caller)
  if (!(await isHealthComplete(tx, caller.id))) refuse(bookingRefusals.health_information_missing)
  return await bookHeldPlace(tx, held, studioClass, { companion: caller, causedBy: { by: 'system' } }, now)
}

type Companion = Pick<User, 'id' | 'email' | 'firstName' | 'lastName'>

/** Books a (locked) held place for its companion; the credit that held it pays. */
async function bookHeldPlace(
  tx: Tx,
  { place, member }: Held,
  studioClass: ClassRow,
  {
    companion,
    causedBy,
    until = studioClass.startsAt,
  }: { companion: Companion; causedBy: CausedBy; until?: Temporal.Instant },
  now: Temporal.Instant,
): Promise<Booking> {
  if (await hasPlace(tx, companion.id, studioClass.id)) refuse(bookingRefusals.already_booked)
  if (hasStarted(until, now)) refuse(bookingRefusals.class_started)
  if (!studioClass.isActive || studioClass.deletedAt) refuse(bookingRefusals.class_inactive)
  // The studio may have moved the class onto such a day.
  const [pass] = await findPasses(tx, [place.passId])
  if (pass && isPausedOn(pass, studioClass.date)) refuse(companionRefusals.invitation_pass_paused)
  const reason = `For ${companion.firstName}, who has accepted`
  await tx.update(companions).set({ state: 'accepted', endedAt: now }).where(eq(companions.id, place.id))
  await releaseCredit(tx, place.passId, place.id, { causedBy, now, isLost: false })
  const ifCancelled = cancellationAt(now, { startsAt: studioClass.startsAt, isMoved: false })
  const booking = await createBooking(
    tx,
    companion,
    studioClass,
    {
      passId: place.passId,
      causedBy,
      reason,
      notify: (mailed) =>
        queueMail(tx, 'booking-confirmed', {
          to: recipient(companion),
          class: mailed,
          ifCancelled,
          bookedBy: member.firstName,
        }),
    },
    now,
  )
  await tx.update(companions).set({ companionBookingId: booking.id }).where(eq(companions.id, place.id))
  const isRegular = await tx
    .update(regularBookings)
    .set({ companionUserId: companion.id, companionPlaceId: null })
    .where(eq(regularBookings.companionPlaceId, place.id))
    .returning()
  if (isRegular.length > 0) await tx.enqueue('book-for-member', { userId: member.id })
  await queueMail(tx, 'companion-answered', {
    to: recipient(member),
    class: toClassFacts(studioClass),
    companion: place.firstName ?? companion.firstName,
    answer: 'accepted',
  })
  return await bookingWithCompanion(tx, booking.id)
}

/** Declines an invitation; with `never` no member can invite the address again. */
export async function declineInvitation(
  tx: Tx,
  linkId: string | undefined,
  { never }: { never?: boolean | null },
  now: Temporal.Instant,
): Promise<void> {
  const found = (linkId && (await findByLink(tx, linkId))) || refuse(companionRefusals.invitation_not_found)
  const { held } = await lockInvitation(tx, found, now)
  await endHold(tx, held, { why: 'declined', causedBy: { by: 'system' }, now })
  if (never) {
    const objection = { emailHash: hashOfAddress(held.place.email ?? ''), objectedAt: now }
    await tx.insert(invitationObjections).values(objection).onConflictDoNothing()
  }
  await offerFreedPlaces(tx, [held.place.classId], now)
}

/** Signs an invited person up. Their link has proved the address, so no verification is needed. */
export async function signUpInvited(
  tx: Tx,
  linkId: string | undefined,
  account: { firstName: string; lastName: string; passwordHash: string },
  now: Temporal.Instant,
) {
  const { place } = await openInvitation(tx, linkId, now)
  const user = await registerMember(tx, { ...account, email: place.email ?? '' }, { verification: 'off', now })
  await verifyAddress(tx, user.id, now)
  return user
}

/** An admin books a held place for the companion, who gets an account if they have none. */
export async function confirmHeldPlace(
  tx: Tx,
  admin: User,
  id: number,
  { tokenOf, now }: { tokenOf: TokenOf; now: Temporal.Instant },
): Promise<Booking> {
  const found = (await findPlace(tx, id)) ?? refuse(companionRefusals.companion_not_found)
  const { held, studioClass } = await lockInvitation(tx, found, now)
  const { email, firstName, lastName } = held.place
  const names = { email: email ?? '', firstName: firstName ?? '', lastName: lastName ?? '', phone: '' }
  const existing = await findByEmail(tx, names.email)
  const companionId = existing?.id ?? (await addMember(tx, admin, names, { tokenOf, now })).id
  const companion = (await findUser(tx, companionId)) ?? refuse(companionRefusals.companion_not_found)
  refuseBlocked(companion)
  const causedBy = { by: 'admin' as const, id: admin.id }
  const booking = await bookHeldPlace(tx, held, studioClass, { companion, causedBy, until: studioClass.endsAt }, now)
  const changes = { class: { after: describeClass(studioClass) } }
  const subject = { kind: 'booking' as const, id: booking.id }
  await recordAdminChange(tx, admin, { action: 'companion_confirmed', subject, changes }, now)
  return booking
}

/** An admin ends a held place: the credit goes back, and both people are emailed. */
export async function endHeldPlace(tx: Tx, admin: { id: string }, id: number, now: Temporal.Instant): Promise<void> {
  const found = (await findPlace(tx, id)) ?? refuse(companionRefusals.companion_not_found)
  await lockHold(tx, found)
  const row = (await companionForUpdate(tx, id)) ?? refuse(companionRefusals.companion_not_found)
  const [held] = await selectHeld(tx, eq(companions.id, row.id))
  if (!held) refuse(companionRefusals.invitation_ended)
  await endHold(tx, held, { why: 'withdrawn', causedBy: { by: 'admin', id: admin.id }, now })
  await offerFreedPlaces(tx, [row.classId], now)
  const changes = { class: { before: describeClass(held.class) } }
  const subject = { kind: 'booking' as const, id: row.bookingId }
  await recordAdminChange(tx, admin, { action: 'companion_ended', subject, changes }, now)
}

async function findPlace(tx: Tx, id: number): Promise<CompanionRow | undefined> {
  const [row] = await tx.select().from(companions).where(eq(companions.id, id))
  return row
}
