import { eq } from 'drizzle-orm'
import type { Clock } from '#foundation/instants.ts'
import { queueMail, type TokenOf } from '#messages/server/messages.ts'
import type { Database, Tx } from '#platform/database/database.ts'
import type { Worker } from '#platform/jobs/jobs.ts'
import { type LinkPurpose, mayBeInvited } from '../rules.ts'
import { type UserRow, users } from '../tables.ts'
import { recipient } from './members/register-member.ts'
import { issueLink, newToken } from './one-time-links.ts'
import type { Throttles } from './sign-in/throttle.ts'
import { findUser } from './users.ts'

const MAIL_NAMES = { verify_email: 'verify-email', set_password: 'set-password', invitation: 'invitation' } as const

/** Mails requested links after the response, so that neither text nor timing reveals whether the account exists. */
export function mailLinkWorker(context: {
  database: Database
  clock: Clock
  tokenOf: TokenOf
  throttle: Pick<Throttles, 'mayMail'>
}): Worker<'mail-link'> {
  const { database, clock, tokenOf, throttle } = context
  return async ({ userId, purpose }) => {
    const user = userId ? await findUser(database.db, userId) : undefined
    if (!user?.email || isObsolete(purpose, user) || !(await throttle.mayMail('sign-in', user.email))) return
    await database.transaction((tx) => mailLink(tx, user.id, purpose, tokenOf, clock.now()))
  }
}

/** Mails a link unless it is no longer needed. Returns whether it did. */
export async function mailLink(
  tx: Tx,
  userId: string,
  purpose: LinkPurpose,
  tokenOf: TokenOf,
  now: Temporal.Instant,
): Promise<boolean> {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
  if (!user || user.email === null || isObsolete(purpose, user)) return false
  const linkId = newToken()
  await issueLink(tx, user.id, purpose, tokenOf(linkId), now)
  if (purpose === 'invitation') await tx.update(users).set({ invitedAt: now }).where(eq(users.id, user.id))
  await queueMail(tx, MAIL_NAMES[purpose], { to: recipient(user), linkId })
  return true
}

function isObsolete(purpose: LinkPurpose, user: UserRow): boolean {
  if (purpose === 'invitation') return !mayBeInvited({ ...user, canLogIn: user.passwordHash !== null })
  return purpose === 'verify_email' && user.emailVerifiedAt !== null
}
