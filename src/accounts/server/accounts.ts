/** What other parts may call of accounts. */
export { refuseLosingLastAdmin, type UserEdit } from './edit-user.ts'
export { makeAdmin } from './make-admin.ts'
export { deleteExpiredLinks } from './one-time-links.ts'
export { hashPassword } from './passwords.ts'
export { recipient, registerMember } from './register-member.ts'
export { deleteExpiredSessions, endSessionsOf, type SessionCookies, sessionCookies } from './sessions.ts'
export { deleteExpiredThrottles, throttles } from './throttle.ts'
export { addUser, eraseUser, findByEmail, findUser, toUser } from './users.ts'
