import { z } from 'zod'
import { endpoint } from '#foundation/endpoint.ts'
import { DateText, InstantText, Message, PathId, spansAtMost } from '#foundation/fields.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { ApplyToRecurring, ClassEdit, StudioClass, timetableRefusals } from '#timetable/contract.ts'
import { BookingStatus } from './contract.ts'
import { Participant } from './contract-day.ts'
import { bookingRefusals, undoRefusals } from './refusals.ts'

export const UserName = z.object({ id: z.string(), firstName: z.string(), lastName: z.string() })
/** `isByPhone`: has no email address, so the owner calls instead. */
export const Affected = UserName.extend({ isByPhone: z.boolean() })

/** The member who booked the place for a companion. */
export const BookedBy = z.object({ firstName: z.string(), lastName: z.string() }).nullable()

/** A class with its participants and what the instructor should know about each. */
export const Session = z
  .object({
    class: StudioClass,
    /** Notes of other days than today and tomorrow are left out until the admin confirms their identity. */
    areNotesHidden: z.boolean(),
    bookings: z.array(
      /** With those that members have just cancelled and can still bring back. */
      Participant.extend({
        userId: z.string(),
        /** The studio has moved the class since it was booked, so cancelling costs nothing. */
        isMoved: z.boolean(),
        /** The pass that paid was voided or refunded: a booking cannot be moved, and cancelling returns no credit. */
        hasPassEnded: z.boolean(),
        isByPhone: z.boolean(),
        bookedBy: BookedBy,
      }),
    ),
    /** Waiting members to whom a free place is offered, and until when. */
    offers: z.array(z.object({ user: UserName, until: InstantText })),
  })
  .meta({ id: 'Session' })
export type Session = z.output<typeof Session>

/** Health notes are shown for days, not for months. */
const MAX_DAYS = 7
export const listSessions = endpoint('GET /api/admin/sessions', {
  who: 'admin',
  summary:
    'The classes of at most seven days with participants and health notes; reading these is recorded. Without a recent identity check, notes of other days than today and tomorrow are left out; with `withNotes=true` that check is required first',
  query: z
    .object({ from: DateText(), to: DateText(), withNotes: z.literal('true').optional() })
    .refine(spansAtMost(MAX_DAYS), { path: ['to'], message: 'Please choose at most seven days' }),
  response: z.array(Session),
  refusals: [commonRefusals.step_up_required],
})

export const EditClassForm = z.object({
  title: ClassEdit.shape.title.unwrap(),
  description: z.string().max(5000, 'Please use at most 5000 characters'),
  date: ClassEdit.shape.date.unwrap(),
  startTime: ClassEdit.shape.startTime.unwrap(),
  endTime: ClassEdit.shape.endTime.unwrap(),
  maxParticipants: ClassEdit.shape.maxParticipants.unwrap(),
  isActive: z.boolean(),
})
export type EditClassForm = z.output<typeof EditClassForm>

export const editClass = endpoint('PUT /api/classes/:id', {
  who: 'admin',
  summary:
    'Edit a class; with `applyToRecurring` also every class not yet started at the same weekday and times (`later`: only those after it)',
  params: PathId,
  body: ClassEdit,
  response: StudioClass,
  refusals: [
    timetableRefusals.class_not_found,
    timetableRefusals.capacity_below_bookings,
    bookingRefusals.place_offered,
    bookingRefusals.new_time_in_past,
    bookingRefusals.attendance_marked,
    timetableRefusals.studio_closed,
    timetableRefusals.classes_overlap,
    commonRefusals.edit_conflict,
  ],
})

const Touches = z.object({
  classes: z.int(),
  bookings: z.int(),
  credits: z.int(),
  /** People we email if the studio cancels, not counting the waiting list. */
  members: z.int(),
  /** Places on waiting lists. */
  waiting: z.int(),
  /** People who have booked or wait: we email them if the studio moves or cancels the class. */
  people: z.int(),
  /** Those of `people` without an email address, whom the owner calls instead. */
  calls: z.int(),
  mostBooked: z.int(),
})
export const ClassForAdmin = z
  .object({
    class: StudioClass,
    bookings: z.array(
      z.object({
        id: z.int(),
        status: BookingStatus,
        user: UserName,
      }),
    ),
    /** In the order of the waiting list. */
    waiting: z.array(z.object({ position: z.int(), user: UserName, offeredUntil: InstantText.nullable() })),
    /** What a change affects: `one` if `applyToRecurring` is false, `later` if it is `later`, `all` if it is true. */
    touches: z.object({ one: Touches, later: Touches, all: Touches }),
    /** The first date of its series; null if it does not repeat. */
    seriesStart: z.iso.date().nullable(),
  })
  .meta({ id: 'ClassForAdmin' })
export type ClassForAdmin = z.output<typeof ClassForAdmin>

export const getClassForAdmin = endpoint('GET /api/admin/classes/:id', {
  who: 'admin',
  summary: 'One class, its participants, and what a change to it or to all similar ones would affect',
  params: PathId,
  response: ClassForAdmin,
  refusals: [timetableRefusals.class_not_found],
})

/** What the studio has just cancelled and can still undo. */
export const Undoable = z
  .object({
    id: z.int(),
    what: z.enum(['deleted', 'closed']),
    classes: z.int(),
    bookings: z.int(),
    /** From then on it is final, and we email everyone affected. */
    until: InstantText,
    /** For browsers whose clock is wrong. */
    secondsLeft: z.int(),
  })
  .meta({ id: 'Undoable' })
export type Undoable = z.output<typeof Undoable>

export const deleteClass = endpoint('DELETE /api/classes/:id', {
  who: 'admin',
  summary:
    'Delete a class (or all similar ones, or this and the later ones): bookings are cancelled and credits returned at once, members emailed after a minute in which it can be undone',
  params: PathId,
  body: z.object({ applyToRecurring: ApplyToRecurring }),
  response: Message.extend({ undo: Undoable }),
  refusals: [timetableRefusals.class_not_found],
})

export const listUndoable = endpoint('GET /api/admin/cancellations', {
  who: 'admin',
  summary: 'Classes deleted and days closed within the last minute, which can still be undone, latest first',
  response: z.array(Undoable),
})

export const undoCancellation = endpoint('POST /api/admin/cancellations/:id/undo', {
  who: 'admin',
  summary:
    'Bring back deleted classes or closed days with their bookings, credits and waiting lists, before anyone is emailed',
  params: PathId,
  response: Message.extend({
    classes: z.int(),
    bookings: z.int(),
    /** Bookings that stay cancelled, as the credit is spent or the class was changed: we email their members. */
    notBroughtBack: z.int(),
  }),
  refusals: [undoRefusals.undo_expired, undoRefusals.already_undone],
})
