import { alertMembers, recipient } from '#accounts/server/accounts.ts'
import { isMovedByStudio } from '#booking/rules.ts'
import { markGiven, selectConfirmedIn, toMailedBooking } from '#booking/server/booking.ts'
import { defined } from '#foundation/collections.ts'
import { queueMails } from '#messages/server/messages.ts'
import type { Tx } from '#platform/database/database.ts'
import { hasStarted } from '#timetable/rules.ts'
import type { ClassRow } from '#timetable/tables.ts'

/** Whom {@link announceTeachers} has emailed: people, and by class. */
type Announced = { people: number; byClass: ReadonlyMap<number, number> }

/**
 * Announces that classes to come (locked, and already written) were given to another teacher. Everyone who has booked
 * is emailed once about all of theirs, and can cancel free of charge until the start while the class is not with the
 * teacher with whom they booked it. An email about a move says it too.
 *
 * @param moved classes whose members were just emailed about a move
 */
export async function announceTeachers(
  tx: Tx,
  before: readonly ClassRow[],
  after: readonly ClassRow[],
  now: Temporal.Instant,
  moved: ReadonlyMap<number, number> = new Map(),
): Promise<Announced> {
  const given = after.flatMap((to) => {
    const from = before.find(({ id }) => id === to.id)
    const isGiven = from && from.instructorName !== to.instructorName && !hasStarted(to.startsAt, now)
    return isGiven ? [{ from, to }] : []
  })
  if (given.length === 0) return { people: 0, byClass: new Map() }
  await markGiven(tx, given)
  const booked = await selectConfirmedIn(
    tx,
    given.map(({ to }) => to.id),
  )
  // A regular booking of tonight is announced in the morning, with the new teacher.
  const affected = booked.filter(({ booking }) => booking.announcedAt !== null && !moved.has(booking.classId))
  const changedAt = now.toString()
  const told = affected.map(({ booking, user, hasPassEnded }) => {
    const { from, to } = defined(given.find((each) => each.to.id === booking.classId))
    const { bookedWith } = booking
    const taught = {
      ...toMailedBooking(booking, to),
      insteadOf: bookedWith ?? from.instructorName,
      isBack: bookedWith === null,
      isMoved: isMovedByStudio(booking),
      hasPassEnded,
    }
    return { user, taught }
  })
  const byMember = [...Map.groupBy(told, ({ user }) => user.id).values()]
  const mails = byMember.flatMap((ofMember) => {
    const [first] = ofMember
    return first ? [{ to: recipient(first.user), taught: ofMember.map(({ taught }) => taught), changedAt }] : []
  })
  await queueMails(tx, 'teacher-changed', mails)
  const alerts = told.map(({ user, taught }) => ({
    kind: 'teacher_changed' as const,
    userId: user.id,
    class: taught,
    changedAt,
  }))
  await alertMembers(tx, alerts, now)
  const classIds = affected.map(({ booking }) => booking.classId)
  const byClass = new Map(classIds.map((id) => [id, classIds.filter((each) => each === id).length]))
  return { people: mails.length, byClass }
}
