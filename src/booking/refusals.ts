import { type RefusalDefinition, refusals } from '#foundation/refusal.ts'

/** In the order in which booking checks them (docs/studio-rules.md#booking). 409 only means "already booked". */
export const bookingRefusals = refusals({
  user_not_found: [404, 'User not found.'],
  booking_for_another_member: [403, 'You can only book for yourself.'],
  one_participant_only: [400, 'Each booking is for one participant.'],
  already_booked: [409, 'You already have a confirmed booking for this class. You can only book each class once.'],
  class_started: [400, 'This class has already started or is in the past.'],
  class_inactive: [400, 'This class is not open for booking.'],
  class_full: [400, 'This class is fully booked.'],
  no_class_pass: [400, 'You need a class pass to book. Please choose one first.'],
  class_pass_required: [400, 'Bookings are paid with a class pass. Please book using your class pass.'],
  no_credits: [400, 'Your class pass has no credits left. Please buy a new class pass to book.'],
  pass_on_hold: [400, 'Your class pass is on hold while a bank looks into its payment. Please contact us.'],
  pass_paused: [400, 'Your class pass is paused on the day of this class. Please choose another day or contact us.'],
  pass_expires_before_class: [
    400,
    'Your class pass expires before this class. Please choose an earlier class or buy a new class pass.',
  ],
  health_information_missing: [400, 'Please complete your health questionnaire and emergency contact before booking.'],
  not_todays_class: [403, 'Teachers can only do this for today’s classes.'],
  not_your_class: [403, 'Another teacher has this class.'],
  booking_not_found: [404, 'Booking not found.'],
  booking_not_confirmed: [400, 'This booking is already cancelled or completed.'],
  too_late_to_move: [400, 'This class starts too soon to be moved. You can still cancel it.'],
  too_late_to_cancel: [400, 'This class has already started, so the booking can no longer be cancelled.'],
  booking_not_cancelled: [400, 'This booking is not cancelled.'],
  undo_class_changed: [400, 'The studio has changed this class, so your booking cannot be brought back.'],
  undo_place_taken: [400, 'Your place has just been taken, so your booking cannot be brought back.'],
  undo_credit_gone: [400, 'The credit can no longer be used, so your booking cannot be brought back.'],
  class_not_started: [400, 'Attendance can be marked once the class has started.'],
  credit_not_forfeited: [400, 'The credit for this booking was not forfeited, so there is nothing to return.'],
  credit_already_returned: [400, 'The credit for this booking has already been returned.'],
  pass_voided: [
    400,
    'The pass that paid was voided or refunded, so its credit cannot be given back. You can gift a credit instead.',
  ],
  pass_ended: [
    400,
    'The pass that paid for this booking was voided or refunded, so it cannot be moved. You can still cancel it.',
  ],
  booking_cancelled: [400, 'This booking was cancelled, so there is no attendance to mark.'],
  new_time_in_past: [
    400,
    'A class with bookings or a waiting list cannot move into the past. Please choose a later time, or cancel the class.',
  ],
  place_offered: [
    400,
    'A free place is offered to a member on the waiting list at the moment. Please wait until their time is over.',
  ],
  attendance_marked: [
    400,
    'Attendance has been marked for this class, so it cannot move to a later time. Please create a new class.',
  ],
})

export const companionRefusals = refusals({
  class_not_for_two: [400, 'This class is for one person, so there is no place for a companion.'],
  companion_is_self: [400, 'This is your own email address. Please enter your companion’s.'],
  too_late_to_invite: [400, 'Companions can be invited until 4 hours before the class. Please call us.'],
  companion_already_added: [400, 'You already have a companion in this class.'],
  invitation_not_possible: [400, 'We cannot invite this person. Please ask them to book their own place.'],
  too_many_held_places: [
    400,
    'We already hold 4 places for your companions. Please wait until one of them has answered.',
  ],
  companion_not_found: [404, 'There is no companion in this booking.'],
  invitation_not_found: [404, 'This invitation does not exist. Please open the link from your email again.'],
  invitation_ended: [400, 'This invitation has ended, so the place is no longer held for you.'],
  invitation_pass_paused: [400, 'The pass that pays for this place is paused on that day. Please call us.'],
  invitation_accepted: [400, 'This invitation has already been accepted.'],
  invitation_for_another_address: [
    403,
    'This invitation was sent to another email address. Please log in with the account of that address.',
  ],
})

export const undoRefusals = refusals({
  undo_expired: [400, 'This can no longer be undone.'],
  already_undone: [400, 'This has already been undone.'],
})

/**
 * Why the studio cannot give a booking's credit back, if it cannot: only a credit that was kept, once, and to a pass
 * that has not ended. Source: docs/studio-rules.md#goodwill
 */
export function goodwillRefusal(booking: {
  paymentStatus: string
  hasPassEnded: boolean
}): RefusalDefinition | undefined {
  if (booking.paymentStatus === 'refunded') return bookingRefusals.credit_already_returned
  if (booking.paymentStatus !== 'forfeited') return bookingRefusals.credit_not_forfeited
  return booking.hasPassEnded ? bookingRefusals.pass_voided : undefined
}
