import type { User } from '../../accounts/contract.ts'
import { refuseBlocked, type Standing } from '../../accounts/server/accounts.ts'
import { commonRefusals, refuse } from '../../foundation/refusal.ts'
import { type Tx, violates } from '../../platform/database/database.ts'
import { timetableRefusals } from '../../timetable/contract.ts'
import { hasStarted } from '../../timetable/rules.ts'
import { classForUpdate } from '../../timetable/server/timetable.ts'
import type { ClassRow } from '../../timetable/tables.ts'
import { type WaitingEntry, waitingRefusals } from '../contract-waiting.ts'
import { waitingList } from '../tables.ts'
import { giveFreePlaces, lockPassesAround } from './offer-freed-place.ts'
import { hasPlace } from './queries.ts'
import { confirmPlaceInLine, takeOutOfLine, toWaitingEntry, type Waiting, waitingFor } from './waiting-queries.ts'

type Joined = WaitingEntry & { isBooked: boolean }

/**
 * Puts a member at the end of the line for a full class; who stands in the line of a class that the studio has moved says so
 * that they still want a place. The class stays locked, so that a place freed meanwhile is either seen here or offered to a
 * line this member stands in.
 */
export async function joinWaitingList(
  tx: Tx,
  member: User & Standing,
  classId: number,
  now: Temporal.Instant,
): Promise<Joined> {
  const awaited = (await classForUpdate(tx, classId)) ?? refuse(timetableRefusals.class_not_found)
  refuseBlocked(member)
  if (await hasPlace(tx, member.id, classId)) refuse(waitingRefusals.already_in_class)
  const line = await waitingFor(tx, classId)
  const own = line.find(({ userId }) => userId === member.id)
  if (own && !own.unconfirmedSince) refuse(waitingRefusals.already_waiting)
  if (hasStarted(awaited.startsAt, now)) refuse(waitingRefusals.class_started)
  if (!awaited.isActive) refuse(waitingRefusals.class_inactive)
  if (own) return await confirm(tx, awaited, own, now)
  if (awaited.bookedCount < awaited.maxParticipants) refuse(waitingRefusals.place_free)
  await addToLine(tx, member.id, classId, now)
  const entry = { classId, class: awaited, position: line.length + 1, joinedAt: now, unconfirmedSince: null }
  return { ...toWaitingEntry(entry), isBooked: false }
}

/** The member keeps their place in line; where a place is free, it is given at once. */
async function confirm(tx: Tx, awaited: ClassRow, own: Waiting, now: Temporal.Instant): Promise<Joined> {
  await confirmPlaceInLine(tx, own.userId, awaited.id)
  await lockPassesAround(tx, [awaited.id])
  await giveFreePlaces(tx, awaited, now)
  const entry = toWaitingEntry({ ...own, classId: awaited.id, class: awaited, unconfirmedSince: null })
  return { ...entry, isBooked: await hasPlace(tx, own.userId, awaited.id) }
}

/** Takes a member out of the line; whoever has just been given the place no longer waits. */
export async function leaveWaitingList(tx: Tx, member: User, classId: number): Promise<void> {
  if (!(await classForUpdate(tx, classId))) refuse(timetableRefusals.class_not_found)
  if (!(await takeOutOfLine(tx, member.id, classId))) refuse(waitingRefusals.not_waiting)
}

async function addToLine(tx: Tx, userId: string, classId: number, now: Temporal.Instant): Promise<void> {
  try {
    await tx.insert(waitingList).values({ userId, classId, joinedAt: now })
  } catch (error) {
    if (violates(error, 'one_place_in_line_per_member_and_class')) refuse(waitingRefusals.already_waiting)
    // The account was deleted meanwhile.
    if (violates(error, 'waiting_list_user_id_fkey')) refuse(commonRefusals.unauthorized)
    throw error
  }
}
