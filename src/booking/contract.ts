import { z } from 'zod'
import { accountRefusals } from '#accounts/contract.ts'
import { endpoint } from '#foundation/endpoint.ts'
import { AmountText, DateText, Id, InstantText, Paging, PathId, requiredText } from '#foundation/fields.ts'
import { StudioClass, timetableRefusals } from '#timetable/contract.ts'
import { bookingRefusals } from './refusals.ts'

export const BookingStatus = z.enum(['confirmed', 'completed', 'cancelled', 'no_show'])
export const PaymentStatus = z.enum(['paid', 'refunded', 'forfeited'])
export type PaymentStatus = z.output<typeof PaymentStatus>

/** What a booking or a place in line says of its class. */
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
    /** The pass that paid was voided or refunded: cancelling returns no credit. */
    hasPassEnded: z.boolean(),
  })
  .meta({ id: 'Booking' })
export type Booking = z.output<typeof Booking>

/** Why a class has no place for a member, whether they book it or move to it. */
const noPlace = [
  timetableRefusals.class_not_found,
  bookingRefusals.already_booked,
  bookingRefusals.class_started,
  bookingRefusals.class_inactive,
  bookingRefusals.class_full,
  bookingRefusals.no_class_pass,
  bookingRefusals.no_credits,
  bookingRefusals.pass_expires_before_class,
  bookingRefusals.pass_on_hold,
  bookingRefusals.health_information_missing,
]

export const bookClass = endpoint('POST /api/bookings', {
  who: 'member',
  summary: 'Book a place with a class pass',
  body: z.object({
    classId: Id,
    /** Oneself; an admin may name a member. */
    userId: z.string('Please send a user id').nullish(),
    participantCount: z.number('Each booking is for one participant.').nullish(),
    usePass: z.boolean('Please send true or false').nullish(),
    /** An admin's: into a class that has started and not ended, or without health information. */
    override: z.boolean('Please send true or false').nullish(),
    /**
     * The member asks to begin within the days in which they can cancel this purchase of theirs. Recorded with the booking if
     * a pass of this purchase pays, otherwise ignored.
     */
    beginRequest: z.object({ purchaseId: Id }).nullish(),
  }),
  reply: Booking,
  status: 201,
  refusals: [
    bookingRefusals.user_not_found,
    bookingRefusals.booking_for_another_member,
    accountRefusals.account_blocked,
    bookingRefusals.one_participant_only,
    bookingRefusals.class_pass_required,
    ...noPlace,
  ],
})

export const cancelBooking = endpoint('PUT /api/bookings/:id/cancel', {
  who: 'member',
  summary: 'Cancel a confirmed booking; more than 120 minutes before the start the credit goes back',
  params: PathId,
  reply: Booking,
  refusals: [
    bookingRefusals.booking_not_found,
    bookingRefusals.booking_not_confirmed,
    bookingRefusals.too_late_to_cancel,
  ],
})

export const rescheduleBooking = endpoint('POST /api/bookings/:id/reschedule', {
  who: 'member',
  summary: 'Move a confirmed booking to another class in one step; answers the new booking',
  params: PathId,
  body: z.object({ classId: Id }),
  reply: Booking,
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
  reply: z.string(),
  refusals: [bookingRefusals.booking_not_found, bookingRefusals.booking_not_confirmed],
})

export const listBookings = endpoint('GET /api/user/bookings', {
  who: 'member',
  summary: "The member's bookings, newest class first",
  reply: z.array(Booking),
})

export const listUpcomingBookings = endpoint('GET /api/user/bookings/upcoming', {
  who: 'member',
  alias: ['/api/bookings/upcoming'],
  summary: "The member's confirmed bookings of classes that have not started, next first",
  reply: z.array(Booking),
})

/** Which bookings an admin asks for; `from` and `to` are dates of the class, inclusive. */
const bookingFilter = {
  status: BookingStatus.optional(),
  from: DateText().optional(),
  to: DateText().optional(),
}

/** The last booked first, or by the start of their class: the earliest first or the latest. */
export const BookingOrder = z.enum(['booked', 'earliest', 'latest'])
export type BookingOrder = z.output<typeof BookingOrder>

export const listAllBookings = endpoint('GET /api/admin/bookings', {
  who: 'admin',
  summary:
    'All bookings, last booked first or as `order` says; `search` looks into names, email addresses and class titles',
  query: Paging.extend({ ...bookingFilter, order: BookingOrder.optional() }),
  reply: z.array(Booking),
})

export const exportBookings = endpoint('GET /api/admin/bookings.csv', {
  who: 'admin',
  summary: 'The same bookings as a file for spreadsheets, all of them',
  query: Paging.pick({ search: true }).extend(bookingFilter),
  file: 'text/csv',
  reply: z.string(),
})

export const markAttendance = endpoint('PUT /api/admin/bookings/:id/attendance', {
  who: 'admin',
  summary: 'Say whether the member came; from the start of the class on, and as often as it needs correcting',
  params: PathId,
  body: z.object({ status: BookingStatus.extract(['completed', 'no_show'], 'Please choose completed or no_show') }),
  reply: Booking,
  refusals: [bookingRefusals.booking_not_found, bookingRefusals.booking_cancelled, bookingRefusals.class_not_started],
})

export const moveForMember = endpoint('PUT /api/admin/bookings/:id/reschedule', {
  who: 'admin',
  summary: "Move a member's confirmed booking to another class until it starts; answers the new booking",
  params: PathId,
  body: z.object({ classId: Id }),
  reply: Booking,
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
  who: 'admin',
  summary: "Cancel a member's booking; the credit follows the rules unless `returnCredit` says otherwise",
  params: PathId,
  body: z.object({ returnCredit: z.boolean('Please send true or false').nullish() }),
  reply: Booking,
  refusals: [
    bookingRefusals.booking_not_found,
    bookingRefusals.booking_not_confirmed,
    bookingRefusals.too_late_to_cancel,
    bookingRefusals.pass_voided,
  ],
})

/** What the dialog that gives a credit back checks. The member reads the reason. */
export const ReturnCreditForm = z.object({ reason: requiredText('Please say why', 500) })
export type ReturnCreditForm = z.output<typeof ReturnCreditForm>

export const returnForfeitedCredit = endpoint('POST /api/admin/bookings/:id/return-credit', {
  who: 'admin',
  summary: 'Give back the credit of a booking that was cancelled too late or not come to, once; the member is told why',
  params: PathId,
  body: ReturnCreditForm,
  reply: Booking,
  refusals: [
    bookingRefusals.booking_not_found,
    bookingRefusals.credit_already_returned,
    bookingRefusals.credit_not_forfeited,
    bookingRefusals.pass_voided,
    bookingRefusals.pass_refunded,
  ],
})
