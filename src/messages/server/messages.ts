/** What other parts may call of messages. */
export { forgetSubscriber, forgetUnconfirmed } from './newsletter.ts'
export { queueMail } from './queue-mail.ts'
