/** What other parts and the assembly may call of mailings. */
export { memberOfLink, objectAgain, objectByAddress, objectionOf, objections } from './objections.ts'
export { isStillWanted, noteOutcome } from './outcomes.ts'
export { eraseMessages, messagesTo } from './sent-messages.ts'
