import { eq, sql } from 'drizzle-orm'
import { refuse } from '#foundation/refusal.ts'
import { changedAt } from '#platform/database/columns.ts'
import type { Tx } from '#platform/database/database.ts'
import { recordSecurity } from '#security/server/security.ts'
import { accountRefusals } from '../../contract.ts'
import { emailChanges, type UserRow, users } from '../../tables.ts'
import { type RemovedFactors, removeFactors } from '../factors/factors.ts'
import { issueLink, newToken, revokeLinks } from '../one-time-links.ts'
import { endSessionsOf, recordSessionsEnded } from '../sessions/sessions.ts'
import { addUser, findByEmail } from '../users.ts'

export type MakeAdminResult = {
  userId: string
  /** For the link that sets the password. */
  token: string
  /** The account before the change, if there was one. */
  found: UserRow | undefined
  /** The address was never verified, so previous sign-ins no longer work. */
  isReclaimed: boolean
  sessionsEnded: number
  factorsRemoved?: RemovedFactors
  /** The email of an account that has lost this address as its username. */
  renamed: string | undefined
}

type Names = { firstName: string; lastName: string }
const NO_NAMES: Names = { firstName: '', lastName: '' }

/**
 * Makes the user of an email address an admin, creating one if necessary, and issues a link to set the password. Anyone
 * may have registered an unverified address, so such an account loses its password, factors and sessions unless
 * `keepPassword`. All earlier links end. Refuses a blocked member.
 */
export async function makeAdmin(
  tx: Tx,
  email: string,
  now: Temporal.Instant,
  { keepPassword = false, names }: { keepPassword?: boolean; names?: Names } = {},
): Promise<MakeAdminResult> {
  const seen = await findByEmail(tx, email)
  if (!seen) {
    const { user, renamed } = await addAdmin(tx, email, names, now)
    await recordSecurity(tx, { kind: 'role_given', subject: user.id, details: { cause: 'command' } }, now)
    const token = await issueNewLink(tx, user.id, now)
    return { userId: user.id, token, found: undefined, isReclaimed: false, sessionsEnded: 0, renamed }
  }
  // Waits for a concurrent login, so that its session is found.
  const [found = seen] = await tx.select().from(users).where(eq(users.id, seen.id)).for('update')
  if (found.blockedAt) refuse(accountRefusals.cannot_promote_blocked_member)
  const isReclaimed = !found.emailVerifiedAt && !keepPassword
  const passwordHash = isReclaimed ? null : found.passwordHash
  const updatedAt = found.isAdmin ? found.updatedAt : changedAt(users.updatedAt, now)
  await tx.update(users).set({ isAdmin: true, isTeacher: false, passwordHash, updatedAt }).where(eq(users.id, found.id))
  const factorsRemoved = isReclaimed ? await removeFactors(tx, found, { cause: 'command', now }) : undefined
  const sessionsEnded = isReclaimed ? await endSessionsOf(tx, found.id) : 0
  if (!found.isAdmin)
    await recordSecurity(tx, { kind: 'role_given', subject: found.id, details: { cause: 'command' } }, now)
  if (isReclaimed && found.passwordHash) {
    await recordSecurity(tx, { kind: 'password_removed', subject: found.id, details: { cause: 'command' } }, now)
  }
  await recordSessionsEnded(tx, sessionsEnded, { subject: found.id, cause: 'command' }, now)
  await revokeLinks(tx, found.id)
  await tx.delete(emailChanges).where(eq(emailChanges.userId, found.id))
  const token = await issueNewLink(tx, found.id, now)
  return { userId: found.id, token, found, isReclaimed, sessionsEnded, factorsRemoved, renamed: undefined }
}

async function issueNewLink(tx: Tx, userId: string, now: Temporal.Instant): Promise<string> {
  const token = newToken()
  await issueLink(tx, userId, 'set_password', token, now)
  return token
}

/** Another user whose username is this address gets their id as username instead. */
/** Without a name, emails greet with `Hello,`. */
async function addAdmin(tx: Tx, email: string, { firstName, lastName }: Names = NO_NAMES, now: Temporal.Instant) {
  const [squatter] = await tx
    .update(users)
    .set({ username: users.id, updatedAt: changedAt(users.updatedAt, now) })
    .where(eq(sql`lower(${users.username})`, sql`lower(${email})`))
    .returning({ email: users.email })
  const names = { email, username: email, firstName, lastName }
  const user = await addUser(tx, { ...names, passwordHash: null, isAdmin: true }, now)
  return { user, renamed: squatter?.email ?? undefined }
}
