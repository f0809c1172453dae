import { eq, getColumns } from 'drizzle-orm'
import type { z } from 'zod'
import type { AuditedField } from '#audit/contract.ts'
import { differences, recordAdminChange } from '#audit/server/audit.ts'
import { keysOf } from '#foundation/collections.ts'
import { refuseIfChanged } from '#foundation/fields.ts'
import { commonRefusals, refuse, refuseField } from '#foundation/refusal.ts'
import { redirectUndelivered, type TokenOf } from '#messages/server/messages.ts'
import { changedAt } from '#platform/database/columns.ts'
import { onlyRow, type Tx } from '#platform/database/database.ts'
import { recordSecurity } from '#security/server/security.ts'
import { accountRefusals, EDITABLE, type editUser as editUserEndpoint } from '../../contract.ts'
import { mayBeInvited, type Role, rightsOf, roleOf, STEP_UP_AFTER_MINUTES } from '../../rules.ts'
import { type UserRow, users } from '../../tables.ts'
import { handleEmailChange, isSame, wasAddressKnown } from '../addresses/change-email.ts'
import { revokeLinks } from '../one-time-links.ts'
import { endSessionsOf, recordSessionsEnded } from '../sessions/sessions.ts'
import { raiseAlarm } from '../sign-in/alarms.ts'
import {
  mapTakenNames,
  refuseLosingLastAdmin,
  refuseTakenNames,
  type UserWithEmail,
  userForUpdate,
  withEmail,
} from '../users.ts'

export const EDITABLE_FIELDS = [
  ...keysOf(EDITABLE),
  'isAdmin',
  'isTeacher',
  'teachesAs',
] as const satisfies AuditedField<'user'>[]

/** Absent and null fields do not change. With `ifUpdatedAt`, the version that was edited, conflicts are refused. */
type UserEdit = z.output<(typeof editUserEndpoint)['body']>

/** What may be absent is null, not empty. */
const stored = (field: string, value: unknown) => {
  const column = Object.entries(getColumns(users)).find(([name]) => name === field)?.[1]
  return value === '' && !column?.notNull ? null : value
}

type Context = {
  mode: 'demo' | 'live'
  verification: 'off' | 'required'
  tokenOf: TokenOf
  now: Temporal.Instant
}

/**
 * Edits a user. A new address must be verified again, and a username that equals the old one changes with it. Admins
 * cannot demote themselves, and the last admin cannot be demoted.
 */
export async function editUser(
  tx: Tx,
  admin: { id: string; session?: { id: string }; mustProve?(minutes: number): boolean },
  id: string,
  { ifUpdatedAt, role: givenRole, isAdmin, teachesAs, ...given }: UserEdit,
  context: Context,
): Promise<UserRow> {
  const { now } = context
  const user = await userForUpdate(tx, id)
  if (!user) refuse(accountRefusals.user_not_found)
  refuseIfChanged(user.updatedAt, ifUpdatedAt)
  const hasNewAddress = Boolean(given.email) && !isSame(given.email ?? null, user.email)
  const isUsernameUnchanged = given.username == null || isSame(given.username, user.username)
  const role = givenRole ?? roleGivenBy(isAdmin, user)
  const isRoleChanged = role !== roleOf(user)
  // A member without an email address gets their first one, and the username with it.
  const email = given.email || null
  if (user.email === null && email === null && isRoleChanged) refuse(accountRefusals.email_needed)
  if (user.email === null && email === null && given.phone === '') refuseField(accountRefusals.phone_needed, 'phone')
  const edit = {
    ...given,
    email,
    username: user.email === null && email === null ? null : given.username,
    ...(hasNewAddress && isUsernameUnchanged && isSame(user.username, user.email) && { username: email }),
    ...(isRoleChanged && rightsOf(role)),
    ...(role === 'teacher' && { teachesAs }),
  }
  const isSensitive = isRoleChanged || (hasNewAddress && id !== admin.id)
  if (isSensitive && admin.mustProve?.(STEP_UP_AFTER_MINUTES)) refuse(commonRefusals.step_up_required)
  if (user.blockedAt && role !== 'member') refuse(accountRefusals.cannot_promote_blocked_member)
  if (user.isAdmin && role !== 'admin') {
    if (id === admin.id) refuse(accountRefusals.cannot_demote_self)
    await refuseLosingLastAdmin(tx, user)
  }
  await refuseTakenNames(tx, edit, { now, exceptId: id })
  const fields = Object.entries(edit).filter(([, value]) => value != null)
  const changes = Object.fromEntries(fields.map(([name, value]) => [name, stored(name, value)]))
  if (Object.keys(changes).length === 0) return user
  if (hasNewAddress) await revokeLinks(tx, id)
  const edited = await mapTakenNames(() =>
    tx
      .update(users)
      .set({
        ...changes,
        emailVerifiedAt: hasNewAddress ? null : undefined,
        updatedAt: changedAt(users.updatedAt, now),
      })
      .where(eq(users.id, id))
      .returning()
      .then(onlyRow),
  )
  if (hasNewAddress) await changeAddress(tx, { user, edited: withEmail(edited), admin }, context)
  if (isRoleChanged) await changeRole(tx, { user, edited: withEmail(edited), admin }, context)
  const subject = { kind: 'user' as const, id }
  await recordAdminChange(
    tx,
    admin,
    { action: 'edited', subject, changes: differences(EDITABLE_FIELDS, user, edited) },
    now,
  )
  return edited
}

type Edited = { user: UserRow; edited: UserWithEmail; admin: { id: string; session?: { id: string } } }

async function changeAddress(tx: Tx, { user, edited, admin }: Edited, context: Context): Promise<void> {
  const { verification } = context
  if (user.email !== null) await redirectUndelivered(tx, user.email, edited.email)
  const wasVerified = wasAddressKnown(user, verification)
  const by = { id: admin.id, sessionId: admin.session?.id }
  await handleEmailChange(tx, { before: user, after: edited, wasVerified, by }, context)
  const canLogIn = edited.passwordHash !== null
  // The invitation went to the old address, or there was none to send it to.
  const needsInvitation = edited.invitedAt !== null || user.email === null
  if (needsInvitation && mayBeInvited({ ...edited, canLogIn })) {
    await tx.enqueue('mail-link', { userId: edited.id, purpose: 'invitation' })
  } else if (verification === 'required') {
    await tx.enqueue('mail-link', { userId: edited.id, purpose: 'verify_email' })
  }
}

/** `isAdmin: false` makes an admin a member and leaves a teacher alone. */
function roleGivenBy(isAdmin: boolean | null | undefined, user: UserRow): Role {
  if (isAdmin) return 'admin'
  return isAdmin === false && user.isAdmin ? 'member' : roleOf(user)
}

/** A change between admin and teacher is recorded as both. */
const ROLE_EVENTS = {
  admin: { given: ['role_given', 'made_admin'], taken: ['role_taken', 'no_longer_admin'] },
  teacher: { given: ['teacher_given', 'made_teacher'], taken: ['teacher_taken', 'no_longer_teacher'] },
} as const

/** Records and emails a changed role. In live mode the user's sessions end. */
async function changeRole(tx: Tx, { user, edited, admin }: Edited, { mode, now }: Context): Promise<void> {
  const who = { actor: admin.id, subject: edited.id }
  const [before, after] = [roleOf(user), roleOf(edited)]
  for (const [kind, alarm] of [
    ...(before === 'member' ? [] : [ROLE_EVENTS[before].taken]),
    ...(after === 'member' ? [] : [ROLE_EVENTS[after].given]),
  ]) {
    await recordSecurity(tx, { kind, ...who, details: { cause: 'studio' } }, now)
    await raiseAlarm(tx, alarm, edited, { mode, now })
  }
  // A restored backup must not give a role back.
  await tx.enqueue('update-journal', {})
  const sessions = mode === 'live' ? await endSessionsOf(tx, edited.id) : 0
  await recordSessionsEnded(tx, sessions, { ...who, cause: 'role' }, now)
}
