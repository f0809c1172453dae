import { and, eq } from 'drizzle-orm'
import { type FieldError, refuse } from '#foundation/refusal.ts'
import { queueMail } from '#messages/server/messages.ts'
import type { Tx } from '#platform/database/database.ts'
import { recordSecurity } from '#security/server/security.ts'
import { sessionRefusals } from '../../contract-sessions.ts'
import { type PasskeyRow, type UserRow, users } from '../../tables.ts'
import { passkeysOf } from '../factors/passkeys.ts'
import { type Device, endSessionsOf } from '../sessions/sessions.ts'
import { alarmRecipients } from './alarms.ts'

/** Says beside its field that the current password is another. */
export function refuseCurrentPassword(): never {
  const { current_password_incorrect } = sessionRefusals
  const errors: FieldError[] = [{ path: 'currentPassword', message: current_password_incorrect.message }]
  return refuse(current_password_incorrect, errors)
}

/**
 * Changes the password of somebody who knows the present one: every session of theirs ends, the caller begins a new one, and a
 * mail says so. Refused when it has changed since it was checked.
 *
 * @param user as they were when their password was checked
 */
export async function changePassword(
  tx: Tx,
  user: UserRow,
  { passwordHash, device, now }: { passwordHash: string; device: Device; now: Temporal.Instant },
): Promise<void> {
  const isStill = and(eq(users.id, user.id), eq(users.passwordHash, user.passwordHash ?? ''))
  const [changed] = await tx.update(users).set({ passwordHash }).where(isStill).returning({ id: users.id })
  if (!changed) refuseCurrentPassword()
  const sessions = await endSessionsOf(tx, user.id)
  const passkeys = { removed: [], kept: await passkeysOf(tx, user.id) }
  await reportPasswordChange(tx, user, { kind: 'password_changed', sessions, passkeys, device, now })
}

/**
 * Puts on record, and mails, that a password is another and that sessions ended with the one before. The mail names the
 * passkeys that were removed with it, and those that still sign in.
 */
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
  if (sessions > 0) {
    await recordSecurity(tx, { kind: 'sessions_ended', actor: user.id, details: { sessions, cause: 'password' } }, now)
  }
  const named = { removed: passkeys.removed.map(toMailedPasskey), kept: passkeys.kept.map(toMailedPasskey) }
  for (const one of await alarmRecipients(tx, user, now)) {
    await queueMail(tx, 'password-changed', { ...one, at: now.toString(), ...device, passkeys: named })
  }
}

/** What a mail says of a passkey. */
export const toMailedPasskey = ({ label, createdAt }: PasskeyRow) => ({ label, addedAt: createdAt.toString() })
