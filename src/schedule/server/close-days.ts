import { recordAdminChange, recordAdminChanges } from '#audit/server/audit.ts'
import { bookForRegulars, findPeopleIn, selectCancelledLate, toPerson } from '#booking/server/booking.ts'
import { refuse } from '#foundation/refusal.ts'
import { type Reader, RetryTransaction, type Tx } from '#platform/database/database.ts'
import {
  type ClosedTime,
  classesForUpdate,
  classesToClose,
  closuresIn,
  type Days,
  lockDays,
  recordClosure,
  reopenClosure,
} from '#timetable/server/timetable.ts'
import { type ClosedDays, type ClosureForm, closureRefusals } from '../contract-closures.ts'
import { bookingsCancelled } from './change-class.ts'
import { cancelledClasses, findLosses, saveForUndo, toClosureMails } from './studio-cancellations.ts'
import { takeOffClasses } from './take-off-classes.ts'

type Asked = Days & { fromTime?: string | null | undefined; toTime?: string | null | undefined }
const closedTime = ({ from, to, fromTime, toTime }: Asked): ClosedTime => ({
  from,
  to,
  fromTime: fromTime ?? null,
  toTime: toTime ?? null,
})

/** What closing days or hours would do: classes, people, and the closures that overlap. */
export async function previewClosing(reader: Reader, asked: Asked, now: Temporal.Instant) {
  const time = closedTime(asked)
  const rows = await classesToClose(reader, time, now)
  const active = rows.filter(({ isActive }) => isActive)
  const ids = active.map(({ id }) => id)
  const [people, late, closures] = await Promise.all([
    findPeopleIn(reader, ids, now),
    selectCancelledLate(reader, active, now),
    closuresIn(reader, time),
  ])
  return {
    classes: active.map((studioClass) => ({
      ...studioClass,
      booked: people.get(studioClass.id)?.booked ?? [],
      waiting: people.get(studioClass.id)?.waiting ?? [],
      cancelledLate: late
        .filter(({ booking }) => booking.classId === studioClass.id)
        .map(({ booking, user }) => toPerson({ ...user, userId: booking.userId })),
    })),
    closures: closures.filter((other) => doOverlap(time, other)),
  }
}

/** Whether two closures that share a day share a moment. */
function doOverlap(a: ClosedTime, b: ClosedTime): boolean {
  if (a.fromTime === null || a.toTime === null || b.fromTime === null || b.toTime === null) return true
  return a.fromTime < b.toTime && b.fromTime < a.toTime
}

/**
 * Closes days, or some hours of one: their classes that have not started are cancelled by the studio. Everyone affected
 * gets one email with the reason once it can no longer be undone.
 */
export async function closeDays(
  tx: Tx,
  admin: { id: string },
  form: ClosureForm,
  now: Temporal.Instant,
): Promise<ClosedDays> {
  await lockDays(tx, 'exclusive')
  const { from, to, reason, notify, exceptClassIds } = form
  const time = closedTime(form)
  const except = new Set(exceptClassIds)
  const meant = (await classesToClose(tx, time, now)).map(({ id }) => id).filter((id) => !except.has(id))
  const locked = await classesForUpdate(tx, meant)
  // A class was moved or deleted while we waited for its lock.
  const still = new Set((await classesToClose(tx, time, now)).map(({ id }) => id))
  if (meant.some((id) => !still.has(id))) throw new RetryTransaction('a class is no longer in these days')
  const active = locked.filter(({ isActive }) => isActive)
  const { cancelled, lost } = await takeOffClasses(tx, admin, active, now, {
    reason: `The studio is closed: ${reason}`,
  })
  const closure = await recordClosure(tx, admin, { time, reason, classIds: meant }, now)
  const { fromTime, toTime } = time
  const hours = fromTime !== null && toTime !== null ? { from: fromTime, to: toTime } : undefined
  const closed = { id: closure.id, from, until: to, hours, reason, notify }
  const mails = toClosureMails(await findLosses(tx, lost), closed)
  const off = await classesForUpdate(
    tx,
    active.map(({ id }) => id),
  )
  const undo = await saveForUndo(tx, admin, { classes: cancelledClasses(active, off), lost, closed }, now)
  const done = { classes: active.length, bookingsCancelled: lost.bookings.length, peopleNotified: mails.length }
  await recordAdminChange(
    tx,
    admin,
    {
      action: 'created',
      subject: { kind: 'closure', id: closure.id },
      changes: {
        from: { after: from },
        to: { after: to },
        ...(fromTime && { fromTime: { after: fromTime }, toTime: { after: toTime } }),
        reason: { after: reason },
        classes: { after: done.classes },
        bookingsCancelled: { after: done.bookingsCancelled },
        peopleNotified: { after: done.peopleNotified },
      },
    },
    now,
  )
  await recordAdminChanges(
    tx,
    admin,
    active.map(({ id }) => ({
      action: 'edited',
      subject: { kind: 'class', id },
      changes: {
        isActive: { before: true, after: false },
        ...bookingsCancelled(cancelled, { id }),
      },
    })),
    now,
  )
  return { ...closure, ...done, undo }
}

/** Opens days again. Their classes return without bookings, except those hidden by another closure. */
export async function openDays(
  tx: Tx,
  admin: { id: string },
  id: number,
  now: Temporal.Instant,
): Promise<{ message: string; classes: number }> {
  await lockDays(tx, 'exclusive')
  const { closure, back } = (await reopenClosure(tx, id, now)) ?? refuse(closureRefusals.closure_not_found)
  const { from, to, fromTime, toTime, reason } = closure
  await recordAdminChange(
    tx,
    admin,
    {
      action: 'deleted',
      subject: { kind: 'closure', id },
      changes: {
        from: { before: from },
        to: { before: to },
        ...(fromTime && { fromTime: { before: fromTime }, toTime: { before: toTime } }),
        reason: { before: reason },
        classes: { after: back.length },
      },
    },
    now,
  )
  await recordAdminChanges(
    tx,
    admin,
    back.map((row) => ({
      action: 'edited',
      subject: { kind: 'class', id: row.id },
      changes: { isActive: { before: false, after: true } },
    })),
    now,
  )
  await bookForRegulars(
    tx,
    back.map((row) => row.id),
    now,
  )
  const classes = back.length
  const subject = classes === 1 ? 'One class is' : `${classes} classes are`
  return { message: `The days are open again.${classes === 0 ? '' : ` ${subject} back, without bookings.`}`, classes }
}
