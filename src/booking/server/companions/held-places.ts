import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, ne, notExists, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { alertMembers, findByEmail } from '#accounts/server/accounts.ts'
import { CONTACT, emailChanges, users } from '#accounts/tables.ts'
import { pick } from '#foundation/collections.ts'
import { forgetInvited, queueMail, withoutJobs } from '#messages/server/messages.ts'
import type { CausedBy } from '#passes/server/passes.ts'
import { passes } from '#passes/tables.ts'
import { type Database, inOwnTransactions, type Reader, type Tx } from '#platform/database/database.ts'
import { studio } from '#studio.ts'
import { classesForUpdate, classForUpdateEvenDeleted } from '#timetable/server/timetable.ts'
import { type ClassRow, classes } from '#timetable/tables.ts'
import { heldUntilAfterMove, isMovedByStudio } from '../../rules.ts'
import type { EndingName } from '../../rules-places.ts'
import { bookings, invitations, type PlaceRow, regularBookings, undoableCancellations } from '../../tables.ts'
import { endHolds } from '../places/give-up-places.ts'
import { lockedPlaces, lockPassesForFreedPlaces } from '../places/place-locks.ts'
import { hasPassEnded, toClassFacts } from '../places/queries.ts'
import { offerFreedPlaces } from '../waiting/offer-freed-place.ts'

/** A held place with its invitation, its class and the member who invited. */
export type Held = Awaited<ReturnType<typeof selectHeld>>[number]

const member = pick(users, CONTACT)

/** Places that are held for companions, by ascending class. */
export function selectHeld(reader: Reader, condition: SQL | undefined) {
  return reader
    .select({ place: bookings, invitation: invitations, class: classes, member })
    .from(bookings)
    .innerJoin(invitations, eq(invitations.id, bookings.invitationId))
    .innerJoin(classes, eq(classes.id, bookings.classId))
    .innerJoin(users, eq(users.id, bookings.payerId))
    .where(and(eq(bookings.status, 'held'), condition))
    .orderBy(asc(bookings.classId), asc(bookings.id))
}

export const heldFor = (email: string) => eq(sql`lower(${invitations.email})`, email.toLowerCase())
/** In SQL: whether an invitation is to the member's address, or to a former address that they can still restore. */
export const forAddressesOf = (userId: string) => sql`lower(${invitations.email}) in (
  select lower(${users.email}) from ${users} where ${users.id} = ${userId}
  union select lower(${emailChanges.oldEmail}) from ${emailChanges} where ${emailChanges.userId} = ${userId})`
export const heldBy = (userId: string) => eq(bookings.payerId, userId)
export const heldIn = (classIds: readonly number[]) => inArray(bookings.classId, [...classIds])

export function toHeldPlace({ place, invitation, class: studioClass, member: inviter }: Held) {
  const bookingId = place.broughtBy ?? place.id
  return {
    ...place,
    bookingId,
    class: studioClass,
    member: inviter,
    companion: invitation,
    heldUntil: invitation.openUntil,
  }
}

/** The companion's place beside a booking, held or taken. */
export async function findCompanion(reader: Reader, bookingId: number): Promise<PlaceRow | undefined> {
  const isLive = and(eq(bookings.broughtBy, bookingId), ne(bookings.status, 'cancelled'))
  return (await reader.select().from(bookings).where(isLive))[0]
}

/** Companions' places ahead that a member pays for beside a booking that has been moved or cancelled, next first. */
export async function paidPlacesOf(reader: Reader, userId: string, now: Temporal.Instant) {
  const own = alias(bookings, 'own')
  const rows = await reader
    .select({ place: bookings, class: classes, invitation: invitations, bookingId: own.id, hasPassEnded })
    .from(bookings)
    .innerJoin(own, and(eq(own.id, bookings.broughtBy), eq(own.status, 'cancelled')))
    .innerJoin(classes, eq(classes.id, bookings.classId))
    .leftJoin(passes, eq(passes.id, bookings.passId))
    .leftJoin(invitations, eq(invitations.id, bookings.invitationId))
    .where(
      and(eq(bookings.payerId, userId), inArray(bookings.status, ['held', 'confirmed']), gt(classes.startsAt, now)),
    )
    .orderBy(asc(classes.startsAt), asc(bookings.id))
  return rows.map(({ place, class: studioClass, invitation, bookingId, hasPassEnded }) => ({
    ...place,
    bookingId,
    class: studioClass,
    companion: { firstName: invitation?.firstName ?? '' },
    state: place.status === 'held' ? ('held' as const) : ('confirmed' as const),
    heldUntil: place.status === 'held' && invitation ? invitation.openUntil : null,
    isMoved: isMovedByStudio(place),
    hasPassEnded,
  }))
}

/**
 * For a download: whom a member invited, and what other members typed about them to invite them, also under an address
 * that they have changed.
 */
export async function companionsOf(reader: Reader, userId: string) {
  const theirs = reader.select({ id: bookings.invitationId }).from(bookings).where(eq(bookings.userId, userId))
  const everyWeek = reader
    .select({ id: regularBookings.invitationId })
    .from(regularBookings)
    .where(eq(regularBookings.companionUserId, userId))
  const isToThem = or(forAddressesOf(userId), inArray(invitations.id, theirs), inArray(invitations.id, everyWeek))
  const rows = await reader
    .select({ invitation: invitations, class: classes, isTo: sql<boolean>`${isToThem}` })
    .from(invitations)
    .leftJoin(bookings, eq(bookings.invitationId, invitations.id))
    .leftJoin(classes, eq(classes.id, bookings.classId))
    .where(or(eq(invitations.invitedBy, userId), isToThem))
    .orderBy(asc(invitations.id), asc(bookings.id))
  const typed = rows.map(({ invitation, class: studioClass, isTo }) => ({
    isTo: isTo && invitation.invitedBy !== userId,
    line: {
      ...invitation,
      class: studioClass ? `${studioClass.title}, ${studioClass.date} ${studioClass.startTime}` : 'Every week',
      state: invitation.answer ?? ('held' as const),
    },
  }))
  return {
    companions: typed.filter(({ isTo }) => !isTo).map(({ line }) => line),
    invitationsTo: typed.filter(({ isTo }) => isTo).map(({ line }) => line),
  }
}

/** Locks the class of a held place, the passes that are concerned when it ends, and the place. */
export async function lockHeld(tx: Tx, { id, classId }: Pick<PlaceRow, 'id' | 'classId'>): Promise<Held | undefined> {
  await classForUpdateEvenDeleted(tx, classId)
  await lockPassesForFreedPlaces(tx, [classId])
  await lockedPlaces(tx, eq(bookings.id, id))
  return (await selectHeld(tx, eq(bookings.id, id)))[0]
}

/** Ends held places (locked) for one reason, emails both people and offers the places. */
export async function endHeld(
  tx: Tx,
  held: readonly Held[],
  why: EndingName,
  { causedBy, now }: { causedBy: CausedBy; now: Temporal.Instant },
): Promise<void> {
  const ending = held.map(({ place, class: studioClass }) => ({ place, studioClass }))
  await endHolds(tx, ending, why, { causedBy, now })
  await offerFreedPlaces(tx, [...new Set(held.map(({ place }) => place.classId))], now)
}

/** Held places whose time is over, or whose member has no booking any more, as after a restore. */
function dueAt(now: Temporal.Instant) {
  const isOf = (bookingId: SQL) => sql`${bookingId} = ${bookings.broughtBy}`
  const isUndoable = sql`exists (select from ${undoableCancellations} where ${isOf(sql`${undoableCancellations.bookingId}`)})`
  const isGone = sql`exists (select from bookings as own where ${isOf(sql`own.id`)} and own.status = 'cancelled')`
  return or(lte(invitations.openUntil, now), and(isGone, sql`not ${isUndoable}`))
}

/**
 * Ends every held place whose time is over. Running twice does no harm.
 *
 * @param options.isQuiet emails neither of the two, as after a restore; only members who get the place
 */
export async function endDueHolds(database: Database, now: Temporal.Instant, options: { isQuiet?: true } = {}) {
  await inOwnTransactions(database, await selectHeld(database.db, dueAt(now)), async (tx, { place }) => {
    await lockHeld(tx, place)
    const [due] = await selectHeld(tx, and(dueAt(now), eq(bookings.id, place.id)))
    if (!due) return
    const why = Temporal.Instant.compare(due.invitation.openUntil, now) <= 0 ? 'expired' : 'withdrawn'
    const notifying = options.isQuiet ? withoutJobs(tx) : tx
    await endHolds(notifying, [{ place: due.place, studioClass: due.class }], why, { causedBy: { by: 'system' }, now })
    // A member who gets the place is always emailed.
    await offerFreedPlaces(tx, [place.classId], now)
  })
}

/** Alerts members, once, before a place that they hold for a companion ends. Running twice does no harm. */
export async function textEndingHolds(tx: Tx, now: Temporal.Instant): Promise<void> {
  const soon = now.add({ hours: studio.policies.companions.textedHours })
  const ending = await selectHeld(tx, and(gt(invitations.openUntil, now), lte(invitations.openUntil, soon)))
  const alerts = ending.map(({ place, invitation, class: studioClass, member }) => ({
    kind: 'hold_ending' as const,
    userId: member.id,
    placeId: place.id,
    class: toClassFacts(studioClass),
    until: invitation.openUntil.toString(),
  }))
  await alertMembers(tx, alerts, now)
}

/** The studio has moved classes (locked): their held places end at another time, and the companions are emailed. */
export async function moveHolds(
  tx: Tx,
  held: readonly Held[],
  moveOf: (classId: number) => { from: ClassRow; to: ClassRow },
  now: Temporal.Instant,
) {
  for (const { place, invitation, member } of held) {
    const { from, to } = moveOf(place.classId)
    const openUntil = heldUntilAfterMove(invitation.invitedAt, to, now)
    await tx.update(invitations).set({ openUntil }).where(eq(invitations.id, invitation.id))
    await queueMail(tx, 'companion-invited', {
      to: { email: invitation.email, firstName: invitation.firstName },
      class: toClassFacts(to),
      from: toClassFacts(from),
      invitedBy: member.firstName,
      until: openUntil.toString(),
      linkId: invitation.linkId,
    })
  }
}

/** Ends the places that a member holds for companions, as they are blocked. */
export async function endHoldsOf(tx: Tx, userId: string, causedBy: CausedBy, now: Temporal.Instant): Promise<void> {
  const ids = [...new Set((await selectHeld(tx, heldBy(userId))).map(({ place }) => place.classId))]
  await classesForUpdate(tx, ids)
  await lockPassesForFreedPlaces(tx, ids)
  await endHeld(tx, await selectHeld(tx, heldBy(userId)), 'withdrawn', { causedBy, now })
}

/** Ends the places that are held for or by a member who is erased (their classes and passes are locked). */
export async function endHoldsOnErasure(tx: Tx, userId: string, now: Temporal.Instant): Promise<void> {
  const how = { causedBy: { by: 'system' as const }, now }
  await endHeld(tx, await selectHeld(tx, heldBy(userId)), 'withdrawn', how)
  await endHeld(tx, await selectHeld(tx, forAddressesOf(userId)), 'erased', how)
  // Accepted under an address that they changed long ago, too.
  const theirs = tx.select({ id: bookings.invitationId }).from(bookings).where(eq(bookings.userId, userId))
  await tx.delete(invitations).where(or(inArray(invitations.id, theirs), forAddressesOf(userId)))
}

/** Forgets companions: 30 days after their place ended or, once it was taken, after the class. */
export async function forgetCompanions(tx: Tx, now: Temporal.Instant): Promise<void> {
  const before = now.subtract({ hours: 24 * studio.policies.companions.forgottenDays })
  const isRecent = or(
    and(isNotNull(bookings.userId), gt(classes.endsAt, before)),
    and(isNull(bookings.userId), or(isNull(bookings.cancelledAt), gt(bookings.cancelledAt, before))),
  )
  const recent = tx
    .select({ one: sql`1` })
    .from(bookings)
    .innerJoin(classes, eq(classes.id, bookings.classId))
    .where(and(eq(bookings.invitationId, invitations.id), isRecent))
  const forgotten = await tx
    .delete(invitations)
    .where(and(lte(invitations.openUntil, before), notExists(recent)))
    .returning({ email: sql<string>`lower(${invitations.email})` })
  for (const email of new Set(forgotten.map((invitation) => invitation.email))) {
    const isKnown = (await findByEmail(tx, email)) || (await tx.$count(invitations, heldFor(email))) > 0
    if (!isKnown) await forgetInvited(tx, email)
  }
}

/** Whether a place cannot be held any more, as its invitation has run out or its holder was erased. */
export async function endedInvitations(tx: Tx, places: readonly PlaceRow[], now: Temporal.Instant) {
  const ids = places.flatMap(({ invitationId }) => invitationId ?? [])
  const rows = await tx
    .select({ id: invitations.id })
    .from(invitations)
    .where(and(inArray(invitations.id, ids), gt(invitations.openUntil, now), eq(invitations.answer, 'ended')))
  const open = new Set(rows.map(({ id }) => id))
  return ({ invitationId }: PlaceRow) => !open.has(invitationId ?? 0)
}

/** The invitations to places that are held again can be answered again. */
export async function reopenInvitations(tx: Tx, restored: readonly PlaceRow[]): Promise<void> {
  const ids = restored.flatMap(({ userId, invitationId }) => (userId === null && invitationId ? [invitationId] : []))
  if (ids.length > 0) await tx.update(invitations).set({ answer: null }).where(inArray(invitations.id, ids))
}
