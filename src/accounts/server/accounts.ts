export { deleteExpiredEmailChangeRequests, pendingEmail } from './addresses/request-email-change.ts'
export { deleteExpiredEmailChanges, formerAddresses } from './addresses/reserved-addresses.ts'
export { rotateAppSecrets } from './factors/codes.ts'
export { secondStepsOf } from './factors/factors.ts'
export { resetFactors } from './factors/manage-factors.ts'
export { deleteExpiredSecondSteps } from './factors/passkeys.ts'
export { mailLinkWorker } from './mail-link.ts'
export {
  addMember,
  addMembers,
  findByEmails,
  findByPhones,
  inviteMembers,
  type KnownMember,
  lockMembers,
  lockUninvited,
} from './members/add-members.ts'
export { type MakeAdminResult, makeAdmin } from './members/make-admin.ts'
export { notesOn } from './members/notes.ts'
export { recipient, registerMember } from './members/register-member.ts'
export { alertMembers, notify } from './notify.ts'
export { deleteExpiredLinks, hashOfToken, newToken } from './one-time-links.ts'
export { signInDataOf } from './sessions/own-sessions.ts'
export { type SessionCookies, type SignedIn, sessionCookies } from './sessions/session-cookies.ts'
export { deleteExpiredSessions, endSessionsOf } from './sessions/sessions.ts'
export {
  hashPassword,
  PASSWORD_COST,
  type PasswordCost,
  queueForHashing,
  refuseCommonPassword,
} from './sign-in/passwords.ts'
export { deleteExpiredThrottles, type Throttles, throttles } from './sign-in/throttle.ts'
export {
  addUser,
  type BlockStatus,
  blockOf,
  eraseUser,
  findByAnyAddress,
  findByEmail,
  findUser,
  markAble,
  memberMatches,
  refuseBlocked,
  refuseLosingLastAdmin,
  setBlock,
  toUser,
  userForUpdate,
  verifyAddress,
} from './users.ts'
