import { and, eq, gte, sql } from 'drizzle-orm'
import { commonRefusals, refuse } from '#foundation/refusal.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { recordSecurity } from '#security/server/security.ts'
import type { CurrentUser } from '../../contract.ts'
import { factorRefusals } from '../../contract-factors.ts'
import type { ProofOptions } from '../../contract-proofs.ts'
import { isStaff } from '../../rules.ts'
import {
  authenticatorApps,
  type PasskeyRow,
  passkeys,
  recoveryCodes,
  sessions,
  type UserRow,
  users,
} from '../../tables.ts'
import { toUser, type UserWithEmail } from '../users.ts'
import { appOf, recoveryCodesLeft } from './codes.ts'
import { passkeyRequestOptions, passkeysOf, type Site } from './passkeys.ts'

export type SecondFactor = 'off' | 'required'

/** Whether a user has a passkey or an authenticator app. */
export async function hasFactor(reader: Reader, userId: string): Promise<boolean> {
  const { rows } = await reader.execute<{ has: boolean }>(sql`
    select exists (select from ${passkeys} where ${passkeys.userId} = ${userId})
      or exists (select from ${authenticatorApps} where ${authenticatorApps.userId} = ${userId}) as has`)
  return rows[0]?.has === true
}

/** Whether the password is not enough. Staff without a factor sign in as a member and set one up. */
export async function isSecondStepDue(reader: Reader, user: UserRow, secondFactor: SecondFactor): Promise<boolean> {
  return isStaff(user) && secondFactor === 'required' && (await hasFactor(reader, user.id))
}

/** How a user can prove who they are. Staff with a factor must use it. */
export async function proofOptions(
  tx: Tx,
  { site, now }: { site: Site; now: Temporal.Instant },
  user: { id: string; isAdmin: boolean; isTeacher: boolean },
  purpose: 'second_step' | 'confirm',
): Promise<ProofOptions> {
  const known = await passkeysOf(tx, user.id)
  const hasCodes = (await appOf(tx, user.id)) !== undefined || (await recoveryCodesLeft(tx, user.id)) > 0
  const scope = { purpose, userId: user.id }
  return {
    password: purpose === 'confirm' && !(isStaff(user) && (await hasFactor(tx, user.id))),
    codes: hasCodes,
    passkey: site && known.length > 0 ? { ...(await passkeyRequestOptions(tx, site, scope, now, known)) } : null,
  }
}

export async function factorsOf(
  reader: Reader,
  user: { id: string; isAdmin: boolean; isTeacher: boolean },
  { site, secondFactor }: { site: Site; secondFactor: SecondFactor },
) {
  const app = await appOf(reader, user.id)
  return {
    passkeys: await passkeysOf(reader, user.id),
    app: app ?? null,
    recoveryCodes: await recoveryCodesLeft(reader, user.id),
    isRequired: isStaff(user) && secondFactor === 'required',
    mayUseCodes: isStaff(user),
    passkeysAt: site?.origin ?? null,
  }
}

/** For the user's data export. */
export async function secondStepsOf(reader: Reader, userId: string) {
  const app = await appOf(reader, userId)
  return {
    passkeys: await passkeysOf(reader, userId),
    authenticatorAppSince: app?.createdAt ?? null,
    recoveryCodesLeft: await recoveryCodesLeft(reader, userId),
  }
}

/**
 * Locks a user while their factors change. Refuses a session that has ended since the request arrived: the owner may
 * have recovered the account from a thief.
 */
export async function lockUserForChange(tx: Tx, id: string, sessionId: string): Promise<UserRow> {
  const [user] = await tx.select().from(users).where(eq(users.id, id)).for('no key update')
  if (!user) refuse(factorRefusals.passkey_not_found)
  const [session] = await tx.select({ id: sessions.id }).from(sessions).where(eq(sessions.id, sessionId))
  return session ? user : refuse(commonRefusals.unauthorized)
}

/** Call this after a removal: refuses to leave staff without a required second step. */
export async function refuseLosingLastFactor(tx: Tx, user: UserRow, secondFactor: SecondFactor): Promise<void> {
  if (isStaff(user) && secondFactor === 'required' && !(await hasFactor(tx, user.id)))
    refuse(factorRefusals.last_second_factor)
}

export type RemovedFactors = { passkeys: PasskeyRow[]; hadApp: boolean; recoveryCodes: number }

/**
 * Removes a user's passkeys, authenticator app and recovery codes, and records it. End the user's sessions afterwards,
 * so that a sign-in in progress ends too.
 *
 * @param since only factors added at or after this instant
 * @param actor the signed-in user, if any
 */
export async function removeFactors(
  tx: Tx,
  user: { id: string },
  {
    cause,
    since,
    actor,
    now,
  }: { cause: 'command' | 'password' | 'undone'; since?: Temporal.Instant; actor?: string; now: Temporal.Instant },
): Promise<RemovedFactors> {
  const theirs = (table: typeof passkeys | typeof authenticatorApps | typeof recoveryCodes) =>
    and(eq(table.userId, user.id), since && gte(table.createdAt, since))
  const removed = {
    passkeys: await tx.delete(passkeys).where(theirs(passkeys)).returning(),
    hadApp: (await tx.delete(authenticatorApps).where(theirs(authenticatorApps)).returning()).length > 0,
    recoveryCodes: (await tx.delete(recoveryCodes).where(theirs(recoveryCodes)).returning()).length,
  }
  const who = { actor, subject: user.id }
  if (removed.passkeys.length > 0)
    await recordSecurity(tx, { kind: 'passkey_removed', ...who, details: { cause } }, now)
  if (removed.hadApp || removed.recoveryCodes > 0) {
    const factor = removed.hadApp ? 'totp' : 'recovery_codes'
    await recordSecurity(tx, { kind: 'second_factor_removed', ...who, details: { factor, cause } }, now)
  }
  return removed
}

/** The signed-in user. If a second step is required, staff are members until they have taken it in this session. */
export function toCurrentUser(
  row: UserWithEmail,
  { isStrong, hasFactor, secondFactor }: { isStrong: boolean; hasFactor: boolean; secondFactor: SecondFactor },
): CurrentUser {
  const user = toUser(row)
  if (!isStaff(row) || isStrong || secondFactor === 'off') return user
  return { ...user, isAdmin: false, secondStep: hasFactor ? 'take' : 'set_up' }
}
