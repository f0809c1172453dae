import { eq } from 'drizzle-orm'
import type { MailJob } from '#messages/mail.ts'
import type { Reader } from '#platform/database/database.ts'
import { classes, closures } from '#timetable/tables.ts'
import { bookings } from '../tables.ts'

type Told = { startsAt: string; endsAt: string }
type Standing = { startsAt: Temporal.Instant; endsAt: Temporal.Instant; isOn: boolean }

/**
 * Whether a mail that waited in the outbox speaks of a booking or a class that has changed since: it was cancelled, or the
 * studio has moved it; or of closed days that are open again. Asked at the moment of sending, which an outage may put off for hours.
 */
export async function isOvertaken(reader: Reader, job: MailJob): Promise<boolean> {
  switch (job.mail) {
    case 'booking-confirmed':
    case 'booking-rescheduled':
    case 'place-from-waiting-list':
    case 'class-moved':
    case 'class-reminder':
      // Queued by an earlier release, it does not say which: nobody knows of a change.
      if (job.data.class.bookingId === undefined) return false
      return hasChanged(job.data.class, await standingBooking(reader, job.data.class.bookingId))
    case 'awaited-class-moved':
    case 'place-free':
      if (job.data.classId === undefined) return false
      return hasChanged(job.data.class, await standingClass(reader, job.data.classId))
    case 'studio-closed':
      return job.data.closureId !== undefined && !(await isClosed(reader, job.data.closureId))
    default:
      return false
  }
}

/** Whether a mail offers a place in a class, or reminds of one, that has started: a restored backup may hold such mails. */
export function isTooLate({ mail, data }: MailJob, now: Temporal.Instant): boolean {
  const offersOrReminds = mail === 'place-free' || mail === 'class-reminder'
  return offersOrReminds && Temporal.Instant.compare(Temporal.Instant.from(data.class.startsAt), now) <= 0
}

function hasChanged(told: Told, now: Standing | undefined): boolean {
  if (!now?.isOn) return true
  return now.startsAt.toString() !== told.startsAt || now.endsAt.toString() !== told.endsAt
}

async function standingBooking(reader: Reader, id: number): Promise<Standing | undefined> {
  const [row] = await reader
    .select({ startsAt: classes.startsAt, endsAt: classes.endsAt, status: bookings.status })
    .from(bookings)
    .innerJoin(classes, eq(classes.id, bookings.classId))
    .where(eq(bookings.id, id))
  return row && { ...row, isOn: row.status === 'confirmed' }
}

async function standingClass(reader: Reader, id: number): Promise<Standing | undefined> {
  const [row] = await reader
    .select({ startsAt: classes.startsAt, endsAt: classes.endsAt, isOn: classes.isActive })
    .from(classes)
    .where(eq(classes.id, id))
  return row
}

async function isClosed(reader: Reader, id: number): Promise<boolean> {
  const [row] = await reader.select({ id: closures.id }).from(closures).where(eq(closures.id, id))
  return row !== undefined
}
