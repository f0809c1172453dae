/** What other parts and the assembly may call of booking. */
export { allBookings } from './bookings/all-bookings.ts'
export { bookClass } from './bookings/book-class.ts'
export { cancelBooking, returnForfeitedCredit } from './bookings/cancel-booking.ts'
export { findPeopleIn, toPerson } from './bookings/class-for-admin.ts'
export { sessionNotesOf } from './bookings/day.ts'
export { completeEndedClasses } from './bookings/mark-attendance.ts'
export { isOutdated, stillTrue } from './bookings/outdated-mail.ts'
export { remindMembers, restoreReminders, type SentReminder, sentReminders } from './bookings/remind-members.ts'
export { endUndo } from './bookings/undo-cancel.ts'
export {
  companionsOf,
  endDueHolds,
  endedInvitations,
  endHoldsOnErasure,
  forAddressesOf,
  forgetCompanions,
  heldIn,
  moveHolds,
  reopenInvitations,
  selectHeld,
  textEndingHolds,
} from './companions/held-places.ts'
export { hasObjected } from './companions/invite-companion.ts'
export { endPlacesPaidBy, lockPlacesPaidBy, placesPaidBy } from './companions/places-paid-by.ts'
export { leaveOthers } from './leave-others.ts'
export { isLateIn, notEnded, selectCancelledLate, selectConfirmedIn } from './places/affected-places.ts'
export { emailEndedHold, emailOther } from './places/email-places.ts'
export { forfeitAgain, giveUpPlaces, markReturned } from './places/give-up-places.ts'
export { hasMarkedAttendance, markGiven, markMoved } from './places/move-places.ts'
export { forgetOwnCancellations } from './places/own-cancellations.ts'
export {
  findWaitingFor,
  type LockedPlace,
  lockedPlaces,
  lockPassesForFreedPlaces,
  payersIn,
} from './places/place-locks.ts'
export {
  bookedClassIdsOf,
  bookingsOf,
  cancellationsOnErasure,
  describeClass,
  toBooking,
  toClassFacts,
  toMailedBooking,
} from './places/queries.ts'
export { takePlaces, takePlacesAgain } from './places/take-places.ts'
export {
  bookForAllRegulars,
  bookForCompanion,
  bookForRegulars,
  emailRegulars,
  restoreSentToRegulars,
  type SentToRegulars,
  sentToRegulars,
} from './regular/keep-up.ts'
export { moveRegularSlots } from './regular/move-slots.ts'
export { hasRegularBooking, regularBookingsOf } from './regular/regular-queries.ts'
export { offerFreedPlaces, offerReservedPlaces } from './waiting/offer-freed-place.ts'
export { placesToOffer } from './waiting/waiting-list.ts'
export {
  clearWaitingLists,
  clearWaitingListsOfStartedClasses,
  endOffersPast,
  findWaitingMembers,
  restoreEntries,
  setTurns,
  toWaitingEntry,
  waitingListsOf,
} from './waiting/waiting-queries.ts'
