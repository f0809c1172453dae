/** What other parts and the assembly may call of booking. */
export { allBookings } from './all-bookings.ts'
export { bookClass } from './book-class.ts'
export { cancelBooking, returnForfeitedCredit } from './cancel-booking.ts'
export { editClass } from './change-class.ts'
export { sessionNotesOf } from './day.ts'
export {
  companionsOf,
  endDueHolds,
  endHoldsOnErasure,
  forAddressesOf,
  forgetCompanions,
  textEndingHolds,
} from './held-places.ts'
export { hasObjected } from './invite-companion.ts'
export { leaveOthers } from './leave-others.ts'
export { completeEndedClasses } from './mark-attendance.ts'
export { offerFreedPlaces, offerReservedPlaces } from './offer-freed-place.ts'
export { isOutdated, isPastItsClass } from './outdated-mail.ts'
export { forgetOwnCancellations } from './own-cancellations.ts'
export { lockPassesForFreedPlaces } from './place-locks.ts'
export { endPlacesPaidBy, lockPlacesPaidBy } from './places-paid-by.ts'
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
  bookForCompanion,
  bookForRegulars,
  emailRegulars,
  restoreSentToRegulars,
  type SentToRegulars,
  sentToRegulars,
} from './regular/keep-up.ts'
export { hasRegularBooking, regularBookingsOf } from './regular/regular-queries.ts'
export { remindMembers, restoreReminders, type SentReminder, sentReminders } from './remind-members.ts'
export { emailCancellations, forgetCancellations } from './studio-cancellations.ts'
export { takePlaces } from './take-places.ts'
export { endUndo } from './undo-cancel.ts'
export { placesToOffer } from './waiting-list.ts'
export {
  clearWaitingListsOfStartedClasses,
  endOffersPast,
  findWaitingMembers,
  toWaitingEntry,
  waitingListsOf,
} from './waiting-queries.ts'
