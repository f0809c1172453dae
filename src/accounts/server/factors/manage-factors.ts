import { and, eq } from 'drizzle-orm'
import { commonRefusals, refuse } from '#foundation/refusal.ts'
import { onlyRow, type Tx, violates } from '#platform/database/database.ts'
import { recordSecurity } from '#security/server/security.ts'
import { factorRefusals } from '../../contract-factors.ts'
import { isStaff } from '../../rules.ts'
import { authenticatorApps, type PasskeyRow, passkeys, type UserRow } from '../../tables.ts'
import type { Device } from '../sessions/sessions.ts'
import { type Alarm, raiseAlarm } from '../sign-in/alarms.ts'
import { withEmail } from '../users.ts'
import { makeRecoveryCodes, recoveryCodesLeft, saveApp } from './codes.ts'
import { hasFactor, lockUserForChange, refuseLosingLastFactor, removeFactors, type SecondFactor } from './factors.ts'
import { MAX_PASSKEYS, passkeysOf, type verifyNewPasskey } from './passkeys.ts'

export type FactorChange = {
  now: Temporal.Instant
  mode: 'demo' | 'live'
  secondFactor: SecondFactor
  device: Device
  sessionId: string
  /** The session has no second step, so this may only be the first factor. */
  isWithheld: boolean
}

/** Adds a passkey. Staff without recovery codes get some, in case the device is lost. */
export async function addPasskey(
  tx: Tx,
  made: Awaited<ReturnType<typeof verifyNewPasskey>> & { label: string },
  change: FactorChange,
): Promise<{ passkey: PasskeyRow; recoveryCodes: string[] | null }> {
  const user = await lockUserForChange(tx, made.userId, change.sessionId)
  await refuseSecondFactorWithoutProof(tx, user, change)
  if ((await passkeysOf(tx, user.id)).length >= MAX_PASSKEYS) refuse(factorRefusals.too_many_passkeys)
  const passkey = await insertPasskey(tx, made, change.now)
  await recordSecurity(tx, { kind: 'passkey_added', actor: user.id, details: { cause: 'own_wish' } }, change.now)
  await raise(tx, 'factor_added', user, change)
  return { passkey, recoveryCodes: await firstRecoveryCodes(tx, user, change.now) }
}

/** Of two concurrent first factors, the second is refused. */
async function refuseSecondFactorWithoutProof(tx: Tx, user: UserRow, { isWithheld }: FactorChange): Promise<void> {
  if (isWithheld && (await hasFactor(tx, user.id))) refuse(commonRefusals.step_up_required)
}

async function insertPasskey(
  tx: Tx,
  made: Parameters<typeof addPasskey>[1],
  now: Temporal.Instant,
): Promise<PasskeyRow> {
  try {
    return onlyRow(
      await tx
        .insert(passkeys)
        .values({ ...made, createdAt: now })
        .returning(),
    )
  } catch (error) {
    if (violates(error, 'passkeys_credential_id_key')) refuse(factorRefusals.passkey_already_registered)
    throw error
  }
}

/** Renames a passkey of this user. */
export async function renamePasskey(tx: Tx, userId: string, id: number, label: string): Promise<PasskeyRow> {
  const [renamed] = await tx
    .update(passkeys)
    .set({ label })
    .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)))
    .returning()
  return renamed ?? refuse(factorRefusals.passkey_not_found)
}

/** Removes a passkey of this user. Refuses to remove the last factor of staff. */
export async function removePasskey(tx: Tx, userId: string, id: number, change: FactorChange): Promise<void> {
  const user = await lockUserForChange(tx, userId, change.sessionId)
  const removed = await tx
    .delete(passkeys)
    .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)))
    .returning({ id: passkeys.id })
  if (removed.length === 0) refuse(factorRefusals.passkey_not_found)
  await refuseLosingLastFactor(tx, user, change.secondFactor)
  await recordSecurity(tx, { kind: 'passkey_removed', actor: userId, details: { cause: 'own_wish' } }, change.now)
  await tx.enqueue('update-journal', {})
  await raise(tx, 'factor_removed', user, change)
}

/** Adds or replaces the authenticator app. */
export async function addApp(
  tx: Tx,
  app: { userId: string; sealedSecret: Buffer; lastStep: number },
  change: FactorChange,
): Promise<{ recoveryCodes: string[] | null }> {
  const user = await lockUserForChange(tx, app.userId, change.sessionId)
  await refuseSecondFactorWithoutProof(tx, user, change)
  await saveApp(tx, app, change.now)
  const details = { factor: 'totp', cause: 'own_wish' } as const
  await recordSecurity(tx, { kind: 'second_factor_added', actor: user.id, details }, change.now)
  await raise(tx, 'factor_added', user, change)
  return { recoveryCodes: await firstRecoveryCodes(tx, user, change.now) }
}

/** Removes the authenticator app. Refuses to remove the last factor of staff. */
export async function removeApp(tx: Tx, userId: string, change: FactorChange): Promise<void> {
  const user = await lockUserForChange(tx, userId, change.sessionId)
  const removed = await tx
    .delete(authenticatorApps)
    .where(eq(authenticatorApps.userId, userId))
    .returning({ userId: authenticatorApps.userId })
  if (removed.length === 0) refuse(factorRefusals.authenticator_not_found)
  await refuseLosingLastFactor(tx, user, change.secondFactor)
  const details = { factor: 'totp', cause: 'own_wish' } as const
  await recordSecurity(tx, { kind: 'second_factor_removed', actor: userId, details }, change.now)
  await raise(tx, 'factor_removed', user, change)
}

/** Replaces the recovery codes. */
export async function renewCodes(tx: Tx, userId: string, change: FactorChange): Promise<string[]> {
  const user = await lockUserForChange(tx, userId, change.sessionId)
  const codes = await makeRecoveryCodes(tx, userId, change.now)
  await recordSecurity(
    tx,
    { kind: 'recovery_codes_renewed', actor: userId, details: { cause: 'own_wish' } },
    change.now,
  )
  await raise(tx, 'recovery_codes_renewed', user, change)
  return codes
}

/** Records and emails that a recovery code was used. */
export async function reportRecoveryCodeUse(
  tx: Tx,
  user: UserRow,
  change: Omit<FactorChange, 'isWithheld' | 'sessionId'>,
): Promise<void> {
  await recordSecurity(tx, { kind: 'recovery_code_used', actor: user.id }, change.now)
  await raise(tx, 'recovery_code_used', user, change)
}

/** Removes all factors of a user who has lost them, by command. Returns how many. */
export async function resetFactors(
  tx: Tx,
  user: UserRow,
  { mode, now }: { mode: 'demo' | 'live'; now: Temporal.Instant },
): Promise<number> {
  const { passkeys: removed, hadApp } = await removeFactors(tx, user, { cause: 'command', now })
  await raiseAlarm(tx, 'factor_removed', withEmail(user), { mode, now })
  return removed.length + Number(hadApp)
}

async function firstRecoveryCodes(tx: Tx, user: UserRow, now: Temporal.Instant): Promise<string[] | null> {
  if (!isStaff(user) || (await recoveryCodesLeft(tx, user.id)) > 0) return null
  return await makeRecoveryCodes(tx, user.id, now)
}

const raise = (
  tx: Tx,
  kind: Alarm,
  user: UserRow,
  { mode, now, device }: Omit<FactorChange, 'isWithheld' | 'sessionId'>,
) => raiseAlarm(tx, kind, withEmail(user), { mode, now, device })
