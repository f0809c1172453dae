import { eq } from 'drizzle-orm'
import { differences, recordAdminChange } from '#audit/server/audit.ts'
import { refuseIfChanged } from '#foundation/fields.ts'
import { commonRefusals, refuse } from '#foundation/refusal.ts'
import { redirectUndelivered, type TokenOf } from '#messages/server/messages.ts'
import { changedAt } from '#platform/database/columns.ts'
import { onlyRow, type Tx } from '#platform/database/database.ts'
import { recordSecurity } from '#security/server/security.ts'
import { accountRefusals } from '../../contract.ts'
import { ASKED_AGAIN_AFTER_MINUTES, mayBeInvited } from '../../rules.ts'
import { type UserRow, users } from '../../tables.ts'
import { handleEmailChange, isSame } from '../addresses/change-email.ts'
import { revokeLinks } from '../one-time-links.ts'
import { endSessionsOf } from '../sessions/sessions.ts'
import { raiseAlarm } from '../sign-in/alarms.ts'
import { refuseLosingLastAdmin, refuseTakenNames, mapTakenNames, userForUpdate } from '../users.ts'

/** What of a user may be edited, and is written down when it is. */
export const EDITABLE_FIELDS = ['username', 'email', 'firstName', 'lastName', 'phone', 'isAdmin'] as const

/** What is absent or null stays as it is. */
export type UserEdit = {
  username?: string | null
  email?: string | null
  firstName?: string | null
  lastName?: string | null
  /** Empty: none from now on. */
  phone?: string | null
  isAdmin?: boolean | null
  /** The state that was edited; absent: whatever it is now. */
  ifUpdatedAt?: string | null
}

type Context = {
  mode: 'demo' | 'live'
  verification: 'off' | 'required'
  tokenOf: TokenOf
  now: Temporal.Instant
}

/**
 * Changes what is given. A new address has to be proved anew, and a username that was the old one follows it. Admins cannot
 * demote themselves, and the last admin stays one.
 */
export async function editUser(
  tx: Tx,
  admin: { id: string; session?: { id: string }; mustProve?(minutes: number): boolean },
  id: string,
  { ifUpdatedAt, ...given }: UserEdit,
  context: Context,
): Promise<UserRow> {
  const { now } = context
  const user = await userForUpdate(tx, id)
  if (!user) refuse(accountRefusals.user_not_found)
  refuseIfChanged(user.updatedAt, ifUpdatedAt)
  // Nothing that was proved of the address before, or mailed to it, says anything about the new one.
  const isMoved = given.email != null && !isSame(given.email, user.email)
  const keepsUsername = given.username == null || isSame(given.username, user.username)
  const edit =
    isMoved && keepsUsername && isSame(user.username, user.email) ? { ...given, username: given.email } : given
  const changesRole = given.isAdmin != null && given.isAdmin !== user.isAdmin
  const isSensitive = changesRole || (isMoved && id !== admin.id)
  if (isSensitive && admin.mustProve?.(ASKED_AGAIN_AFTER_MINUTES)) refuse(commonRefusals.step_up_required)
  if (user.blockedAt && edit.isAdmin) refuse(accountRefusals.cannot_promote_blocked_member)
  if (user.isAdmin && edit.isAdmin === false) {
    if (id === admin.id) refuse(accountRefusals.cannot_demote_self)
    await refuseLosingLastAdmin(tx, user)
  }
  await refuseTakenNames(tx, edit, { now, exceptId: id })
  const said = Object.entries(edit).filter(([, value]) => value != null)
  const changes = Object.fromEntries(
    said.map(([name, value]) => [name, name === 'phone' && value === '' ? null : value]),
  )
  if (Object.keys(changes).length === 0) return user
  if (isMoved) await revokeLinks(tx, id)
  const edited = await mapTakenNames(() =>
    tx
      .update(users)
      .set({ ...changes, ...(isMoved && { emailVerifiedAt: null }), updatedAt: changedAt(users.updatedAt, now) })
      .where(eq(users.id, id))
      .returning()
      .then(onlyRow),
  )
  if (isMoved) await moveAddress(tx, { user, edited, admin }, context)
  if (edited.isAdmin !== user.isAdmin) await changeRole(tx, { user, edited, admin }, context)
  const subject = { kind: 'user' as const, id }
  await recordAdminChange(tx, admin, { action: 'edited', subject, changes: differences(EDITABLE_FIELDS, user, edited) }, now)
  return edited
}

type Edited = { user: UserRow; edited: UserRow; admin: { id: string; session?: { id: string } } }

async function moveAddress(tx: Tx, { user, edited, admin }: Edited, context: Context): Promise<void> {
  const { verification } = context
  await redirectUndelivered(tx, user.email, edited.email)
  // An address that nobody has shown to be theirs may be a stranger's: it is told nothing, and given no way in.
  const wasTheirs = user.emailVerifiedAt !== null || (verification === 'off' && user.passwordHash !== null)
  const by = { id: admin.id, sessionId: admin.session?.id }
  await handleEmailChange(tx, { before: user, after: edited, wasTheirs, by }, context)
  const canLogIn = edited.passwordHash !== null
  // The invitation went to the old address; a member with a password would be asked for the new one at the next login.
  if (edited.invitedAt && mayBeInvited({ ...edited, canLogIn })) {
    await tx.enqueue('mail-link', { userId: edited.id, purpose: 'invitation' })
  } else if (verification === 'required') {
    await tx.enqueue('mail-link', { userId: edited.id, purpose: 'verify_email' })
  }
}

/**
 * Other rights are on record, and told by mail. In live mode nobody goes on with other rights than they signed in with: their
 * sessions end; in the demo the rights hold from the next request on.
 */
async function changeRole(tx: Tx, { edited, admin }: Edited, { mode, now }: Context): Promise<void> {
  const who = { actor: admin.id, subject: edited.id }
  const kind = edited.isAdmin ? 'role_given' : 'role_taken'
  await recordSecurity(tx, { kind, ...who, details: { cause: 'studio' } }, now)
  await raiseAlarm(tx, edited.isAdmin ? 'made_admin' : 'no_longer_admin', edited, { mode, now })
  const sessions = mode === 'live' ? await endSessionsOf(tx, edited.id) : 0
  if (sessions === 0) return
  await recordSecurity(tx, { kind: 'sessions_ended', ...who, details: { sessions, cause: 'role' } }, now)
}
