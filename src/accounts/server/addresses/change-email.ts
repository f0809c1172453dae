import { and, eq, gt, gte } from 'drizzle-orm'
import { refuse } from '#foundation/refusal.ts'
import { queueMail, redirectUndelivered, type TokenOf } from '#messages/server/messages.ts'
import { changedAt } from '#platform/database/columns.ts'
import { onlyRow, type Tx } from '#platform/database/database.ts'
import { recordSecurity } from '#security/server/security.ts'
import { studio } from '#studio.ts'
import { sessionRefusals } from '../../contract-sessions.ts'
import { isStaff } from '../../rules.ts'
import { emailChanges, type UserRow, users } from '../../tables.ts'
import { removeFactors } from '../factors/factors.ts'
import { recipient } from '../members/register-member.ts'
import { hashOfToken, issueLink, newToken, revokeLinks } from '../one-time-links.ts'
import { endSessionsOf, recordSessionsEnded } from '../sessions/sessions.ts'
import { raiseAlarm } from '../sign-in/alarms.ts'
import { toMailedPasskey } from '../sign-in/change-password.ts'
import { mapTakenNames, refuseTakenNames, type UserWithEmail, userForUpdate, withEmail } from '../users.ts'

type Change = {
  /** Has no address if the new one is the member's first. */
  before: UserRow
  after: UserWithEmail
  /** Whether the old address was verified. */
  wasVerified: boolean
  by: { id: string; sessionId: string | undefined }
}
type UndoContext = {
  now: Temporal.Instant
  mode: 'demo' | 'live'
  tokenOf: TokenOf
  endKeys: (tx: Tx, userId: string) => Promise<void>
}
type Context = { mode: 'demo' | 'live'; verification: 'off' | 'required'; tokenOf: TokenOf; now: Temporal.Instant }

/**
 * Follows up a changed address: reserves the old one for some days, mails a link to restore it, and mails the new one.
 * In live mode it ends the user's sessions, except the session that made the change.
 */
export async function handleEmailChange(tx: Tx, { before, after, wasVerified, by }: Change, context: Context) {
  const { mode, verification, now } = context
  const changes = await undoableChanges(tx, after.id, now)
  const undone = changes.find(({ oldEmail }) => isSame(oldEmail, after.email))
  const isKnown = wasVerified || changes.some(({ oldEmail }) => isSame(oldEmail, before.email))
  if (undone) {
    // Back at an earlier address: its link still works, and the address in between gets none.
    await tx.delete(emailChanges).where(and(eq(emailChanges.userId, after.id), gt(emailChanges.id, undone.id)))
    if (isKnown) await queueMail(tx, 'email-change-undone', { to: recipient(before), restored: null })
  } else if (isKnown && before.email !== null) {
    await reserveOldAddress(tx, { oldEmail: before.email, before, after }, context)
  }
  // With verification, the new address gets a link instead.
  if (after.passwordHash !== null && verification === 'off') {
    await queueMail(tx, 'email-changed-to', { to: recipient(after) })
  }
  const isOwn = by.id === after.id
  const who = { actor: by.id, subject: after.id }
  await recordSecurity(tx, { kind: 'email_changed', ...who, details: { cause: isOwn ? 'own_wish' : 'studio' } }, now)
  const sessions = mode === 'live' ? await endSessionsOf(tx, after.id, isOwn ? by.sessionId : undefined) : 0
  await recordSessionsEnded(tx, sessions, { ...who, cause: 'email' }, now)
}

async function reserveOldAddress(
  tx: Tx,
  { oldEmail, before, after }: Pick<Change, 'before' | 'after'> & { oldEmail: string },
  { tokenOf, now }: Context,
): Promise<void> {
  const linkId = newToken()
  const expiresAt = now.add({ hours: studio.policies.emailUndoDays * 24 })
  const change = { userId: after.id, oldEmail, changedAt: now, expiresAt }
  await tx.insert(emailChanges).values({ tokenHash: hashOfToken(tokenOf(linkId)), ...change })
  await queueMail(tx, 'email-changed', { to: recipient(before), newEmail: after.email, linkId })
}

/** Oldest first. */
async function undoableChanges(tx: Tx, userId: string, now: Temporal.Instant) {
  return await tx
    .select()
    .from(emailChanges)
    .where(and(eq(emailChanges.userId, userId), gt(emailChanges.expiresAt, now)))
    .orderBy(emailChanges.id)
}

/**
 * Restores an address with the link that was mailed to it, and a username that equals the current address. Later
 * changes can no longer be undone. To lock out a thief, this removes the password, the factors added since, all
 * sessions and all other links, and emails a link to set a new password.
 */
export async function undoEmailChange(tx: Tx, token: string, { now, mode, tokenOf, endKeys }: UndoContext) {
  const tokenHash = hashOfToken(token)
  const [seen] = await tx.select().from(emailChanges).where(eq(emailChanges.tokenHash, tokenHash))
  const user = seen && (await userForUpdate(tx, seen.userId))
  // A concurrent second click waits here and finds no change.
  const changes = user ? await undoableChanges(tx, user.id, now) : []
  const change = changes.find((each) => each.tokenHash.equals(tokenHash))
  // The address may have been restored and changed again: undo everything since the first change.
  const first = change && changes.find(({ oldEmail }) => isSame(oldEmail, change.oldEmail))
  if (!user || !first) refuse(sessionRefusals.undo_expired)
  const email = first.oldEmail
  const username = usernameAfter(user, email)
  await tx.delete(emailChanges).where(and(eq(emailChanges.userId, user.id), gte(emailChanges.id, first.id)))
  await refuseTakenNames(tx, { email, username }, { now, exceptId: user.id })
  const restored = await mapTakenNames(() =>
    tx
      .update(users)
      // The link proves that the address is theirs.
      .set({ email, username, passwordHash: null, emailVerifiedAt: now, updatedAt: changedAt(users.updatedAt, now) })
      .where(eq(users.id, user.id))
      .returning()
      .then(onlyRow),
  )
  if (user.email !== null) await redirectUndelivered(tx, user.email, email)
  await revokeLinks(tx, user.id)
  const who = { subject: user.id }
  await recordSecurity(tx, { kind: 'email_change_undone', ...who, details: { cause: 'own_wish' } }, now)
  await recordSecurity(tx, { kind: 'password_removed', ...who, details: { cause: 'undone' } }, now)
  const removed = await removeFactors(tx, user, { cause: 'undone', since: first.changedAt, now })
  const sessions = await endSessionsOf(tx, user.id)
  await endKeys(tx, user.id)
  await recordSessionsEnded(tx, sessions, { ...who, cause: 'undone' }, now)
  const linkId = newToken()
  await issueLink(tx, user.id, 'set_password', tokenOf(linkId), now)
  const named = { ...removed, passkeys: removed.passkeys.map(toMailedPasskey) }
  await queueMail(tx, 'email-change-undone', { to: recipient(restored), restored: { linkId, removed: named } })
  if (!isSame(user.email, email)) {
    await queueMail(tx, 'email-change-undone', { to: recipient(user), restored: null })
  }
  if (isStaff(user) && (removed.passkeys.length > 0 || removed.hadApp || removed.recoveryCodes > 0)) {
    await raiseAlarm(tx, 'factor_removed', withEmail(restored), { mode, now })
  }
}

/** A username that equals the address changes with it. */
export const usernameAfter = (user: UserRow, email: string) =>
  isSame(user.username, user.email) ? email : user.username

/** Whether the address is the member's. An unverified one may be a stranger's, so it gets no email. */
export const wasAddressKnown = ({ emailVerifiedAt, passwordHash }: UserRow, verification: 'off' | 'required') =>
  emailVerifiedAt !== null || (verification === 'off' && passwordHash !== null)

/** Ignores case. */
export const isSame = (a: string | null, b: string | null) => a?.toLowerCase() === b?.toLowerCase()
