import { and, eq, exists, or } from 'drizzle-orm'
import { differences, recordAdminChange } from '../../audit/server/audit.ts'
import { refuseIfChanged } from '../../foundation/freshness.ts'
import { refuse } from '../../foundation/refusal.ts'
import { redirectUndelivered } from '../../messages/server/messages.ts'
import { changedAt } from '../../platform/database/columns.ts'
import type { Tx } from '../../platform/database/database.ts'
import { onlyRow } from '../../platform/database/only-row.ts'
import { accountRefusals } from '../contract.ts'
import { mayBeInvited } from '../rules.ts'
import { type UserRow, users } from '../tables.ts'
import { revokeLinks } from './one-time-links.ts'
import { refuseTakenNames, refusingTakenNames } from './users.ts'

/** What of a user may be edited, and is written down when it is. */
export const PROFILE = ['username', 'email', 'firstName', 'lastName', 'phone', 'isAdmin'] as const

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

/** Changes what is given; a new address has to be proved anew. Admins cannot demote themselves, and the last admin stays one. */
export async function editUser(
  tx: Tx,
  admin: { id: string },
  id: string,
  { ifUpdatedAt, ...edit }: UserEdit,
  { verification, now }: { verification: 'off' | 'required'; now: Temporal.Instant },
): Promise<UserRow> {
  const user = await userForUpdate(tx, id)
  if (!user) refuse(accountRefusals.user_not_found)
  refuseIfChanged(user.updatedAt, ifUpdatedAt)
  if (user.blockedAt && edit.isAdmin) refuse(accountRefusals.cannot_promote_blocked)
  if (user.isAdmin && edit.isAdmin === false) {
    if (id === admin.id) refuse(accountRefusals.cannot_demote_self)
    await refuseLosingLastAdmin(tx, user)
  }
  await refuseTakenNames(tx, edit, id)
  const given = Object.entries(edit).filter(([, value]) => value != null)
  const changes = Object.fromEntries(
    given.map(([name, value]) => [name, name === 'phone' && value === '' ? null : value]),
  )
  if (Object.keys(changes).length === 0) return user
  // Nothing that was proved of the address before, or mailed to it, says anything about the new one.
  const isMoved = edit.email != null && edit.email.toLowerCase() !== user.email.toLowerCase()
  if (isMoved) await revokeLinks(tx, id)
  const edited = await refusingTakenNames(() =>
    tx
      .update(users)
      .set({ ...changes, ...(isMoved && { emailVerifiedAt: null }), updatedAt: changedAt(users.updatedAt, now) })
      .where(eq(users.id, id))
      .returning()
      .then(onlyRow),
  )
  if (isMoved) await redirectUndelivered(tx, user.email, edited.email)
  const canLogIn = edited.passwordHash !== null
  // The invitation went to the old address; a member with a password would be asked for the new one at the next login.
  if (isMoved && edited.invitedAt && mayBeInvited({ ...edited, canLogIn })) {
    await tx.enqueue('mail-link', { userId: id, purpose: 'invitation' })
  } else if (isMoved && verification === 'required') {
    await tx.enqueue('mail-link', { userId: id, purpose: 'verify_email' })
  }
  const subject = { kind: 'user' as const, id }
  await recordAdminChange(tx, admin, { action: 'edited', subject, changes: differences(PROFILE, user, edited) }, now)
  return edited
}

/**
 * Locks a user, and with an admin all admins, by ascending id: of two admins who would go at once neither waits for the
 * other in a ring, and the second sees the first gone.
 */
export async function userForUpdate(tx: Tx, id: string): Promise<UserRow | undefined> {
  const asAdmin = tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, id), eq(users.isAdmin, true)))
  const locked = await tx
    .select()
    .from(users)
    .where(or(eq(users.id, id), and(eq(users.isAdmin, true), exists(asAdmin))))
    .orderBy(users.id)
    .for('update')
  return locked.find((user) => user.id === id)
}

/** Refuses to take away an admin when no other is left; locks the admins, so that two cannot leave at once. */
export async function refuseLosingLastAdmin(tx: Tx, leaving: UserRow): Promise<void> {
  if (!leaving.isAdmin) return
  const admins = await tx
    .select({ id: users.id })
    .from(users)
    .where(eq(users.isAdmin, true))
    .orderBy(users.id)
    .for('update')
  if (admins.every(({ id }) => id === leaving.id)) refuse(accountRefusals.last_admin)
}
