import { differences, recordAdminChange } from '#audit/server/audit.ts'
import { refuse } from '#foundation/refusal.ts'
import type { TokenOf } from '#messages/server/messages.ts'
import type { Tx } from '#platform/database/database.ts'
import { accountRefusals } from '../../contract.ts'
import { mayBeInvited } from '../../rules.ts'
import type { UserRow } from '../../tables.ts'
import { mailLink } from '../mail-link.ts'
import { userForUpdate } from '../user-for-update.ts'
import { addUser, findByEmail } from '../users.ts'
import { PROFILE } from './edit-user.ts'

export type NewMember = { firstName: string; lastName: string; email: string; phone?: string | null }

/**
 * An admin adds a member, who has no password and is mailed an invitation to set one; following it proves the address.
 * Refuses an address under which somebody else could log in.
 */
export async function addMember(
  tx: Tx,
  admin: { id: string },
  member: NewMember,
  { tokenOf, now }: { tokenOf: TokenOf; now: Temporal.Instant },
): Promise<UserRow> {
  const user = await addUser(tx, { ...member, username: member.email, passwordHash: null }, now)
  const subject = { kind: 'user' as const, id: user.id }
  await recordAdminChange(tx, admin, { action: 'created', subject, changes: differences(PROFILE, {}, user) }, now)
  await mailLink(tx, user.id, 'invitation', tokenOf, now)
  return user
}

/** Mails a member's invitation, for the first time or again. The newest three links work. */
export async function sendInvitation(
  tx: Tx,
  admin: { id: string },
  id: string,
  { tokenOf, now }: { tokenOf: TokenOf; now: Temporal.Instant },
): Promise<void> {
  if (!(await userForUpdate(tx, id))) refuse(accountRefusals.user_not_found)
  if (!(await mailLink(tx, id, 'invitation', tokenOf, now))) refuse(accountRefusals.password_already_set)
  await recordAdminChange(tx, admin, { action: 'invited', subject: { kind: 'user', id } }, now)
}

/**
 * Whether the address is of somebody who is expected and has no password yet: who registers with it is mailed the
 * invitation, behind the answer.
 */
export async function inviteExpected(tx: Tx, email: string): Promise<boolean> {
  const user = await findByEmail(tx, email)
  if (!user || !mayBeInvited({ ...user, canLogIn: user.passwordHash !== null })) return false
  await tx.enqueue('mail-link', { userId: user.id, purpose: 'invitation' })
  return true
}
