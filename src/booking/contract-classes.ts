import { z } from 'zod'
import { endpoint } from '#foundation/endpoint.ts'
import { DateText, InstantText, PathId, spansAtMost } from '#foundation/fields.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { StudioClass, timetableRefusals } from '#timetable/contract.ts'
import { BookingStatus } from './contract.ts'
import { Participant } from './contract-day.ts'

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
const MAX_DAYS_OF_NOTES = 7
export const listSessions = endpoint('GET /api/admin/sessions', {
  summary:
    'The classes of at most seven days with participants and health notes; reading these is recorded. Without a recent identity check, notes of other days than today and tomorrow are left out; with `withNotes=true` that check is required first',
  query: z
    .object({ from: DateText(), to: DateText(), withNotes: z.literal('true').optional() })
    .refine(spansAtMost(MAX_DAYS_OF_NOTES), { path: ['to'], message: 'Please choose at most seven days' }),
  response: z.array(Session),
  refusals: [commonRefusals.step_up_required],
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
  summary: 'One class, its participants, and what a change to it or to all similar ones would affect',
  params: PathId,
  response: ClassForAdmin,
  refusals: [timetableRefusals.class_not_found],
})

const MAX_DAYS_OF_PEOPLE = 62

/** Participants, and the waiting list in its order. */
export const ClassPeople = z
  .object({
    classId: z.int(),
    booked: z.array(Affected.extend({ bookingId: z.int(), bookedBy: BookedBy })),
    /** `offeredUntil`: a free place is theirs alone until then. */
    waiting: z.array(Affected.extend({ offeredUntil: InstantText.nullable() })),
  })
  .meta({ id: 'ClassPeople' })
export type ClassPeople = z.output<typeof ClassPeople>

export const listClassPeople = endpoint('GET /api/admin/classes/people', {
  summary:
    'Participants and waiting lists of the classes of at most 62 days, without health notes; empty classes are left out',
  query: z.object({ from: DateText(), to: DateText() }).refine(spansAtMost(MAX_DAYS_OF_PEOPLE), {
    path: ['to'],
    message: `Please choose at most ${MAX_DAYS_OF_PEOPLE} days`,
  }),
  response: z.array(ClassPeople),
})
