import { z } from 'zod'
import { STEP_UP_AFTER_MINUTES } from '#accounts/rules.ts'
import { withoutInvisible } from '#foundation/clean-text.ts'
import { endpoint } from '#foundation/endpoint.ts'
import { InstantText, Message, PathId, UserPathId } from '#foundation/fields.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { EmergencyContact, healthRefusals, InstructorNote, SessionNote, Unreadable } from '#health/contract.ts'
import { StudioClass } from '#timetable/contract.ts'
import { BookingStatus, ClassFacts, markAttendance } from './contract.ts'
import { bookingRefusals } from './refusals.ts'

/** What the day's list shows about a member: for a teacher only if the class is today. */
export const Participant = z.object({
  id: z.int(),
  firstName: z.string(),
  lastName: z.string(),
  phone: z.string().nullable(),
  status: BookingStatus,
  /** Null without a questionnaire, and while notes are hidden. */
  notes: z.array(InstructorNote).nullable(),
  /** The note on this session. */
  note: SessionNote.nullable(),
  /** The date of the session before this one; null if this is the first. */
  lastTime: z.iso.date().nullable(),
  /** Its start, which may be still to come. */
  lastStartsAt: InstantText.nullable(),
  /** The latest note on an earlier session. */
  lastNote: SessionNote.pick({ text: true }).extend({ date: z.iso.date() }).nullable(),
})
export type Participant = z.output<typeof Participant>

/** A class as a teacher sees it: without prices. */
export const DaySession = z
  .object({
    class: ClassFacts.extend(StudioClass.pick({ id: true, maxParticipants: true, bookedCount: true }).shape),
    bookings: z.array(Participant),
  })
  .meta({ id: 'DaySession' })
export type DaySession = z.output<typeof DaySession>

export const listDay = endpoint('GET /api/day', {
  who: 'teacher',
  summary:
    'Today’s active classes with participants, health notes and session notes, and tomorrow’s with names only; a teacher who is linked to a name sees their own; reading the notes is recorded',
  response: z.array(DaySession),
})

const teacherRefusals = [
  bookingRefusals.booking_not_found,
  bookingRefusals.not_todays_class,
  bookingRefusals.not_your_class,
  bookingRefusals.booking_cancelled,
] as const

export const markDayAttendance = endpoint('PUT /api/day/bookings/:id/attendance', {
  who: 'teacher',
  summary: 'Record whether a member came; a teacher may do this for today’s classes',
  params: PathId,
  body: markAttendance.body,
  response: z.object({ id: z.int(), status: BookingStatus }),
  refusals: [...teacherRefusals, bookingRefusals.class_not_started],
})

const NOTE_MAXIMUM = 2000
export const SessionNoteForm = z.object({
  text: z
    .string('Please write a note')
    .overwrite(withoutInvisible)
    .trim()
    .max(NOTE_MAXIMUM, `Please use at most ${NOTE_MAXIMUM} characters`),
})
export type SessionNoteForm = z.output<typeof SessionNoteForm>
export const writeSessionNote = endpoint('PUT /api/day/bookings/:id/note', {
  who: 'teacher',
  summary:
    'Write, replace or (with an empty text) delete the note on a member’s session; a teacher may do this for today’s classes, an admin for other days after an identity check',
  params: PathId,
  body: SessionNoteForm.extend({
    /** When the note that is edited was written, null if there was none; without it, conflicts are not checked. */
    ifWrittenAt: z.iso.datetime().nullish(),
  }),
  response: Message,
  refusals: [
    ...teacherRefusals,
    healthRefusals.health_consent_missing,
    commonRefusals.step_up_required,
    commonRefusals.edit_conflict,
  ],
})

/** A note with its session. */
export const PastNote = SessionNote.extend({ bookingId: z.int(), date: z.iso.date(), startTime: z.string() }).meta({
  id: 'PastNote',
})
export type PastNote = z.output<typeof PastNote>

export const getDayHealth = endpoint('GET /api/day/bookings/:id/health', {
  who: 'teacher',
  stepUpAfterMinutes: STEP_UP_AFTER_MINUTES,
  summary:
    'The health notes, the emergency contact and the session notes of a member in one of today’s classes; reading them is recorded',
  params: PathId,
  response: z.object({
    /** Null without a questionnaire. */
    notes: z.array(InstructorNote).nullable(),
    emergencyContact: EmergencyContact.or(Unreadable).nullable(),
    /** Newest first. */
    sessionNotes: z.array(PastNote),
  }),
  refusals: teacherRefusals,
})

export const listSessionNotes = endpoint('GET /api/admin/users/:id/session-notes', {
  stepUpAfterMinutes: STEP_UP_AFTER_MINUTES,
  summary: 'All session notes of a member, newest first; reading them is recorded',
  params: UserPathId,
  response: z.array(PastNote),
  refusals: [bookingRefusals.user_not_found],
})
