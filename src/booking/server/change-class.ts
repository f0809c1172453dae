import { and, asc, eq, inArray } from 'drizzle-orm'
import { recipient } from '../../accounts/server/accounts.ts'
import { users } from '../../accounts/tables.ts'
import { AUDITED } from '../../audit/contract.ts'
import { differences, recordAdminChanges } from '../../audit/server/audit.ts'
import { refuseIfChanged } from '../../foundation/freshness.ts'
import { endOfDay, londonDate } from '../../foundation/london.ts'
import { refuse } from '../../foundation/refusal.ts'
import { queueMail } from '../../messages/server/messages.ts'
import { returnCredit } from '../../passes/server/passes.ts'
import type { Reader, Tx } from '../../server/database/database.ts'
import { studio } from '../../studio.ts'
import { type ClassEdit, type StudioClass, timetableRefusals } from '../../timetable/contract.ts'
import {
  classesAlikeForUpdate,
  factsOf,
  findClass,
  markClassesDeleted,
  toStudioClass,
  writeEdit,
} from '../../timetable/server/timetable.ts'
import type { ClassRow } from '../../timetable/tables.ts'
import { bookings } from '../tables.ts'
import { markCancelled } from './cancel-booking.ts'
import { lockPassesAround, offerFreedPlace } from './offer-freed-place.ts'
import { toMailedBooking } from './queries.ts'
import { endLines } from './waiting-queries.ts'

/** Edits a class, or all alike that have not started. Taking it off the timetable cancels its bookings for the members. */
export async function editClass(
  tx: Tx,
  admin: { id: string },
  id: number,
  edit: ClassEdit,
  now: Temporal.Instant,
): Promise<StudioClass> {
  const { applyToRecurring, ifUpdatedAt, ...changes } = edit
  const { rows, named } = await lockMeant(tx, id, applyToRecurring, now)
  refuseIfChanged(named.updatedAt, ifUpdatedAt)
  const cancelled = changes.isActive === false ? await cancelForTheStudio(tx, admin, rows, now) : NONE
  const freed = changes.isActive === false ? (await lockMeant(tx, id, applyToRecurring, now)).rows : rows
  const after = await writeEdit(tx, freed, named, changes, now)
  await recordAdminChanges(
    tx,
    admin,
    after.map((row, i) => ({
      action: 'edited',
      subject: { kind: 'class', id: row.id },
      changes: {
        ...differences(AUDITED.class, factsOf(rows[i] as ClassRow), factsOf(row)),
        ...bookingsCancelled(cancelled, row),
      },
    })),
    now,
  )
  const { maxParticipants = 0 } = changes
  const larger = freed.filter((row) => maxParticipants > row.maxParticipants).map((row) => row.id)
  await lockPassesAround(tx, larger)
  for (const classId of larger) await offerFreedPlace(tx, classId, now)
  const edited = (await findClass(tx, id)) ?? refuse(timetableRefusals.class_not_found)
  return toStudioClass(edited)
}

/** Deletes a class, or all alike that have not started; their bookings are cancelled for the members. Returns how many classes. */
export async function deleteClass(
  tx: Tx,
  admin: { id: string },
  id: number,
  options: { applyToRecurring: boolean },
  now: Temporal.Instant,
): Promise<number> {
  const { rows } = await lockMeant(tx, id, options.applyToRecurring, now)
  const cancelled = await cancelForTheStudio(tx, admin, rows, now)
  await markClassesDeleted(
    tx,
    rows.map((row) => row.id),
    now,
  )
  await recordAdminChanges(
    tx,
    admin,
    rows.map((row) => ({
      action: 'deleted',
      subject: { kind: 'class', id: row.id },
      changes: bookingsCancelled(cancelled, row),
    })),
    now,
  )
  return rows.length
}

async function lockMeant(tx: Tx, id: number, recurring: boolean, now: Temporal.Instant) {
  const rows = await classesAlikeForUpdate(tx, id, { recurring, now })
  const named = rows.find((row) => row.id === id) ?? refuse(timetableRefusals.class_not_found)
  return { rows, named }
}

/**
 * The studio cancels: every confirmed booking of the (locked) classes is cancelled, its credit returned to a pass that
 * stays valid at least 14 days, and the member mailed. Classes that are over keep their history. Nobody waits any more.
 *
 * @returns how many bookings of which class
 */
async function cancelForTheStudio(
  tx: Tx,
  admin: { id: string },
  rows: ClassRow[],
  now: Temporal.Instant,
): Promise<Cancelled> {
  await endLines(
    tx,
    rows.map((row) => row.id),
  )
  const days = studio.policies.studioCancellationGraceDays
  const validUntil = endOfDay(londonDate(now).add({ days }))
  const affected = await confirmedAhead(tx, rows, now).for('update', { of: bookings })
  for (const { booking, user } of affected) {
    const takenOff = rows.find((row) => row.id === booking.classId) as ClassRow
    const cancelled = await markCancelled(tx, booking.id, 'credit_returned', now)
    const cause = { causedBy: { by: 'admin', id: admin.id }, reason: 'The studio cancelled the class' } as const
    await returnCredit(tx, booking.passId, { bookingId: booking.id, ...cause, now, validUntil })
    await queueMail(tx, 'class-cancelled', { to: recipient(user), class: toMailedBooking(cancelled, takenOff) })
  }
  return Map.groupBy(affected, ({ booking }) => booking.classId)
}

/** The confirmed bookings of those of the classes that are not over: what a cancellation by the studio is about. */
export function confirmedAhead(reader: Reader, rows: ClassRow[], now: Temporal.Instant) {
  const ahead = rows.filter((row) => Temporal.Instant.compare(row.endsAt, now) > 0)
  const ids = ahead.map((row) => row.id)
  return reader
    .select({ booking: bookings, user: { email: users.email, firstName: users.firstName } })
    .from(bookings)
    .innerJoin(users, eq(users.id, bookings.userId))
    .where(and(eq(bookings.status, 'confirmed'), inArray(bookings.classId, ids)))
    .orderBy(asc(bookings.passId), asc(bookings.id))
}

/** Bookings that the studio cancelled, by class. */
type Cancelled = ReadonlyMap<number, readonly unknown[]>
const NONE: Cancelled = new Map()

function bookingsCancelled(cancelled: Cancelled, { id }: ClassRow) {
  const count = cancelled.get(id)?.length
  return count ? { bookingsCancelled: { after: count } } : {}
}
