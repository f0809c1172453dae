import { z } from 'zod'
import { accountRefusals } from '#accounts/contract.ts'
import { endpoint } from '#foundation/endpoint.ts'
import {
  AmountText,
  DateText,
  emailAddress,
  Flag,
  Id,
  InstantText,
  Paging,
  PathId,
  requiredText,
  UserPathId,
} from '#foundation/fields.ts'
import { personName } from '#foundation/person-names.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { StudioClass, timetableRefusals } from '#timetable/contract.ts'
import { bookingRefusals, companionRefusals, undoRefusals } from './refusals.ts'

export const BookingStatus = z.enum(['confirmed', 'completed', 'cancelled', 'no_show'])
export const PaymentStatus = z.enum(['paid', 'refunded', 'forfeited'])
export type PaymentStatus = z.output<typeof PaymentStatus>

export const ClassFacts = StudioClass.pick({
  title: true,
  date: true,
  startTime: true,
  endTime: true,
  startsAt: true,
  endsAt: true,
  instructorName: true,
})

export const Booking = z
  .object({
    id: z.int(),
    userId: z.string(),
    classId: z.int(),
    user: z.object({ firstName: z.string(), lastName: z.string() }),
    class: ClassFacts,
    /** Of the class. */
    maxParticipants: z.int(),
    status: BookingStatus,
    paymentStatus: PaymentStatus,
    participantCount: z.int(),
    /** The same as `participantCount`. Clients use both names. */
    participants: z.int(),
    totalAmount: AmountText,
    bookedAt: InstantText,
    cancelledAt: InstantText.nullable(),
    /** When the class was before the studio last moved it; cancelling then costs nothing. */
    movedFrom: z.object({ date: z.iso.date(), startTime: z.string(), endTime: z.string() }).nullable(),
    /** Who was to teach the class when it was booked, while another teacher does; cancelling then costs nothing. */
    bookedWith: z.string().nullable(),
    /** The pass that paid was voided or refunded: cancelling returns no credit. */
    hasPassEnded: z.boolean(),
    /** The second place that the member booked, under the name they gave. `heldUntil`: only while it is held. */
    companion: z
      .object({ firstName: z.string(), state: z.enum(['held', 'confirmed']), heldUntil: InstantText.nullable() })
      .nullable(),
    /** The member who booked this place for a companion. */
    bookedBy: z.object({ firstName: z.string() }).nullable(),
    /** The class has a free place, for a companion. */
    hasFreePlace: z.boolean(),
    /** The timetable has a class at this time in one of the next three weeks too, so it can be booked every week. */
    isWeekly: z.boolean(),
  })
  .meta({ id: 'Booking' })
export type Booking = z.output<typeof Booking>

/** Why no pass pays for a place. */
export const noPass = [
  bookingRefusals.no_class_pass,
  bookingRefusals.no_credits,
  bookingRefusals.pass_expires_before_class,
  bookingRefusals.pass_on_hold,
  bookingRefusals.pass_paused,
]
const noPlaceInClass = [
  bookingRefusals.class_started,
  bookingRefusals.class_inactive,
  bookingRefusals.class_full,
  ...noPass,
]

/** Why a class cannot be booked or moved to. */
const noPlace = [
  timetableRefusals.class_not_found,
  bookingRefusals.already_booked,
  ...noPlaceInClass,
  bookingRefusals.health_information_missing,
]

/** Why a place cannot be held for a companion. */
export const companionPlace = [
  companionRefusals.class_not_for_two,
  companionRefusals.companion_is_self,
  companionRefusals.too_late_to_invite,
  companionRefusals.companion_already_added,
  companionRefusals.invitation_not_possible,
  companionRefusals.too_many_held_places,
  commonRefusals.too_many_requests,
  ...noPlaceInClass,
]

export const CompanionForm = z.object({
  firstName: personName('First name is required'),
  lastName: personName('Last name is required'),
  email: emailAddress('Invalid email address'),
})
export type CompanionForm = z.output<typeof CompanionForm>

/**
 * Ask to start these purchases within their cancellation period. One is ignored unless its pass pays for a place, the
 * companion’s too.
 */
export const BeginRequest = z.object({ purchaseId: Id, otherPurchaseId: Id.nullish() })
export type BeginRequest = z.output<typeof BeginRequest>

export const bookClass = endpoint('POST /api/bookings', {
  who: 'member',
  summary: 'Book a place with a class pass',
  body: z.object({
    classId: Id,
    /** The caller, unless an admin names a member. */
    userId: z.string('Enter the member’s id').nullish(),
    participantCount: z.number('Each booking is for one participant.').nullish(),
    usePass: Flag.nullish(),
    /** Admins only: book a class that has started but not ended, or without health information. */
    override: Flag.nullish(),
    beginRequest: BeginRequest.nullish(),
    /** Also hold the second place for a companion, or book nothing. */
    companion: CompanionForm.nullish(),
  }),
  response: Booking,
  status: 201,
  refusals: [
    bookingRefusals.user_not_found,
    bookingRefusals.booking_for_another_member,
    accountRefusals.account_blocked,
    bookingRefusals.one_participant_only,
    bookingRefusals.class_pass_required,
    ...new Set([...noPlace, ...companionPlace]),
  ],
})

export const cancelBooking = endpoint('PUT /api/bookings/:id/cancel', {
  who: 'member',
  summary: 'Cancel a confirmed booking; more than 120 minutes before the start the credit goes back',
  params: PathId,
  response: Booking,
  refusals: [
    bookingRefusals.booking_not_found,
    bookingRefusals.booking_not_confirmed,
    bookingRefusals.too_late_to_cancel,
  ],
})

export const undoCancel = endpoint('POST /api/bookings/:id/undo-cancel', {
  who: 'member',
  summary: 'Bring back a booking that its member cancelled within the last 12 seconds, before anyone is emailed',
  params: PathId,
  response: Booking,
  refusals: [
    bookingRefusals.booking_not_found,
    bookingRefusals.booking_not_cancelled,
    undoRefusals.undo_expired,
    accountRefusals.account_blocked,
    bookingRefusals.undo_class_changed,
    bookingRefusals.class_started,
    bookingRefusals.already_booked,
    bookingRefusals.undo_place_taken,
    bookingRefusals.undo_credit_gone,
  ],
})

export const rescheduleBooking = endpoint('POST /api/bookings/:id/reschedule', {
  who: 'member',
  summary: 'Move a confirmed booking to another class in one step; returns the new booking',
  params: PathId,
  body: z.object({ classId: Id }),
  response: Booking,
  status: 201,
  refusals: [
    bookingRefusals.booking_not_found,
    bookingRefusals.booking_not_confirmed,
    bookingRefusals.too_late_to_cancel,
    bookingRefusals.too_late_to_move,
    bookingRefusals.pass_ended,
    accountRefusals.account_blocked,
    ...noPlace,
  ],
})

export const bookingCalendar = endpoint('GET /api/bookings/:id/calendar.ics', {
  who: 'member',
  summary: 'A confirmed booking as a file for a calendar',
  params: PathId,
  file: 'text/calendar',
  response: z.string(),
  refusals: [bookingRefusals.booking_not_found, bookingRefusals.booking_not_confirmed],
})

export const listBookings = endpoint('GET /api/user/bookings', {
  who: 'member',
  summary: "The member's bookings, newest class first",
  response: z.array(Booking),
})

export const listUpcomingBookings = endpoint('GET /api/user/bookings/upcoming', {
  who: 'member',
  alias: ['/api/bookings/upcoming'],
  summary: "The member's confirmed bookings of classes that have not started, next first",
  response: z.array(Booking),
})

/** `from` and `to` are dates of the class, inclusive. */
const bookingFilter = {
  status: BookingStatus.optional(),
  from: DateText().optional(),
  to: DateText().optional(),
}

/** With how the member, and the holder of the pass that paid, are reached. */
export const ManagedBooking = Booking.extend({
  isByPhone: z.boolean(),
  payer: z.object({ firstName: z.string(), isByPhone: z.boolean() }).nullable(),
}).meta({ id: 'ManagedBooking' })
export type ManagedBooking = z.output<typeof ManagedBooking>

/** Most recently booked first, or by the start of the class. */
export const BookingOrder = z.enum(['booked', 'earliest', 'latest'])
export type BookingOrder = z.output<typeof BookingOrder>

export const listAllBookings = endpoint('GET /api/admin/bookings', {
  summary:
    'All bookings, most recently booked first or in the given `order`; `search` looks into names, email addresses and class titles',
  query: Paging.extend({ ...bookingFilter, order: BookingOrder.optional() }),
  response: z.array(ManagedBooking),
})

export const exportBookings = endpoint('GET /api/admin/bookings.csv', {
  summary: 'The same bookings as a spreadsheet file, unpaged',
  query: Paging.pick({ search: true }).extend(bookingFilter),
  file: 'text/csv',
  response: z.string(),
})

export const markAttendance = endpoint('PUT /api/admin/bookings/:id/attendance', {
  summary: 'Record whether the member came; from the start of the class on, and as often as it needs correcting',
  params: PathId,
  body: z.object({ status: BookingStatus.extract(['completed', 'no_show'], 'Please choose completed or no_show') }),
  response: Booking,
  refusals: [bookingRefusals.booking_not_found, bookingRefusals.booking_cancelled, bookingRefusals.class_not_started],
})

export const moveForMember = endpoint('PUT /api/admin/bookings/:id/reschedule', {
  summary: "Move a member's confirmed booking to another class before it starts; returns the new booking",
  params: PathId,
  body: z.object({ classId: Id }),
  response: Booking,
  refusals: [
    bookingRefusals.booking_not_found,
    bookingRefusals.booking_not_confirmed,
    bookingRefusals.too_late_to_cancel,
    bookingRefusals.pass_ended,
    accountRefusals.account_blocked,
    ...noPlace,
  ],
})

export const cancelForMember = endpoint('PUT /api/admin/bookings/:id/cancel', {
  summary: "Cancel a member's booking; the credit follows the rules unless `returnCredit` says otherwise",
  params: PathId,
  body: z.object({ returnCredit: Flag.nullish() }),
  response: Booking,
  refusals: [
    bookingRefusals.booking_not_found,
    bookingRefusals.booking_not_confirmed,
    bookingRefusals.too_late_to_cancel,
    bookingRefusals.pass_voided,
  ],
})

/** The member reads the reason. */
export const ReturnCreditForm = z.object({ reason: requiredText('Please say why', 500) })
export type ReturnCreditForm = z.output<typeof ReturnCreditForm>

export const returnForfeitedCredit = endpoint('POST /api/admin/bookings/:id/return-credit', {
  summary: 'Return the credit of a late cancellation or no-show, once; the member is emailed the reason',
  params: PathId,
  body: ReturnCreditForm,
  response: Booking,
  refusals: [
    bookingRefusals.booking_not_found,
    bookingRefusals.credit_already_returned,
    bookingRefusals.credit_not_forfeited,
    bookingRefusals.pass_voided,
  ],
})

export const BlockForm = z.object({ reason: requiredText('Please enter a reason', 500) })
export type BlockForm = z.output<typeof BlockForm>

export const blockMember = endpoint('PUT /api/admin/users/:id/block', {
  summary:
    'Block a member: they see what they have and can cancel, but cannot book, move, wait or buy; they leave every waiting list',
  params: UserPathId,
  body: BlockForm,
  says: 'Member blocked',
  refusals: [accountRefusals.user_not_found, accountRefusals.cannot_block_admin, accountRefusals.cannot_block_teacher],
})

export const unblockMember = endpoint('DELETE /api/admin/users/:id/block', {
  summary: 'Let a blocked member book and buy again',
  params: UserPathId,
  says: 'Member unblocked',
  refusals: [accountRefusals.user_not_found],
})
