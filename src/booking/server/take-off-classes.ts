import { and, asc, eq, inArray } from 'drizzle-orm'
import { recipient } from '../../accounts/server/accounts.ts'
import { users } from '../../accounts/tables.ts'
import { defined } from '../../foundation/collections.ts'
import type { MailedBooking, MailedClass, Recipient } from '../../messages/mail.ts'
import { queueMails } from '../../messages/server/messages.ts'
import { returnCredits } from '../../passes/server/passes.ts'
import type { Reader, Tx } from '../../platform/database/database.ts'
import { hasStarted } from '../../timetable/rules.ts'
import type { ClassRow } from '../../timetable/tables.ts'
import { graceUntil } from '../rules.ts'
import { bookings } from '../tables.ts'
import { markCancelled } from './cancel-booking.ts'
import { toClassFacts, toMailedBooking } from './queries.ts'
import { endLines, inLinesOf } from './waiting-queries.ts'

/** Bookings that the studio cancelled, by class. */
export type TakenOff = ReadonlyMap<number, readonly unknown[]>

/** Who loses what: a place in a class, or one in its line. */
export type Losses = {
  booked: { userId: string; to: Recipient; class: MailedBooking }[]
  awaited: { userId: string; to: Recipient; class: MailedClass }[]
}
/** Mails those who lose a place. */
export type Tell = (tx: Tx, losses: Losses) => Promise<void>

/** A mail about each class. */
export const tellOfEach: Tell = async (tx, { booked, awaited }) => {
  await queueMails(
    tx,
    'class-cancelled',
    booked.map(({ to, class: of }) => ({ to, class: of })),
  )
  await queueMails(
    tx,
    'awaited-class-cancelled',
    awaited.map(({ to, class: of }) => ({ to, class: of })),
  )
}

/**
 * The studio cancels: every confirmed booking of the (locked) classes is cancelled, its credit returned to a pass that
 * stays valid at least 14 days, and the member mailed. Who waited is mailed too, and waits no more. Classes that are over
 * keep their history.
 *
 * @param options.reason as the ledger says it
 * @param options.tell other than with a mail about each class
 * @returns the bookings of which class
 */
export async function takeOffClasses(
  tx: Tx,
  admin: { id: string },
  rows: ClassRow[],
  now: Temporal.Instant,
  { reason = 'The studio cancelled the class', tell = tellOfEach }: { reason?: string; tell?: Tell } = {},
): Promise<TakenOff> {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const classOf = (id: number) => defined(byId.get(id))
  const affected = await confirmedAhead(tx, rows, now).for('no key update', { of: bookings })
  const bookingIds = affected.map(({ booking }) => booking.id)
  const cancelled = await markCancelled(tx, bookingIds, 'credit_returned', now)
  const cause = { causedBy: { by: 'admin', id: admin.id }, reason } as const
  await returnCredits(tx, cancelled, { ...cause, now, validUntil: graceUntil(now) })
  const ended = new Map(cancelled.map((booking) => [booking.id, booking]))
  const booked = affected.map(({ booking: { id, userId, classId }, user }) => {
    return { userId, to: recipient(user), class: toMailedBooking(defined(ended.get(id)), classOf(classId)) }
  })
  const ids = rows.map(({ id }) => id)
  const line = await inLinesOf(tx, ids)
  // A class that has begun has no line any more, only rows that the next minute clears.
  const waiting = line.filter(({ classId }) => !hasStarted(classOf(classId).startsAt, now))
  const awaited = waiting.map(({ classId, userId, user }) => {
    return { userId, to: recipient(user), class: toClassFacts(classOf(classId)) }
  })
  await tell(tx, { booked, awaited })
  await endLines(tx, ids)
  return Map.groupBy(affected, ({ booking }) => booking.classId)
}

/** The confirmed bookings of those of the classes that are not over: what a change by the studio is about. */
export function confirmedAhead(reader: Reader, rows: ClassRow[], now: Temporal.Instant) {
  const ahead = rows.filter((row) => Temporal.Instant.compare(row.endsAt, now) > 0)
  return confirmedIn(
    reader,
    ahead.map((row) => row.id),
  )
}

/** The confirmed bookings of these classes and who holds them, in the order in which their passes are locked. */
export function confirmedIn(reader: Reader, classIds: number[]) {
  return reader
    .select({ booking: bookings, user: { email: users.email, firstName: users.firstName } })
    .from(bookings)
    .innerJoin(users, eq(users.id, bookings.userId))
    .where(and(eq(bookings.status, 'confirmed'), inArray(bookings.classId, classIds)))
    .orderBy(asc(bookings.passId), asc(bookings.id))
}
