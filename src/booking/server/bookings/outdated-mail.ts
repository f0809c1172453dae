import { and, eq, isNull } from 'drizzle-orm'
import type { MailJob } from '#messages/mail.ts'
import type { Reader } from '#platform/database/database.ts'
import { classes, closures } from '#timetable/tables.ts'
import { bookings, invitations, undoableCancellations, waitingList } from '../../tables.ts'

type Times = { startsAt: string; endsAt: string }
type Current = { startsAt: Temporal.Instant; endsAt: Temporal.Instant; isOn: boolean }

/**
 * Whether a queued mail is about a booking or class that was cancelled or moved since, or about closed days that are
 * open again. Checked when it is sent, which an outage may delay for hours.
 */
export async function isOutdated(reader: Reader, job: MailJob): Promise<boolean> {
  switch (job.mail) {
    case 'booking-confirmed':
    case 'booking-rescheduled':
    case 'place-from-waiting-list':
    case 'class-moved':
    case 'class-reminder':
      return hasChanged(job.data.class, await currentBooking(reader, job.data.class.bookingId))
    case 'awaited-class-moved':
    case 'place-free':
      return hasChanged(job.data.class, await currentClass(reader, job.data.classId))
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

/** Whether a mail offers or reminds of a class that has started: restored backups may hold such mails. */
export function isPastItsClass({ mail, data }: MailJob, now: Temporal.Instant): boolean {
  const offersOrReminds =
    mail === 'companion-invited' || mail === 'place-free' || mail === 'place-offered' || mail === 'class-reminder'
  return offersOrReminds && Temporal.Instant.compare(Temporal.Instant.from(data.class.startsAt), now) <= 0
}

function hasChanged(mailed: Times, now: Current | undefined): boolean {
  if (!now?.isOn) return true
  return now.startsAt.toString() !== mailed.startsAt || now.endsAt.toString() !== mailed.endsAt
}

async function currentBooking(reader: Reader, id: number): Promise<Current | undefined> {
  const [row] = await reader
    .select({
      startsAt: classes.startsAt,
      endsAt: classes.endsAt,
      status: bookings.status,
      undoable: undoableCancellations.bookingId,
    })
    .from(bookings)
    .innerJoin(classes, eq(classes.id, bookings.classId))
    .leftJoin(undoableCancellations, eq(undoableCancellations.bookingId, bookings.id))
    .where(eq(bookings.id, id))
    .prepare('mailed_booking')
    .execute()
  // A cancellation that can be undone has not been emailed, so mails about the booking are still in order.
  return row && { ...row, isOn: row.status === 'confirmed' || row.undoable !== null }
}

async function currentClass(reader: Reader, id: number): Promise<Current | undefined> {
  const [row] = await reader
    .select({ startsAt: classes.startsAt, endsAt: classes.endsAt, isOn: classes.isActive })
    .from(classes)
    .where(eq(classes.id, id))
  return row
}

async function isStillOffered(reader: Reader, { classId, until }: { classId: number; until: string }) {
  const same = and(eq(waitingList.classId, classId), eq(waitingList.offeredUntil, Temporal.Instant.from(until)))
  return (await reader.$count(waitingList, same)) > 0
}

async function isStillHeld(reader: Reader, { linkId, until }: { linkId: string; until: string }) {
  const same = and(eq(invitations.linkId, linkId), eq(invitations.openUntil, Temporal.Instant.from(until)))
  return (await reader.$count(invitations, and(same, isNull(invitations.answer)))) > 0
}

async function isClosed(reader: Reader, id: number): Promise<boolean> {
  const [row] = await reader.select({ id: closures.id }).from(closures).where(eq(closures.id, id))
  return row !== undefined
}
