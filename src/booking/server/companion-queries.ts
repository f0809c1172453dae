import { and, asc, eq, inArray, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import { emailChanges, users } from '#accounts/tables.ts'
import { passes } from '#passes/tables.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { classes } from '#timetable/tables.ts'
import type { HeldPlace } from '../contract-companions.ts'
import { bookings, type CompanionRow, companions, studioCancellations, undoableCancellations } from '../tables.ts'
import { toClassFacts } from './queries.ts'

/** A held place with the booking of the member who invited, the class and that member. */
export type Held = Awaited<ReturnType<typeof selectHeld>>[number]

const member = { id: users.id, email: users.email, firstName: users.firstName, lastName: users.lastName }

/** Places that are held for companions, by ascending class. */
export function selectHeld(reader: Reader, condition: SQL | undefined) {
  return reader
    .select({ place: companions, booking: bookings, class: classes, member })
    .from(companions)
    .innerJoin(bookings, eq(bookings.id, companions.bookingId))
    .innerJoin(classes, eq(classes.id, companions.classId))
    .innerJoin(users, eq(users.id, bookings.userId))
    .where(and(eq(companions.state, 'held'), condition))
    .orderBy(asc(companions.classId), asc(companions.id))
}

export const heldFor = (email: string) => eq(sql`lower(${companions.email})`, email.toLowerCase())
/** In SQL: whether a companion's address is the member's, or a former address that the member can still restore. */
export const forAddressesOf = (userId: string) => sql`lower(${companions.email}) in (
  select lower(${users.email}) from ${users} where ${users.id} = ${userId}
  union select lower(${emailChanges.oldEmail}) from ${emailChanges} where ${emailChanges.userId} = ${userId})`
export const heldBy = (userId: string) => eq(bookings.userId, userId)
export const heldIn = (classIds: readonly number[]) => inArray(companions.classId, [...classIds])

/** The held places that must end at `now`: their time is over, or the inviting booking was cancelled for good. */
export async function endingHolds(reader: Reader, now: Temporal.Instant): Promise<Held[]> {
  const isUndoable = sql`exists (select from ${undoableCancellations} where ${undoableCancellations.bookingId} = ${bookings.id})`
  const mayComeBack = sql`exists (select from ${studioCancellations}
    where ${studioCancellations.undoneAt} is null and ${studioCancellations.lost} -> 'bookings' @> to_jsonb(${bookings.id}))`
  return await selectHeld(
    reader,
    or(
      lte(companions.heldUntil, now),
      and(eq(bookings.status, 'cancelled'), sql`not ${isUndoable}`, sql`not ${mayComeBack}`),
    ),
  )
}

/** The companion of a booking whose place is held or booked. */
export async function findCompanion(reader: Reader, bookingId: number): Promise<CompanionRow | undefined> {
  const [row] = await reader
    .select({ companion: companions })
    .from(companions)
    .leftJoin(bookings, eq(bookings.id, companions.companionBookingId))
    .where(and(eq(companions.bookingId, bookingId), or(eq(companions.state, 'held'), ne(bookings.status, 'cancelled'))))
  return row?.companion
}

/** The companions whom a member has invited, for their download; names are null once forgotten. */
export async function companionsOf(reader: Reader, userId: string) {
  const rows = await reader
    .select({ place: companions, class: classes })
    .from(companions)
    .innerJoin(bookings, eq(bookings.id, companions.bookingId))
    .innerJoin(classes, eq(classes.id, companions.classId))
    .where(eq(bookings.userId, userId))
    .orderBy(asc(companions.id))
  return rows.map(({ place, class: studioClass }) => ({
    class: `${studioClass.title}, ${studioClass.date} ${studioClass.startTime}`,
    firstName: place.firstName,
    lastName: place.lastName,
    email: place.email,
    state: place.state,
    invitedAt: place.invitedAt.toString(),
  }))
}

/** Locks a companion's place. */
export async function companionForUpdate(tx: Tx, id: number): Promise<CompanionRow | undefined> {
  const [row] = await tx.select().from(companions).where(eq(companions.id, id)).for('no key update')
  return row
}

/** The companion's place of an emailed link, whatever its state. */
export async function findByLink(reader: Reader, linkId: string): Promise<CompanionRow | undefined> {
  const [row] = await reader.select().from(companions).where(eq(companions.linkId, linkId))
  return row
}

/** The companion's place that a booking came from. */
export async function findInvitationOf(reader: Reader, bookingId: number): Promise<CompanionRow | undefined> {
  const [row] = await reader.select().from(companions).where(eq(companions.companionBookingId, bookingId))
  return row
}

export function toHeldPlace({ place, class: studioClass, member: inviter }: Held): HeldPlace {
  const { id, bookingId, classId, firstName, lastName, email, heldUntil } = place
  const { id: memberId, firstName: first, lastName: last } = inviter
  return {
    id,
    bookingId,
    classId,
    class: toClassFacts(studioClass),
    member: { id: memberId, firstName: first, lastName: last },
    companion: { firstName: firstName ?? '', lastName: lastName ?? '', email: email ?? '' },
    heldUntil: heldUntil.toString(),
  }
}

/** The members who hold or have booked places for companions in these classes. */
export async function payersIn(reader: Reader, classIds: readonly number[]): Promise<string[]> {
  if (classIds.length === 0) return []
  const rows = await reader
    .selectDistinct({ userId: passes.userId })
    .from(companions)
    .innerJoin(passes, eq(passes.id, companions.passId))
    .where(inArray(companions.classId, [...classIds]))
  return rows.map(({ userId }) => userId)
}
