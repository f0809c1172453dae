import { and, eq, isNull } from 'drizzle-orm'
import type { MailJob } from '#messages/mail.ts'
import type { Alert } from '#messages/rules-alerts.ts'
import type { Reader } from '#platform/database/database.ts'
import { classes, closures } from '#timetable/tables.ts'
import { bookings, invitations, undoableCancellations, waitingList } from '../../tables.ts'

type Times = { startsAt: string; endsAt: string }
type Told = Times & { instructorName: string }
type Current = { startsAt: Temporal.Instant; endsAt: Temporal.Instant; instructorName: string; isOn: boolean }

/**
 * Whether a queued message is about a booking or class that was cancelled, moved or given to another teacher since,
 * about an offer or hold that has ended, or about closed days that are open again. Checked before each channel sends,
 * and before a call is shown.
 */
export async function isOutdated(reader: Reader, message: MailJob | Alert): Promise<boolean> {
  if ('kind' in message) return await isAlertOutdated(reader, message)
  const job = message
  switch (job.mail) {
    case 'booking-confirmed':
    case 'booking-rescheduled':
    case 'place-from-waiting-list':
    case 'class-moved':
    case 'class-reminder':
      return hasOtherFacts(job.data.class, await currentBooking(reader, job.data.class.bookingId))
    case 'awaited-class-moved':
    case 'place-free':
      return hasOtherFacts(job.data.class, await currentClass(reader, job.data.classId))
    case 'companion-invited':
      return !(await isStillHeld(reader, job.data))
    case 'place-offered':
      return !(await isStillOffered(reader, job.data))
    case 'studio-closed':
      return !(await isClosed(reader, job.data.closureId))
    default:
      return false
  }
}

/** A mail without the classes of which it is no longer true; undefined if none is left. */
export async function stillTrue(reader: Reader, job: MailJob): Promise<MailJob | undefined> {
  if (job.mail !== 'teacher-changed') return job
  const current = await Promise.all(job.data.taught.map(({ bookingId }) => currentBooking(reader, bookingId, 'now')))
  const taught = job.data.taught.filter((told, i) => !hasOtherFacts(told, current[i]))
  return taught.length === 0 ? undefined : { ...job, data: { ...job.data, taught } }
}

async function isAlertOutdated(reader: Reader, alert: Alert): Promise<boolean> {
  switch (alert.kind) {
    case 'class_moved':
    case 'class_reminder':
      return hasChanged(alert.class, await currentBooking(reader, alert.class.bookingId, 'now'))
    case 'teacher_changed':
      return hasOtherFacts(alert.class, await currentBooking(reader, alert.class.bookingId, 'now'))
    case 'class_cancelled':
      return (await currentBooking(reader, alert.class.bookingId, 'now'))?.isOn === true
    case 'place_offered':
      return !(await isStillOffered(reader, alert))
    case 'hold_ending':
      return !(await isPlaceHeld(reader, alert))
  }
}

function hasChanged(mailed: Times, now: Current | undefined): boolean {
  if (!now?.isOn) return true
  return now.startsAt.toString() !== mailed.startsAt || now.endsAt.toString() !== mailed.endsAt
}

function hasOtherFacts(told: Told, now: Current | undefined): boolean {
  return hasChanged(told, now) || now?.instructorName !== told.instructorName
}

/** @param when whether a cancellation that can still be undone counts: not for emails, as it has not been emailed. */
async function currentBooking(
  reader: Reader,
  id: number,
  when: 'now' | 'as_emailed' = 'as_emailed',
): Promise<Current | undefined> {
  const [row] = await reader
    .select({
      startsAt: classes.startsAt,
      endsAt: classes.endsAt,
      instructorName: classes.instructorName,
      status: bookings.status,
      undoable: undoableCancellations.bookingId,
    })
    .from(bookings)
    .innerJoin(classes, eq(classes.id, bookings.classId))
    .leftJoin(undoableCancellations, eq(undoableCancellations.bookingId, bookings.id))
    .where(eq(bookings.id, id))
    .prepare('mailed_booking')
    .execute()
  const isUndoable = when === 'as_emailed' && row?.undoable !== null
  return row && { ...row, isOn: row.status === 'confirmed' || isUndoable }
}

async function currentClass(reader: Reader, id: number): Promise<Current | undefined> {
  const [row] = await reader
    .select({
      startsAt: classes.startsAt,
      endsAt: classes.endsAt,
      instructorName: classes.instructorName,
      isOn: classes.isActive,
    })
    .from(classes)
    .where(eq(classes.id, id))
  return row
}

async function isStillOffered(
  reader: Reader,
  { classId, until, userId }: { classId: number; until: string; userId?: string },
) {
  const same = and(
    eq(waitingList.classId, classId),
    eq(waitingList.offeredUntil, Temporal.Instant.from(until)),
    userId === undefined ? undefined : eq(waitingList.userId, userId),
  )
  return (await reader.$count(waitingList, same)) > 0
}

async function isStillHeld(reader: Reader, { linkId, until }: { linkId: string; until: string }) {
  const same = and(eq(invitations.linkId, linkId), eq(invitations.openUntil, Temporal.Instant.from(until)))
  return (await reader.$count(invitations, and(same, isNull(invitations.answer)))) > 0
}

async function isPlaceHeld(reader: Reader, { placeId, until }: { placeId: number; until: string }) {
  const [row] = await reader
    .select({ openUntil: invitations.openUntil })
    .from(bookings)
    .innerJoin(invitations, eq(invitations.id, bookings.invitationId))
    .where(and(eq(bookings.id, placeId), eq(bookings.status, 'held')))
  return row?.openUntil.toString() === until
}

async function isClosed(reader: Reader, id: number): Promise<boolean> {
  const [row] = await reader.select({ id: closures.id }).from(closures).where(eq(closures.id, id))
  return row !== undefined
}
