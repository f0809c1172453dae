/** What other parts and the assembly may call of booking. */
export { bookClass } from './book-class.ts'
export { cancelBooking } from './cancel-booking.ts'
export { completeEndedClasses } from './complete-classes.ts'
export { lockPassesAround, offerFreedPlace } from './offer-freed-place.ts'
export { isOvertaken } from './overtaken-mail.ts'
export { bookingsOf, classesHeldBy, toBooking, toMailedBooking } from './queries.ts'
export { remindMembers } from './remind-members.ts'
export { endLinesOfStartedClasses, toWaitingEntry, waitingFor, waitsOf } from './waiting-queries.ts'
