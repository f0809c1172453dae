export { bookingEvent, type CalendarEvent, calendarFeed, calendarFile } from './calendar-file.ts'
export { calledMembers, callsOf, callsToMake, deleteOldCalls, endCall } from './calls.ts'
export {
  isCalendarToken,
  linkIdOfInvitation,
  linkTokens,
  type TokenOf,
  unsubscribePath,
  unsubscriberOf,
} from './link-tokens.ts'
export type { ShownPush } from './mailbox-page.ts'
export { deleteSubscriber, deleteUnconfirmedSubscribers } from './newsletter.ts'
export { eraseNameFromMails, eraseQueuedMails, type Queued, queueMail, queueMails, withoutJobs } from './queue-mail.ts'
export { renderMail } from './render-mail.ts'
export {
  deleteOldTexts,
  forgetQueuedTexts,
  queueTexts,
  sentTexts,
  textRoutes,
  textsOf,
  textsToCheck,
} from './texts.ts'
export {
  countFailedMails,
  deleteOldUndelivered,
  deleteUndelivered,
  dropUndelivered,
  forgetInvited,
  redirectUndelivered,
  refusalOf,
  resendUndelivered,
  undeliveredByAddress,
} from './undelivered.ts'
