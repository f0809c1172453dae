export { bookingEvent, type CalendarEvent, calendarFeed, calendarFile } from './calendar-file.ts'
export { isCalendarToken, linkTokens, type TokenOf, unsubscribePath, unsubscriberOf } from './link-tokens.ts'
export { forgetSubscriber, forgetUnconfirmed } from './newsletter.ts'
export { forgetQueued, queueMail, queueMails } from './queue-mail.ts'
export {
  deleteOldUndelivered,
  dropUndelivered,
  failedMails,
  forgetUndelivered,
  redirectUndelivered,
  refusalOf,
  sendUndelivered,
  undeliveredByAddress,
} from './undelivered.ts'
