/** What other parts and the assembly may call of booking. */
export { allBookings } from './all-bookings.ts'
export { type BookingRequirements, bookClass, checkPlace, createBooking } from './book-class.ts'
export { cancelBooking, cancelBookingsPaidBy, lockBookingsPaidBy, returnForfeitedCredit } from './cancel-booking.ts'
export { editClass } from './change-class.ts'
export { companionsOf, forAddressesOf } from './companion-queries.ts'
export { sessionNotesOf } from './day.ts'
export { endHolds, endHoldsOnErasure, forgetCompanions, textEndingHolds } from './end-holds.ts'
export { hasObjected } from './invite-companion.ts'
export { keepCompanionsPlaces, leaveOthers } from './leave-others.ts'
export { completeEndedClasses } from './mark-attendance.ts'
export { lockPassesForFreedPlaces, offerFreedPlaces, offerHeldPlaces } from './offer-freed-place.ts'
export { isOutdated, isPastItsClass } from './outdated-mail.ts'
export { forgetOwnCancellations } from './own-cancellations.ts'
export {
  bookedClassIdsOf,
  bookingsOf,
  cancellationsOnErasure,
  describeClass,
  toBooking,
  toMailedBooking,
} from './queries.ts'
export {
  bookForAllRegulars,
  bookForMember,
  bookForRegulars,
  emailRegulars,
  restoreSentToRegulars,
  type SentToRegulars,
  sentToRegulars,
} from './regular/keep-up.ts'
export { regularBookingsOf } from './regular/regular-queries.ts'
export { remindMembers, restoreReminders, type SentReminder, sentReminders } from './remind-members.ts'
export { emailCancellations, forgetCancellations } from './studio-cancellations.ts'
export { endUndo } from './undo-cancel.ts'
export { placesToOffer } from './waiting-list.ts'
export {
  clearWaitingListsOfStartedClasses,
  endOffersPast,
  findWaitingMembers,
  toWaitingEntry,
  waitingListsOf,
} from './waiting-queries.ts'
