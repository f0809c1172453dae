/** What other parts and the assembly may call of mailings. */
export { memberOfLink, objectByAddress, objectionOf } from './objections.ts'
export { isStillWanted, noteOutcome } from './outcomes.ts'
export { eraseMessages, messagesTo } from './sent-messages.ts'
