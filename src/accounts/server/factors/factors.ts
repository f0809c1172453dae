import { and, eq, gte, sql } from 'drizzle-orm'
import { commonRefusals, refuse } from '#foundation/refusal.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { recordSecurity } from '#security/server/security.ts'
import type { CurrentUser } from '../../contract.ts'
import { type Factors, factorRefusals } from '../../contract-factors.ts'
import type { WaysToProve } from '../../contract-proofs.ts'
import {
  authenticatorApps,
  type PasskeyRow,
  passkeys,
  recoveryCodes,
  sessions,
  type UserRow,
  users,
} from '../../tables.ts'
import { toUser } from '../users.ts'
import { appOf, recoveryCodesLeft } from './codes.ts'
import { passkeysOf, passkeyRequestOptions, type Site, toPasskey } from './passkeys.ts'

/** Whether admins need a second step on this site. */
export type SecondFactor = 'off' | 'required'

/** Whether somebody has a passkey or an authenticator app; recovery codes alone are none. */
export async function hasFactor(reader: Reader, userId: string): Promise<boolean> {
  const { rows } = await reader.execute<{ has: boolean }>(sql`
    select exists (select from ${passkeys} where ${passkeys.userId} = ${userId})
      or exists (select from ${authenticatorApps} where ${authenticatorApps.userId} = ${userId}) as has`)
  return rows[0]?.has === true
}

/** Whether a right password is not enough for this user. An admin without a second step is let in as a member, to set one up. */
export async function isSecondStepDue(reader: Reader, user: UserRow, secondFactor: SecondFactor): Promise<boolean> {
  return user.isAdmin && secondFactor === 'required' && (await hasFactor(reader, user.id))
}

/** How somebody can prove who they are now. Admins who have a second step need it. */
export async function proofOptions(
  tx: Tx,
  { site, now }: { site: Site; now: Temporal.Instant },
  user: { id: string; isAdmin: boolean },
  purpose: 'second_step' | 'confirm',
): Promise<WaysToProve> {
  const known = await passkeysOf(tx, user.id)
  const hasCodes = (await appOf(tx, user.id)) !== undefined || (await recoveryCodesLeft(tx, user.id)) > 0
  const asked = { purpose, userId: user.id }
  return {
    password: purpose === 'confirm' && !(user.isAdmin && (await hasFactor(tx, user.id))),
    codes: hasCodes,
    passkey: site && known.length > 0 ? { ...(await passkeyRequestOptions(tx, site, asked, now, known)) } : null,
  }
}

/** What somebody signs in with besides the password. */
export async function factorsOf(
  reader: Reader,
  user: { id: string; isAdmin: boolean },
  { site, secondFactor }: { site: Site; secondFactor: SecondFactor },
): Promise<Factors> {
  const app = await appOf(reader, user.id)
  return {
    passkeys: (await passkeysOf(reader, user.id)).map(toPasskey),
    app: app ? { createdAt: app.createdAt.toString(), lastUsedAt: app.lastUsedAt?.toString() ?? null } : null,
    recoveryCodes: await recoveryCodesLeft(reader, user.id),
    isRequired: user.isAdmin && secondFactor === 'required',
    mayUseCodes: user.isAdmin,
    passkeysAt: site?.origin ?? null,
  }
}

/** What is kept of how somebody signs in besides the password, for them to download. */
export async function secondStepsOf(reader: Reader, userId: string) {
  const app = await appOf(reader, userId)
  return {
    passkeys: (await passkeysOf(reader, userId)).map(toPasskey),
    authenticatorAppSince: app?.createdAt.toString() ?? null,
    recoveryCodesLeft: await recoveryCodesLeft(reader, userId),
  }
}

/**
 * Holds a user while their ways in change: of two removals at once the second sees the first. Refuses a session that has ended
 * since the request arrived: the account may have been recovered from its sender.
 */
export async function lockUserForChange(tx: Tx, id: string, sessionId: string): Promise<UserRow> {
  const [user] = await tx.select().from(users).where(eq(users.id, id)).for('no key update')
  if (!user) refuse(factorRefusals.passkey_not_found)
  const [session] = await tx.select({ id: sessions.id }).from(sessions).where(eq(sessions.id, sessionId))
  return session ? user : refuse(commonRefusals.unauthorized)
}

/** Refuses to leave an admin without a second step where the site asks for one. To be called when one has been removed. */
export async function refuseLosingLastFactor(tx: Tx, user: UserRow, secondFactor: SecondFactor): Promise<void> {
  if (user.isAdmin && secondFactor === 'required' && !(await hasFactor(tx, user.id)))
    refuse(factorRefusals.last_second_factor)
}

/** What was removed of a user's ways in. */
export type RemovedFactors = { passkeys: PasskeyRow[]; hadApp: boolean; recoveryCodes: number }

/**
 * Removes a user's passkeys, authenticator app and recovery codes and records it. End the user's sessions after it, so that a
 * sign-in under way with one of them ends too.
 *
 * @param since only what was added at this moment or later; absent: everything
 * @param actor absent: nobody who was signed in
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

/**
 * Who is signed in, as their session lets them be: where the site asks for a second step, an admin is a member until they
 * have taken one in this session.
 */
export function toCurrentUser(
  row: UserRow,
  { isStrong, hasFactor, secondFactor }: { isStrong: boolean; hasFactor: boolean; secondFactor: SecondFactor },
): CurrentUser {
  const user = toUser(row)
  if (!row.isAdmin || isStrong || secondFactor === 'off') return user
  return { ...user, isAdmin: false, secondStep: hasFactor ? 'take' : 'set_up' }
}
