/** What other parts may call of accounts. */

export { deleteExpiredEmailChanges } from './addresses/kept-addresses.ts'
export { deleteExpiredSecondSteps } from './factors/challenges.ts'
export { secondStepsOf } from './factors/factors.ts'
export { rotateAppSecrets, type SecretBox } from './factors/secret-box.ts'
export { resetFactors } from './factors/ways-in.ts'
export { mailLinkWorker } from './mail-link.ts'
export {
  addMembers,
  findByEmails,
  holdMembers,
  inviteMembers,
  type KnownMember,
  unclaimedAmong,
} from './members/add-members.ts'
export { blockOf, refuseBlocked, type Standing, writeBlock } from './members/block-member.ts'
export { type MadeAdmin, makeAdmin } from './members/make-admin.ts'
export { memberMatches } from './members/member-matches.ts'
export { notesOn } from './members/notes.ts'
export { recipient, registerMember } from './members/register-member.ts'
export { deleteExpiredLinks } from './one-time-links.ts'
export { waysInOf } from './sessions/own-sessions.ts'
export { type SessionCookies, type SignedIn, sessionCookies } from './sessions/session-cookies.ts'
export { deleteExpiredSessions, endSessionsOf } from './sessions/sessions.ts'
export { hashPassword, PASSWORD_COST, type PasswordCost } from './sign-in/passwords.ts'
export { deleteExpiredThrottles, throttles } from './sign-in/throttle.ts'
export { hashOfToken, newToken } from './tokens.ts'
export { refuseLosingLastAdmin, userForUpdate } from './user-for-update.ts'
export { addUser, eraseUser, eraseUsers, findByEmail, findUser, proveAddress, toUser } from './users.ts'
