import { z } from 'zod'
import { endpoint } from '../foundation/endpoint.ts'
import {
  AmountText,
  DateText,
  Id,
  InstantText,
  Message,
  orElse,
  Paging,
  PathId,
  requiredText,
} from '../foundation/fields.ts'
import { commonRefusals, refusals } from '../foundation/refusal.ts'
import { InstructorNote } from '../health/contract.ts'
import { ClassEdit, StudioClass, timetableRefusals } from '../timetable/contract.ts'

/** In the order in which booking checks them (decisions.md, section 2). 409 means "already booked" and only that. */
export const bookingRefusals = refusals({
  member_not_found: [404, 'User not found.'],
  not_yourself: [403, 'You can only book for yourself.'],
  one_participant: [400, 'Each booking is for one participant.'],
  already_booked: [409, 'You already have a confirmed booking for this class. You can only book each class once.'],
  class_started: [400, 'This class has already started or is in the past.'],
  class_inactive: [400, 'This class is not open for booking.'],
  class_full: [400, 'This class is fully booked.'],
  pass_needed: [400, 'You need a class pass to book. Please choose one first.'],
  pass_declined: [400, 'Bookings are paid with a class pass. Please book using your class pass.'],
  pass_empty: [400, 'Your class pass has no credits left. Please buy a new class pass to book.'],
  pass_frozen: [400, 'Your class pass is on hold while a bank looks into its payment. Please contact us.'],
  pass_expires: [
    400,
    'Your class pass expires before this class. Please choose an earlier class or buy a new class pass.',
  ],
  health_missing: [400, 'Please complete your health questionnaire and emergency contact before booking.'],
  booking_not_found: [404, 'Booking not found.'],
  booking_not_confirmed: [400, 'This booking is already cancelled or completed.'],
  too_late_to_move: [400, 'This class starts too soon to be moved. You can still cancel it.'],
  class_already_started: [400, 'This class has already started, so the booking can no longer be cancelled.'],
  class_not_started: [400, 'Attendance can be marked once the class has started.'],
  credit_not_forfeited: [400, 'The credit for this booking was not forfeited, so there is nothing to return.'],
  credit_already_returned: [400, 'The credit for this booking has already been returned.'],
  pass_void: [400, 'The pass that paid was voided, so its credit cannot be given back. You can gift a credit instead.'],
  pass_refunded: [
    400,
    'The pass that paid was refunded, so its credit cannot be given back. You can gift a credit instead.',
  ],
  booking_was_cancelled: [400, 'This booking was cancelled, so there is no attendance to mark.'],
  moves_into_past: [
    400,
    'A class that somebody has booked or waits for cannot move into the past. Please choose a later time, or cancel the class.',
  ],
})

/** In the order in which joining a waiting list checks them (docs/studio-rules.md#waiting-list). */
export const waitingRefusals = refusals({
  already_in_class: [409, 'You already have a confirmed booking for this class, so there is no need to wait.'],
  already_waiting: [409, 'You are already on the waiting list for this class.'],
  class_started: [400, 'This class has already started, so its waiting list is closed.'],
  class_inactive: [400, 'This class is not open for booking, so it has no waiting list.'],
  place_free: [400, 'This class has a free place. You can book it now.'],
  not_waiting: [404, 'You are not on the waiting list for this class.'],
})

export const BookingStatus = z.enum(['confirmed', 'completed', 'cancelled', 'no_show'])
export const PaymentStatus = z.enum(['paid', 'refunded', 'forfeited'])
export type PaymentStatus = z.output<typeof PaymentStatus>

/** What a booking or a place in line says of its class. */
const ClassFacts = z.object({
  title: z.string(),
  date: z.iso.date(),
  startTime: z.string(),
  endTime: z.string(),
  instructorName: z.string(),
  /** The instant the class starts. */
  startsAt: InstantText,
})

export const Booking = z
  .object({
    id: z.int(),
    userId: z.string(),
    classId: z.int(),
    user: z.object({ firstName: z.string(), lastName: z.string() }),
    class: ClassFacts,
    status: BookingStatus,
    paymentStatus: PaymentStatus,
    participantCount: z.int(),
    /** The specification's other name for `participantCount`. */
    participants: z.int(),
    totalAmount: AmountText,
    bookedAt: InstantText,
    cancelledAt: InstantText.nullable(),
    /** Where the class was before the studio last moved it under this booking, which is then cancelled without cost. */
    movedFrom: z.object({ date: z.iso.date(), startTime: z.string(), endTime: z.string() }).nullable(),
  })
  .meta({ id: 'Booking' })
export type Booking = z.output<typeof Booking>

export const bookClass = endpoint({
  who: 'member',
  method: 'POST',
  path: '/api/bookings',
  summary: 'Book a place with a class pass',
  body: z.object({
    classId: Id,
    /** Oneself; an admin may name a member. */
    userId: z.string('Please send a user id').nullish(),
    participantCount: z.number('Each booking is for one participant.').nullish(),
    usePass: z.boolean('Please send true or false').nullish(),
  }),
  reply: Booking,
  status: 201,
  refusals: [
    timetableRefusals.class_not_found,
    bookingRefusals.member_not_found,
    bookingRefusals.not_yourself,
    bookingRefusals.one_participant,
    bookingRefusals.already_booked,
    bookingRefusals.class_started,
    bookingRefusals.class_inactive,
    bookingRefusals.class_full,
    bookingRefusals.pass_needed,
    bookingRefusals.pass_declined,
    bookingRefusals.pass_empty,
    bookingRefusals.pass_expires,
    bookingRefusals.pass_frozen,
    bookingRefusals.health_missing,
  ],
})

export const cancelBooking = endpoint({
  who: 'member',
  method: 'PUT',
  path: '/api/bookings/:id/cancel',
  summary: 'Cancel a confirmed booking; more than 120 minutes before the start the credit goes back',
  params: PathId,
  reply: Booking,
  refusals: [
    bookingRefusals.booking_not_found,
    bookingRefusals.booking_not_confirmed,
    bookingRefusals.class_already_started,
  ],
})

export const rescheduleBooking = endpoint({
  who: 'member',
  method: 'POST',
  path: '/api/bookings/:id/reschedule',
  summary: 'Move a confirmed booking to another class in one step; answers the new booking',
  params: PathId,
  body: z.object({ classId: Id }),
  reply: Booking,
  status: 201,
  refusals: [
    bookingRefusals.booking_not_found,
    timetableRefusals.class_not_found,
    bookingRefusals.booking_not_confirmed,
    bookingRefusals.class_already_started,
    bookingRefusals.too_late_to_move,
    bookingRefusals.already_booked,
    bookingRefusals.class_started,
    bookingRefusals.class_inactive,
    bookingRefusals.class_full,
    bookingRefusals.pass_needed,
    bookingRefusals.pass_empty,
    bookingRefusals.pass_expires,
    bookingRefusals.pass_frozen,
    bookingRefusals.health_missing,
  ],
})

export const WaitingEntry = z
  .object({
    classId: z.int(),
    class: ClassFacts,
    /** Place in line: 1 is next. */
    position: z.int().min(1),
    joinedAt: InstantText,
    /** The studio has moved the class since: no place is given before the member has joined again. */
    needsConfirming: z.boolean(),
  })
  .meta({ id: 'WaitingEntry' })
export type WaitingEntry = z.output<typeof WaitingEntry>

export const joinWaitingList = endpoint({
  who: 'member',
  method: 'POST',
  path: '/api/classes/:id/waitlist',
  summary: 'Wait in line for a place in a full class, or say that one still waits for a class that was moved',
  params: PathId,
  /** `isBooked`: a place was free, and went to the member with their confirmation. */
  reply: WaitingEntry.extend({ isBooked: z.boolean() }),
  status: 201,
  refusals: [
    timetableRefusals.class_not_found,
    waitingRefusals.already_in_class,
    waitingRefusals.already_waiting,
    waitingRefusals.class_started,
    waitingRefusals.class_inactive,
    waitingRefusals.place_free,
  ],
})

export const leaveWaitingList = endpoint({
  who: 'member',
  method: 'DELETE',
  path: '/api/classes/:id/waitlist',
  summary: 'Leave the line for a class',
  params: PathId,
  reply: Message,
  refusals: [timetableRefusals.class_not_found, waitingRefusals.not_waiting],
})

export const listWaiting = endpoint({
  who: 'member',
  method: 'GET',
  path: '/api/user/waitlist',
  summary: 'The classes that have not started for which the member waits, next first, with the place in line',
  reply: z.array(WaitingEntry),
  refusals: [],
})

export const bookingCalendar = endpoint({
  who: 'member',
  method: 'GET',
  path: '/api/bookings/:id/calendar.ics',
  summary: 'A confirmed booking as a file for a calendar',
  params: PathId,
  file: 'text/calendar',
  reply: z.string(),
  refusals: [bookingRefusals.booking_not_found, bookingRefusals.booking_not_confirmed],
})

export const listBookings = endpoint({
  who: 'member',
  method: 'GET',
  path: '/api/user/bookings',
  summary: "The member's bookings, newest class first",
  reply: z.array(Booking),
  refusals: [],
})

export const listUpcomingBookings = endpoint({
  who: 'member',
  method: 'GET',
  path: '/api/user/bookings/upcoming',
  alias: ['/api/bookings/upcoming'],
  summary: "The member's confirmed bookings of classes that have not started, next first",
  reply: z.array(Booking),
  refusals: [],
})

/** Which bookings an admin asks for; `from` and `to` are dates of the class, inclusive. */
const bookingFilter = {
  status: BookingStatus.optional(),
  from: DateText().optional(),
  to: DateText().optional(),
}

export const listAllBookings = endpoint({
  who: 'admin',
  method: 'GET',
  path: '/api/admin/bookings',
  summary: 'All bookings, last booked first; `search` looks into names, email addresses and class titles',
  query: Paging.extend(bookingFilter),
  reply: z.array(Booking),
  refusals: [],
})

export const exportBookings = endpoint({
  who: 'admin',
  method: 'GET',
  path: '/api/admin/bookings.csv',
  summary: 'The same bookings as a file for spreadsheets, all of them',
  query: Paging.pick({ search: true }).extend(bookingFilter),
  file: 'text/csv',
  reply: z.string(),
  refusals: [],
})

/** A class with who comes, and what the instructor must know of each. */
export const Session = z
  .object({
    class: StudioClass,
    bookings: z.array(
      z.object({
        id: z.int(),
        userId: z.string(),
        firstName: z.string(),
        lastName: z.string(),
        status: BookingStatus,
        /** The studio has moved the class under it, so it is cancelled without cost. */
        isMoved: z.boolean(),
        /** Null without a questionnaire: nothing is known, which is not "nothing to know". */
        notes: z.array(InstructorNote).nullable(),
      }),
    ),
  })
  .meta({ id: 'Session' })
export type Session = z.output<typeof Session>

/** Health notes are shown for days, not for months. */
const MOST_DAYS = 7
export const listSessions = endpoint({
  who: 'admin',
  method: 'GET',
  path: '/api/admin/sessions',
  summary: 'The classes of at most seven days with who comes and health notes; reading these is recorded',
  query: z
    .object({ from: DateText(), to: DateText() })
    .refine(({ from, to }) => (Date.parse(to) - Date.parse(from)) / 86_400_000 < MOST_DAYS, {
      path: ['to'],
      message: 'Please ask for at most seven days',
    }),
  reply: z.array(Session),
  refusals: [],
})

export const markAttendance = endpoint({
  who: 'admin',
  method: 'PUT',
  path: '/api/admin/bookings/:id/attendance',
  summary: 'Say whether the member came; from the start of the class on, and as often as it needs correcting',
  params: PathId,
  body: z.object({ status: BookingStatus.extract(['completed', 'no_show'], 'Please choose completed or no_show') }),
  reply: Booking,
  refusals: [
    bookingRefusals.booking_not_found,
    bookingRefusals.booking_was_cancelled,
    bookingRefusals.class_not_started,
  ],
})

export const cancelForMember = endpoint({
  who: 'admin',
  method: 'PUT',
  path: '/api/admin/bookings/:id/cancel',
  summary: "Cancel a member's booking; the credit follows the rules unless `returnCredit` says otherwise",
  params: PathId,
  body: z.object({ returnCredit: z.boolean('Please send true or false').nullish() }),
  reply: Booking,
  refusals: [
    bookingRefusals.booking_not_found,
    bookingRefusals.booking_not_confirmed,
    bookingRefusals.class_already_started,
  ],
})

/** What the dialog that gives a credit back checks. The member reads the reason. */
export const ReturnCreditForm = z.object({ reason: requiredText('Please say why', 500) })
export type ReturnCreditForm = z.output<typeof ReturnCreditForm>

export const returnForfeitedCredit = endpoint({
  who: 'admin',
  method: 'POST',
  path: '/api/admin/bookings/:id/return-credit',
  summary: 'Give back the credit of a booking that was cancelled too late or not come to, once; the member is told why',
  params: PathId,
  body: ReturnCreditForm,
  reply: Booking,
  refusals: [
    bookingRefusals.booking_not_found,
    bookingRefusals.credit_already_returned,
    bookingRefusals.credit_not_forfeited,
    bookingRefusals.pass_void,
    bookingRefusals.pass_refunded,
  ],
})

/** What the edit form of a class checks. */
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

export const editClass = endpoint({
  who: 'admin',
  method: 'PUT',
  path: '/api/classes/:id',
  summary: 'Edit a class, or with `applyToRecurring` every class not yet started at the same weekday and times',
  params: PathId,
  body: ClassEdit,
  reply: StudioClass,
  refusals: [
    timetableRefusals.class_not_found,
    timetableRefusals.below_booked,
    bookingRefusals.moves_into_past,
    commonRefusals.changed_meanwhile,
  ],
})

const NamedUser = z.object({ id: z.string(), firstName: z.string(), lastName: z.string() })
const Touches = z.object({
  classes: z.int(),
  bookings: z.int(),
  credits: z.int(),
  members: z.int(),
  /** Places in line. */
  waiting: z.int(),
  /** People who have booked or wait: so many are told when the studio moves or cancels. */
  people: z.int(),
  mostBooked: z.int(),
})
/** A class as the admin's dialogs show it. */
export const ClassForAdmin = z
  .object({
    class: StudioClass,
    bookings: z.array(
      z.object({
        id: z.int(),
        status: BookingStatus,
        user: NamedUser,
      }),
    ),
    /** Who waits for a place, in this order. */
    waiting: z.array(z.object({ position: z.int(), user: NamedUser })),
    /** What a change touches: `one`, this class only; `all`, with every class alike that has not started. */
    touches: z.object({ one: Touches, all: Touches }),
  })
  .meta({ id: 'ClassForAdmin' })
export type ClassForAdmin = z.output<typeof ClassForAdmin>

export const getClassForAdmin = endpoint({
  who: 'admin',
  method: 'GET',
  path: '/api/admin/classes/:id',
  summary: 'One class, who comes, and what a change of it or of all alike would touch',
  params: PathId,
  reply: ClassForAdmin,
  refusals: [timetableRefusals.class_not_found],
})

export const deleteClass = endpoint({
  who: 'admin',
  method: 'DELETE',
  path: '/api/classes/:id',
  summary: 'Delete a class (or all alike): bookings are cancelled, credits returned, members mailed',
  params: PathId,
  body: z.object({ applyToRecurring: orElse(z.boolean('Please send true or false'), false) }),
  reply: Message,
  refusals: [timetableRefusals.class_not_found],
})
