/** What other parts may call of messages. */
export { bookingEvent, type CalendarEvent, calendarFeed, calendarFile } from './calendar-file.ts'
export { forgetSubscriber, forgetUnconfirmed } from './newsletter.ts'
export { queueMail } from './queue-mail.ts'
