import { desc, eq, getColumns, inArray, sql } from 'drizzle-orm'
import { STEP_UP_AFTER_MINUTES } from '#accounts/rules.ts'
import { findUser } from '#accounts/server/accounts.ts'
import { recordAdminChange } from '#audit/server/audit.ts'
import { studioDate } from '#foundation/instants.ts'
import { commonRefusals, refuse } from '#foundation/refusal.ts'
import {
  emergencyContactOf,
  instructorNotesOf,
  recordHealthReads,
  sessionNotesOn,
  writeSessionNote as writeNote,
} from '#health/server/health.ts'
import { sessionNotes } from '#health/tables.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import type { Vault } from '#platform/vault/vault.ts'
import { classesBetween, toStudioClass } from '#timetable/server/timetable.ts'
import { type ClassRow, classes } from '#timetable/tables.ts'
import type { Participant, PastNote } from '../../contract-day.ts'
import { bookingRefusals } from '../../refusals.ts'
import { isNotesDay, isTeachingDay } from '../../rules.ts'
import { type BookingRow, takenPlaces } from '../../tables.ts'
import { findBookingsIn } from '../places/queries.ts'
import { markAttendance } from './mark-attendance.ts'

/** An admin or a teacher. */
type Staff = { id: string; isAdmin: boolean; mustProve(minutes: number): boolean }

type Notes = Pick<Participant, 'notes' | 'note' | 'lastTime' | 'lastStartsAt' | 'lastNote'>

/** Instead of {@link Notes}, where they may not be seen. */
export const NO_NOTES = { notes: null, note: null, lastTime: null, lastStartsAt: null, lastNote: null } as const
type Place = { id: number; userId: string }

/**
 * The notes that the instructor sees next to each name; reading them is recorded.
 *
 * @param options.areOpened records each reading, not only the first of the day
 * @returns a function that gives the notes of a booking
 */
export async function notesFor(
  tx: Tx,
  vault: Vault,
  reader: { id: string },
  places: readonly Place[],
  now: Temporal.Instant,
  options: { areOpened: boolean },
): Promise<(place: Place) => Notes> {
  const flags = await instructorNotesOf(
    tx,
    vault,
    reader,
    { members: places.map(({ userId }) => userId), areOpened: options.areOpened },
    now,
  )
  const before = await sessionsBefore(
    tx,
    places.map(({ id }) => id),
  )
  const noted = places.flatMap(({ id }) => [id, ...(before.get(id)?.noted ? [before.get(id)?.noted?.id ?? id] : [])])
  const written = await sessionNotesOn(tx, vault, noted)
  return ({ id, userId }) => {
    const { last: session = null, noted } = before.get(id) ?? {}
    const last = noted && written.get(noted.id)
    return {
      notes: flags.get(userId) ?? null,
      note: written.get(id) ?? null,
      lastTime: session?.date ?? null,
      lastStartsAt: session && Temporal.Instant.from(session.startsAt).toString(),
      lastNote: noted && last ? { date: noted.date, text: last.text } : null,
    }
  }
}

type Before = { last: { date: string; startsAt: string } | null; noted: { id: number; date: string } | null }

/** For each booking, the member's session before it, perhaps still to come, and the latest earlier one with a note. */
async function sessionsBefore(reader: Reader, bookingIds: readonly number[]): Promise<Map<number, Before>> {
  if (bookingIds.length === 0) return new Map()
  const earlier = sql`from taken_places earlier join classes then_ on then_.id = earlier.class_id
    where earlier.user_id = ${takenPlaces.userId} and then_.starts_at < ${classes.startsAt}`
  const latest = sql`order by then_.starts_at desc limit 1`
  const isNoted = sql`exists (select from session_notes where session_notes.booking_id = earlier.id)`
  const rows = await reader
    .select({
      id: takenPlaces.id,
      last: sql<Before['last']>`(select json_build_object('date', then_.date, 'startsAt', then_.starts_at) ${earlier}
        and earlier.status in ('confirmed', 'completed') ${latest})`,
      noted: sql<Before['noted']>`(select json_build_object('id', earlier.id, 'date', then_.date) ${earlier}
        and ${isNoted} ${latest})`,
    })
    .from(takenPlaces)
    .innerJoin(classes, eq(classes.id, takenPlaces.classId))
    .where(inArray(takenPlaces.id, [...bookingIds]))
  return new Map(rows.map(({ id, ...before }) => [id, before]))
}

type PersonInClass = Awaited<ReturnType<typeof findBookingsIn>>[number]

/** All that a teacher sees of tomorrow's members. */
const seenBefore = ({ id, firstName, lastName, status }: PersonInClass): Participant => {
  return { id, firstName, lastName, status, phone: null, ...NO_NOTES }
}
/** All that a teacher sees of today's members, beside the notes. */
const seenToday = ({ id, firstName, lastName, status, phone }: PersonInClass): Omit<Participant, keyof Notes> => {
  return { id, firstName, lastName, status, phone }
}

/** Whose classes a teacher sees: their own if the account is linked to a name in the settings. Null for all. */
async function teacherOf(reader: Reader, staff: Staff): Promise<string | null> {
  return staff.isAdmin ? null : ((await findUser(reader, staff.id))?.teachesAs ?? null)
}

/**
 * Today's and tomorrow's active classes, for a linked teacher only their own. Notes and phone numbers are of today's
 * members only.
 */
export async function dayFor(tx: Tx, vault: Vault, staff: Staff, now: Temporal.Instant) {
  const today = studioDate(now)
  const days = { from: today.toString(), to: today.add({ days: 1 }).toString() }
  const teacher = await teacherOf(tx, staff)
  const all = await classesBetween(tx, days, { inactiveToo: false })
  const rows = all.filter(({ class: { instructorName } }) => teacher === null || instructorName === teacher)
  const places = await findBookingsIn(
    tx,
    rows.map((row) => row.class.id),
  )
  const todays = new Set(rows.filter((row) => isTeachingDay(row.class.date, now)).map((row) => row.class.id))
  const ofToday = places.filter(({ classId }) => todays.has(classId))
  const notesOf = await notesFor(tx, vault, staff, ofToday, now, { areOpened: true })
  return rows.map((row) => ({
    class: toStudioClass(row),
    bookings: places
      .filter(({ classId }) => classId === row.class.id)
      .map((place) => (todays.has(place.classId) ? { ...seenToday(place), ...notesOf(place) } : seenBefore(place))),
  }))
}

/** Marks attendance for a class of today, or for an admin of any day. */
export async function markDayAttendance(
  tx: Tx,
  staff: Staff,
  id: number,
  status: 'completed' | 'no_show',
  now: Temporal.Instant,
) {
  const { booking } = await bookingForStaff(tx, staff, id, now)
  const marked = await markAttendance(tx, staff, booking.id, status, now)
  return { id, status: marked.status }
}

/**
 * Writes, replaces or (empty) deletes the note on a session; recorded without its text. On a cancelled booking an admin
 * can only correct or delete an existing one.
 */
export async function writeSessionNote(
  tx: Tx,
  vault: Vault,
  staff: Staff,
  { id, ...note }: { id: number; text: string; ifWrittenAt?: string | null },
  now: Temporal.Instant,
): Promise<void> {
  const hasNote = (await tx.$count(sessionNotes, eq(sessionNotes.bookingId, id))) > 0
  const mayBeCancelled = staff.isAdmin && (hasNote || note.text === '')
  const { booking, studioClass } = await bookingForStaff(tx, staff, id, now, { mayBeCancelled })
  if (!isNotesDay(studioClass.date, now) && staff.mustProve(STEP_UP_AFTER_MINUTES))
    refuse(commonRefusals.step_up_required)
  const { hadNote } = await writeNote(tx, vault, staff, { ...note, bookingId: id, userId: booking.userId }, now)
  if (note.text === '' && !hadNote) return
  const action = note.text === '' ? 'session_note_deleted' : 'session_note_written'
  await recordAdminChange(tx, staff, { action, subject: { kind: 'booking', id } }, now)
}

/** What a teacher may know about a member of today's classes; reading it is recorded. */
export async function dayHealthFor(tx: Tx, vault: Vault, staff: Staff, id: number, now: Temporal.Instant) {
  const { userId } = (await bookingForStaff(tx, staff, id, now)).booking
  const flags = await instructorNotesOf(tx, vault, staff, { members: [userId], areOpened: true }, now)
  await recordHealthReads(tx, staff, { members: [userId], what: 'emergency_contact' }, now)
  return {
    notes: flags.get(userId) ?? null,
    emergencyContact: await emergencyContactOf(tx, vault, userId),
    sessionNotes: await sessionNotesOf(tx, vault, userId),
  }
}

/** All session notes of a member for an admin; reading them is recorded. */
export async function listSessionNotes(
  tx: Tx,
  vault: Vault,
  admin: { id: string },
  userId: string,
  now: Temporal.Instant,
): Promise<PastNote[]> {
  if (!(await findUser(tx, userId))) refuse(bookingRefusals.user_not_found)
  await recordHealthReads(tx, admin, { members: [userId], what: 'session_notes' }, now)
  return await sessionNotesOf(tx, vault, userId)
}

/** All session notes of a member, newest first. The caller records the reads. */
export async function sessionNotesOf(reader: Reader, vault: Vault, userId: string): Promise<PastNote[]> {
  const rows = await reader
    .select({ bookingId: takenPlaces.id, date: classes.date, startTime: classes.startTime })
    .from(sessionNotes)
    .innerJoin(takenPlaces, eq(takenPlaces.id, sessionNotes.bookingId))
    .innerJoin(classes, eq(classes.id, takenPlaces.classId))
    .where(eq(sessionNotes.userId, userId))
    .orderBy(desc(classes.startsAt), desc(takenPlaces.id))
  const written = await sessionNotesOn(
    reader,
    vault,
    rows.map(({ bookingId }) => bookingId),
  )
  return rows.flatMap((row) => {
    const note = written.get(row.bookingId)
    return note ? [{ ...row, ...note }] : []
  })
}

/** A booking that is not cancelled, unless it may be; refuses a teacher one of another day, or another teacher's. */
async function bookingForStaff(
  reader: Reader,
  staff: Staff,
  id: number,
  now: Temporal.Instant,
  { mayBeCancelled = false } = {},
): Promise<{ booking: BookingRow; studioClass: ClassRow }> {
  const [found] = await reader
    .select({ booking: getColumns(takenPlaces), studioClass: classes })
    .from(takenPlaces)
    .innerJoin(classes, eq(classes.id, takenPlaces.classId))
    .where(eq(takenPlaces.id, id))
  if (!found) refuse(bookingRefusals.booking_not_found)
  if (!staff.isAdmin && !isTeachingDay(found.studioClass.date, now)) refuse(bookingRefusals.not_todays_class)
  const teacher = await teacherOf(reader, staff)
  if (teacher !== null && found.studioClass.instructorName !== teacher) refuse(bookingRefusals.not_your_class)
  if (found.booking.status === 'cancelled' && !mayBeCancelled) refuse(bookingRefusals.booking_cancelled)
  return found
}
