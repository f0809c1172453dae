/** What other parts and the assembly may call of booking. */
export { bookClass } from './book-class.ts'
export { cancelBooking } from './cancel-booking.ts'
export { completeEndedClasses } from './complete-classes.ts'
