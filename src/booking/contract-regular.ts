import { z } from 'zod'
import { accountRefusals } from '#accounts/contract.ts'
import { WEEKDAYS } from '#foundation/dates.ts'
import { endpoint } from '#foundation/endpoint.ts'
import { Flag, FlagText, Id, InstantText, PathId, UserPathId } from '#foundation/fields.ts'
import { refusals } from '#foundation/refusal.ts'
import { timetableRefusals } from '#timetable/contract.ts'
import { BeginRequest, Booking, CompanionForm, companionPlace, noPass } from './contract.ts'
import { SkipReason } from './contract-waiting.ts'
import { bookingRefusals, companionRefusals } from './refusals.ts'

export const regularRefusals = refusals({
  regular_booking_exists: [409, 'This is already a regular booking.'],
  class_not_weekly: [400, 'This class does not take place every week, so it cannot be booked regularly.'],
  regular_booking_not_found: [404, 'This regular booking has ended.'],
  not_in_regular_booking: [400, 'This class is not part of the regular booking, or it has started.'],
})

/** Why a date is not booked. If it is `full`, the member is on the waiting list, unless they left it. */
export const RegularCode = z.enum([...SkipReason.options, 'full', 'skipped', 'closed', 'already_booked'])
export type RegularCode = z.output<typeof RegularCode>

const Slot = z.object({ day: z.enum(WEEKDAYS), startTime: z.string() })

/** A class of a regular booking that has not started. */
export const RegularDate = z.object({
  classId: z.int(),
  date: z.iso.date(),
  title: z.string(),
  startsAt: InstantText,
  /** Null if it is not booked; `code` is why. With `tonight` it will be booked in the night, if a credit is left. */
  bookingId: z.int().nullable(),
  /** Of the companion’s place. */
  companionBookingId: z.int().nullable(),
  code: RegularCode.nullable(),
  /** Booked by the regular booking, or taken over by it. A booking made by hand stays when it ends. */
  isMade: z.boolean(),
})
export type RegularDate = z.output<typeof RegularDate>

export const RegularBooking = Slot.extend({
  id: z.int(),
  since: InstantText,
  /** The next 12 weeks, as far as the timetable exists. */
  dates: z.array(RegularDate),
  /** The last date that is booked. */
  bookedUntil: z.iso.date().nullable(),
  /** The companion; `held` until they accept the first place. */
  companion: z.object({ firstName: z.string(), state: z.enum(['held', 'confirmed']) }).nullable(),
  /** For the companion: the member whose regular booking it is. Only the companion’s own dates are listed. */
  bookedBy: z.object({ firstName: z.string() }).nullable(),
}).meta({ id: 'RegularBooking' })
export type RegularBooking = z.output<typeof RegularBooking>

const NotBooked = z.object({ classId: z.int(), date: z.iso.date(), startTime: z.string(), code: RegularCode })
const Made = RegularBooking.extend({ booked: z.array(Booking), notBooked: z.array(NotBooked) })

const Ended = z.object({
  message: z.string(),
  /** Of the bookings that were cancelled. */
  cancelledBookingIds: z.array(z.int()),
})
export type EndedRegularBooking = z.output<typeof Ended>

const MAY_NOT_BE_SET = [
  timetableRefusals.class_not_found,
  accountRefusals.account_blocked,
  bookingRefusals.class_started,
  bookingRefusals.class_inactive,
  regularRefusals.class_not_weekly,
  regularRefusals.regular_booking_exists,
]
const withCompanion = {
  /** Both places, or the member’s own where one is left. The companion is that of the member’s booking. */
  withCompanion: Flag.nullish(),
  /** With `withCompanion`: a companion to invite to this class, who comes along once they accept. */
  companion: CompanionForm.nullish(),
}
const NO_COMPANION = [companionRefusals.companion_not_found, ...companionPlace]
const cancelBookings = { cancelBookings: FlagText('Enter true or false for cancelBookings') }

export const setRegularBooking = endpoint('POST /api/user/regular-bookings', {
  who: 'member',
  summary: 'Book this class and every later one on the same weekday at the same time, up to 12 weeks ahead',
  body: z.object({ classId: Id, ...withCompanion, beginRequest: BeginRequest.nullish() }),
  response: Made,
  status: 201,
  refusals: [...new Set([...MAY_NOT_BE_SET, bookingRefusals.health_information_missing, ...noPass, ...NO_COMPANION])],
})

export const listRegularBookings = endpoint('GET /api/user/regular-bookings', {
  who: 'member',
  summary: "The member's regular bookings, and those they come along to, with their dates, the oldest first",
  response: z.array(RegularBooking),
})

export const skipRegularDate = endpoint('POST /api/user/regular-bookings/:id/skip', {
  who: 'member',
  summary: 'Leave out one date of a regular booking; its booking is cancelled like any other and can be undone',
  params: PathId,
  body: z.object({ classId: Id }),
  /** `cancelled`: the booking that was cancelled, if the date was booked. */
  response: RegularBooking.extend({ cancelled: Booking.nullable() }),
  refusals: [
    regularRefusals.regular_booking_not_found,
    regularRefusals.not_in_regular_booking,
    bookingRefusals.booking_not_found,
    bookingRefusals.booking_not_confirmed,
    bookingRefusals.too_late_to_cancel,
  ],
})

export const endRegularBooking = endpoint('DELETE /api/user/regular-bookings/:id', {
  who: 'member',
  summary:
    'End a regular booking, or for a companion their part of it; with cancelBookings, cancel its bookings more than 120 minutes before the start',
  params: PathId,
  query: z.object(cancelBookings),
  response: Ended,
  refusals: [regularRefusals.regular_booking_not_found],
})

/** A member and their slot. */
export const RegularHolder = Slot.extend({
  id: z.int(),
  user: z.object({ id: z.string(), firstName: z.string(), lastName: z.string(), isByPhone: z.boolean() }),
  companion: z.object({ id: z.string(), firstName: z.string(), lastName: z.string() }).nullable(),
  since: InstantText,
  /** Of the next 12 weeks. */
  bookedDates: z.int(),
  bookedUntil: z.iso.date().nullable(),
}).meta({ id: 'RegularHolder' })
export type RegularHolder = z.output<typeof RegularHolder>

export const listRegularHolders = endpoint('GET /api/admin/regular-bookings', {
  summary: 'Which member has which weekly slot, by weekday and start; in a slot the oldest first',
  response: z.array(RegularHolder),
})

export const listRegularBookingsOf = endpoint('GET /api/admin/users/:id/regular-bookings', {
  summary: 'The regular bookings of a member with their dates',
  params: UserPathId,
  response: z.array(RegularBooking),
  refusals: [accountRefusals.user_not_found],
})

export const setRegularBookingFor = endpoint('POST /api/admin/users/:id/regular-bookings', {
  summary: 'Set up a regular booking for a member; dates that they cannot have yet are booked once they can',
  params: UserPathId,
  body: z.object({ classId: Id, ...withCompanion }),
  response: Made,
  status: 201,
  refusals: [...new Set([accountRefusals.user_not_found, ...MAY_NOT_BE_SET, ...NO_COMPANION])],
})

export const endRegularBookingFor = endpoint('DELETE /api/admin/regular-bookings/:id', {
  summary: 'End the regular booking of a member',
  params: PathId,
  query: z.object(cancelBookings),
  response: Ended,
  refusals: [regularRefusals.regular_booking_not_found],
})
