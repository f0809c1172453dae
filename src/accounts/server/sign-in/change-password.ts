import { and, eq } from 'drizzle-orm'
import { refuseField } from '#foundation/refusal.ts'
import { queueMail } from '#messages/server/messages.ts'
import type { Tx } from '#platform/database/database.ts'
import { recordSecurity } from '#security/server/security.ts'
import { sessionRefusals } from '../../contract-sessions.ts'
import { type PasskeyRow, users } from '../../tables.ts'
import { passkeysOf } from '../factors/passkeys.ts'
import { cancelEmailChange } from '../one-time-links.ts'
import { type Device, endSessionsOf, recordSessionsEnded } from '../sessions/sessions.ts'
import type { UserWithEmail } from '../users.ts'
import { alarmRecipients } from './alarms.ts'

export function refuseCurrentPassword(): never {
  return refuseField(sessionRefusals.current_password_incorrect, 'currentPassword')
}

/**
 * Changes a password whose current one was checked: ends every session and emails the user. Refuses if the password has
 * changed since the check.
 *
 * @param user the row at the time of the check
 */
export async function changePassword(
  tx: Tx,
  user: UserWithEmail,
  { passwordHash, device, now }: { passwordHash: string; device: Device; now: Temporal.Instant },
): Promise<void> {
  const isUnchanged = and(eq(users.id, user.id), eq(users.passwordHash, user.passwordHash ?? ''))
  const [changed] = await tx.update(users).set({ passwordHash }).where(isUnchanged).returning({ id: users.id })
  if (!changed) refuseCurrentPassword()
  const sessions = await endSessionsOf(tx, user.id)
  const passkeys = { removed: [], kept: await passkeysOf(tx, user.id) }
  await reportPasswordChange(tx, user, { kind: 'password_changed', sessions, passkeys, device, now })
}

/** Records and emails a changed password, with the ended sessions and the removed and remaining passkeys. */
export async function reportPasswordChange(
  tx: Tx,
  user: { id: string; email: string; firstName: string },
  change: {
    kind: 'password_changed' | 'password_reset'
    sessions: number
    passkeys: { removed: PasskeyRow[]; kept: PasskeyRow[] }
    device: Device
    now: Temporal.Instant
  },
): Promise<void> {
  const { kind, sessions, passkeys, device, now } = change
  await recordSecurity(tx, { kind, actor: user.id, details: { cause: 'own_wish' } }, now)
  await recordSessionsEnded(tx, sessions, { actor: user.id, cause: 'password' }, now)
  // Someone with the old password may have asked for it.
  await cancelEmailChange(tx, user.id)
  const mailed = { removed: passkeys.removed.map(toMailedPasskey), kept: passkeys.kept.map(toMailedPasskey) }
  for (const each of await alarmRecipients(tx, user, now)) {
    await queueMail(tx, 'password-changed', { ...each, at: now.toString(), ...device, passkeys: mailed })
  }
}

export const toMailedPasskey = ({ label, createdAt }: PasskeyRow) => ({ label, addedAt: createdAt.toString() })
