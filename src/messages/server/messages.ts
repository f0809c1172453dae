/** What other parts may call of messages. */
export { bookingEvent, type CalendarEvent, calendarFeed, calendarFile } from './calendar-file.ts'
export { isCalendarToken } from './calendar-link.ts'
export { failedMails } from './failed-mails.ts'
export { forgetQueued } from './forget-queued.ts'
export { linkTokens, type TokenOf } from './link-tokens.ts'
export { forgetSubscriber, forgetUnconfirmed } from './newsletter.ts'
export { queueMail, queueMails, queueMailsToMany } from './queue-mail.ts'
export {
  deleteOldUndelivered,
  dropUndelivered,
  forgetUndelivered,
  redirectUndelivered,
  refusalOf,
  sendUndelivered,
  undeliveredByAddress,
} from './undelivered.ts'
export { unsubscribePath, unsubscriberOf } from './unsubscribe-link.ts'
