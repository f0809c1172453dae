import { and, eq, gt, isNull } from 'drizzle-orm'
import { accountRefusals, type User } from '#accounts/contract.ts'
import { type BlockStatus, findUser, refuseBlocked, toUser } from '#accounts/server/accounts.ts'
import { users } from '#accounts/tables.ts'
import { recordAdminChange } from '#audit/server/audit.ts'
import { commonRefusals, refuse } from '#foundation/refusal.ts'
import { type Reader, type Tx, violates } from '#platform/database/database.ts'
import { timetableRefusals } from '#timetable/contract.ts'
import { hasStarted, isFull } from '#timetable/rules.ts'
import { classForUpdate, reservePlaces } from '#timetable/server/timetable.ts'
import { type ClassRow, classes } from '#timetable/tables.ts'
import { waitingRefusals } from '../../contract-waiting.ts'
import { freedPlaceAt } from '../../rules.ts'
import { waitingList } from '../../tables.ts'
import { leaveDatesOut } from '../places/dates-left-out.ts'
import { lockPassesForFreedPlaces } from '../places/place-locks.ts'
import { describeClass, hasPlace, toClassFacts } from '../places/queries.ts'
import { whySkipped } from '../places/standings.ts'
import { assignFreePlaces, assignPlace, offerToNext, placesKept } from './offer-freed-place.ts'
import {
  confirmWaiting,
  endOffer,
  findWaitingMembers,
  removeFromWaitingList,
  toWaitingEntry,
  type WaitingMember,
} from './waiting-queries.ts'

/**
 * Puts a member on the waiting list of a full class, or confirms their place after the studio has moved the class. The
 * class is locked, so a place freed concurrently is either seen here or offered to this member too.
 */
export async function joinWaitingList(tx: Tx, member: User & BlockStatus, classId: number, now: Temporal.Instant) {
  const awaited = (await classForUpdate(tx, classId)) ?? refuse(timetableRefusals.class_not_found)
  refuseBlocked(member)
  if (await hasPlace(tx, member.id, classId)) refuse(waitingRefusals.already_booked)
  const line = await findWaitingMembers(tx, classId)
  const own = line.find(({ userId }) => userId === member.id)
  if (own && !own.unconfirmedSince) refuse(waitingRefusals.already_on_waiting_list)
  if (hasStarted(awaited.startsAt, now)) refuse(waitingRefusals.class_started)
  if (!awaited.isActive) refuse(waitingRefusals.class_inactive)
  if (own) return await confirm(tx, awaited, own, now)
  if (!isFull(awaited)) refuse(waitingRefusals.class_has_free_place)
  await addEntry(tx, member.id, classId, now)
  const wouldBeSkipped = await whySkipped(
    tx,
    awaited,
    { userId: member.id, email: member.email, regularBookingId: null },
    now,
  )
  const place = {
    classId,
    class: awaited,
    position: line.length + 1,
    joinedAt: now,
    unconfirmedSince: null,
    offeredUntil: null,
  }
  return { ...toWaitingEntry({ ...place, wouldBeSkipped }), isBooked: false }
}

/**
 * Keeps the member's place on the list. A free place is assigned along the list while places are assigned, and after
 * that to this member, as the first to book gets it then.
 */
async function confirm(tx: Tx, awaited: ClassRow, own: WaitingMember, now: Temporal.Instant) {
  await confirmWaiting(tx, own.userId, awaited.id)
  await lockPassesForFreedPlaces(tx, [awaited.id])
  const confirmed = { ...own, unconfirmedSince: null, regularBookingId: null }
  const reason = await whySkipped(tx, awaited, confirmed, now)
  if (freedPlaceAt(now, awaited.startsAt) === 'given') await assignFreePlaces(tx, awaited, now)
  else if (!reason && !isFull(awaited)) await assignPlace(tx, awaited, confirmed, now)
  const isBooked = await hasPlace(tx, own.userId, awaited.id)
  const entry = { ...confirmed, classId: awaited.id, class: awaited, wouldBeSkipped: isBooked ? null : reason }
  return { ...toWaitingEntry(entry), isBooked }
}

/** Takes a member off the list; refused if they have just been given the place. Their offer goes to the next. */
export async function leaveWaitingList(tx: Tx, member: User, classId: number, now: Temporal.Instant): Promise<void> {
  if (!(await classForUpdate(tx, classId))) refuse(timetableRefusals.class_not_found)
  const isOffered = await endOffer(tx, member.id, classId, now)
  if (!(await removeFromWaitingList(tx, member.id, classId))) refuse(waitingRefusals.not_on_waiting_list)
  await leaveDatesOut(tx, [{ userId: member.id, classId }])
  if (isOffered) await offerToNext(tx, classId, now)
}

/** Declines an offered place, which is offered to the next on the list. The member keeps their position. */
export async function declineOffer(tx: Tx, member: User, classId: number, now: Temporal.Instant): Promise<void> {
  if (!(await classForUpdate(tx, classId))) refuse(timetableRefusals.class_not_found)
  if (!(await endOffer(tx, member.id, classId, now))) refuse(waitingRefusals.no_offer)
  await offerToNext(tx, classId, now)
}

/** An admin puts a member on a waiting list, or confirms that they still wait for a moved class. */
export async function joinForMember(
  tx: Tx,
  admin: { id: string },
  { classId, userId }: { classId: number; userId: string },
  now: Temporal.Instant,
) {
  const member = (await findUser(tx, userId)) ?? refuse(accountRefusals.user_not_found)
  const joined = await joinWaitingList(tx, { ...toUser(member), blockedAt: member.blockedAt }, classId, now)
  const changes = { class: { after: describeClass(joined.class) } }
  await recordAdminChange(
    tx,
    admin,
    { action: 'put_on_waiting_list', subject: { kind: 'user', id: userId }, changes },
    now,
  )
  return joined
}

/** Books the place that is kept for, or offered to, a member without an email address. */
export async function confirmPlace(
  tx: Tx,
  admin: { id: string },
  { classId, userId }: { classId: number; userId: string },
  now: Temporal.Instant,
): Promise<void> {
  const awaited = (await classForUpdate(tx, classId)) ?? refuse(timetableRefusals.class_not_found)
  await lockPassesForFreedPlaces(tx, [classId])
  const kept = awaited.isActive && awaited.reservedPlaces > 0 ? await placesKept(tx, awaited, now) : []
  const waiting = kept.find((each) => each.userId === userId) ?? refuse(waitingRefusals.no_place_to_confirm)
  await reservePlaces(tx, [classId], awaited.reservedPlaces - 1)
  const isBooked = await assignPlace(tx, { ...awaited, reservedPlaces: 0 }, waiting, now, admin)
  if (!isBooked) refuse(waitingRefusals.no_place_to_confirm)
  const changes = { class: { after: describeClass(awaited) } }
  await recordAdminChange(tx, admin, { action: 'booked_for', subject: { kind: 'user', id: userId }, changes }, now)
}

/** An admin takes a member off a waiting list. A place that was kept for them is offered to the next. */
export async function leaveForMember(
  tx: Tx,
  admin: { id: string },
  { classId, userId }: { classId: number; userId: string },
  now: Temporal.Instant,
): Promise<void> {
  const awaited = (await classForUpdate(tx, classId)) ?? refuse(timetableRefusals.class_not_found)
  await lockPassesForFreedPlaces(tx, [classId])
  const isKept =
    awaited.reservedPlaces > 0 && (await placesKept(tx, awaited, now)).some((each) => each.userId === userId)
  if (!(await removeFromWaitingList(tx, userId, classId))) refuse(waitingRefusals.not_on_waiting_list)
  await leaveDatesOut(tx, [{ userId, classId }])
  if (isKept) await offerToNext(tx, classId, now)
  const changes = { class: { before: describeClass(awaited) } }
  await recordAdminChange(
    tx,
    admin,
    { action: 'taken_off_waiting_list', subject: { kind: 'user', id: userId }, changes },
    now,
  )
}

/** Places that the owner is to offer on the phone. */
export async function placesToOffer(reader: Reader, now: Temporal.Instant) {
  const awaited = await reader
    .selectDistinct({ class: classes })
    .from(classes)
    .innerJoin(waitingList, eq(waitingList.classId, classes.id))
    .innerJoin(users, eq(users.id, waitingList.userId))
    .where(
      and(gt(classes.reservedPlaces, 0), eq(classes.isActive, true), gt(classes.startsAt, now), isNull(users.email)),
    )
  const places = await Promise.all(
    awaited.map(async ({ class: studioClass }) =>
      (await placesKept(reader, studioClass, now)).map((member) => ({
        member,
        class: toClassFacts(studioClass),
        classId: studioClass.id,
      })),
    ),
  )
  return places.flat()
}

async function addEntry(tx: Tx, userId: string, classId: number, now: Temporal.Instant): Promise<void> {
  try {
    await tx.insert(waitingList).values({ userId, classId, joinedAt: now })
  } catch (error) {
    if (violates(error, 'one_entry_per_member_and_class')) refuse(waitingRefusals.already_on_waiting_list)
    // The account has just been deleted.
    if (violates(error, 'waiting_list_user_id_fkey')) refuse(commonRefusals.unauthorized)
    throw error
  }
}
