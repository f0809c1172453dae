import { and, eq, gt, gte, sql } from 'drizzle-orm'
import { refuse } from '../../../foundation/refusal.ts'
import { queueMail, redirectUndelivered, type TokenOf } from '../../../messages/server/messages.ts'
import { changedAt } from '../../../platform/database/columns.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { onlyRow } from '../../../platform/database/only-row.ts'
import { recordSecurity } from '../../../security/server/security.ts'
import { studio } from '../../../studio.ts'
import { sessionRefusals } from '../../contract-sessions.ts'
import { emailChanges, type UserRow, users } from '../../tables.ts'
import { recipient } from '../members/register-member.ts'
import { revokeLinks } from '../one-time-links.ts'
import { endSessionsOf } from '../sessions/sessions.ts'
import { hashOfToken, newToken } from '../tokens.ts'
import { userForUpdate } from '../user-for-update.ts'
import { refuseTakenNames, refusingTakenNames } from '../users.ts'

type Change = {
  before: UserRow
  after: UserRow
  /** The old address was shown to be theirs. */
  wasTheirs: boolean
  by: { id: string; sessionId: string | undefined }
}
type Context = { mode: 'demo' | 'live'; verification: 'off' | 'required'; tokenOf: TokenOf; now: Temporal.Instant }

/**
 * What follows from an address that the caller has changed: nobody else can take the old one for some days, it is mailed a
 * link that brings it back, and the new one is told. In live mode the person's sessions end, but for the one that did it.
 */
export async function followEmailChange(
  tx: Tx,
  { before, after, wasTheirs, by }: Change,
  context: Context,
): Promise<void> {
  const { mode, verification, now } = context
  // Whoever goes back to an address of their own needs it kept no longer.
  const isBack = eq(sql`lower(${emailChanges.oldEmail})`, after.email.toLowerCase())
  await tx.delete(emailChanges).where(and(eq(emailChanges.userId, after.id), isBack))
  if (wasTheirs) await keepOldAddress(tx, { before, after }, context)
  // With verification the new address is mailed a link, and told with it.
  if (after.passwordHash !== null && verification === 'off') {
    await queueMail(tx, 'email-changed-to', { to: recipient(after) })
  }
  const isOwn = by.id === after.id
  const who = { actor: by.id, subject: after.id }
  await recordSecurity(tx, { kind: 'email_changed', ...who, details: { cause: isOwn ? 'own_wish' : 'studio' } }, now)
  const sessions = mode === 'live' ? await endSessionsOf(tx, after.id, isOwn ? by.sessionId : undefined) : 0
  if (sessions === 0) return
  await recordSecurity(tx, { kind: 'sessions_ended', ...who, details: { sessions, cause: 'email' } }, now)
}

async function keepOldAddress(
  tx: Tx,
  { before, after }: Pick<Change, 'before' | 'after'>,
  { tokenOf, now }: Context,
): Promise<void> {
  const linkId = newToken()
  const expiresAt = now.add({ hours: studio.policies.emailUndoDays * 24 })
  const change = { userId: after.id, oldEmail: before.email, changedAt: now, expiresAt }
  await tx.insert(emailChanges).values({ tokenHash: hashOfToken(tokenOf(linkId)), ...change })
  await queueMail(tx, 'email-changed', { to: recipient(before), newEmail: after.email, linkId })
}

/**
 * Brings an address back with the link that was mailed to it: a username that is the present address goes back with it, every
 * session and every other link ends, and what was changed after it cannot be undone any more. Both addresses are told.
 */
export async function undoEmailChange(
  tx: Tx,
  token: string,
  { now, endKeys }: { now: Temporal.Instant; endKeys: (tx: Tx, userId: string) => Promise<void> },
): Promise<void> {
  const isThisOne = and(eq(emailChanges.tokenHash, hashOfToken(token)), gt(emailChanges.expiresAt, now))
  const find = () => tx.select().from(emailChanges).where(isThisOne)
  const [seen] = await find()
  const user = seen && (await userForUpdate(tx, seen.userId))
  // Of two clicks the second waits here, and finds it done.
  const [change] = user ? await find() : []
  if (!user || !change) refuse(sessionRefusals.undo_expired)
  const email = change.oldEmail
  const username = isSame(user.username, user.email) ? email : user.username
  await tx.delete(emailChanges).where(and(eq(emailChanges.userId, user.id), gte(emailChanges.id, change.id)))
  await refuseTakenNames(tx, { email, username }, { now, exceptId: user.id })
  const restored = await refusingTakenNames(() =>
    tx
      .update(users)
      // Only its mailbox was given the link.
      .set({ email, username, emailVerifiedAt: now, updatedAt: changedAt(users.updatedAt, now) })
      .where(eq(users.id, user.id))
      .returning()
      .then(onlyRow),
  )
  await redirectUndelivered(tx, user.email, email)
  await revokeLinks(tx, user.id)
  const sessions = await endSessionsOf(tx, user.id)
  await endKeys(tx, user.id)
  await recordSecurity(tx, { kind: 'email_change_undone', subject: user.id, details: { cause: 'own_wish' } }, now)
  if (sessions > 0) {
    await recordSecurity(tx, { kind: 'sessions_ended', subject: user.id, details: { sessions, cause: 'undone' } }, now)
  }
  await queueMail(tx, 'email-change-undone', { to: recipient(restored), isBack: true })
  await queueMail(tx, 'email-change-undone', { to: recipient(user), isBack: false })
}

/** Whether two names are one: case does not matter. */
export const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
