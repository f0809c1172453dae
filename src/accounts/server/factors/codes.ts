import { randomBytes } from 'node:crypto'
import { and, eq, lt } from 'drizzle-orm'
import type { Reader, Tx } from '#platform/database/database.ts'
import type { SecretBox } from '#platform/vault/secret-box.ts'
import { RECOVERY_BYTES, RECOVERY_CODES, readCode, recoveryCodeOf } from '../../factor-rules.ts'
import { authenticatorApps, recoveryCodes } from '../../tables.ts'
import { hashOfToken } from '../one-time-links.ts'

/** Also the tolerance: one code before and one after. Source: RFC 6238, 5.2. */
const STEP_SECONDS = 30

const library = () => import('otplib')

/** A new secret for an authenticator app, with its `otpauth:` URI. */
export async function newAppSecret(issuer: string, label: string): Promise<{ secret: string; uri: string }> {
  const { generateSecret, generateURI } = await library()
  const secret = generateSecret()
  return { secret, uri: generateURI({ issuer, label, secret }) }
}

/** The time step of a code; undefined if it is wrong or expired. */
export async function stepOfCode(secret: string, code: string, now: Temporal.Instant): Promise<number | undefined> {
  const { verify } = await library()
  const epoch = Math.floor(now.epochMilliseconds / 1000)
  const checked = await verify({ secret, token: code, epoch, epochTolerance: STEP_SECONDS })
  return checked.valid && 'timeStep' in checked ? checked.timeStep : undefined
}

export async function appOf(reader: Reader, userId: string) {
  const [app] = await reader.select().from(authenticatorApps).where(eq(authenticatorApps.userId, userId))
  return app
}

/** Adds or replaces the authenticator app. */
export async function saveApp(
  tx: Tx,
  { userId, sealedSecret, lastStep }: { userId: string; sealedSecret: Buffer; lastStep: number },
  now: Temporal.Instant,
): Promise<void> {
  const app = { sealedSecret, lastStep, createdAt: now, lastUsedAt: null }
  await tx
    .insert(authenticatorApps)
    .values({ userId, ...app })
    .onConflictDoUpdate({ target: authenticatorApps.userId, set: app })
}

/** Accepts an app code. False if it is wrong or not newer than the last accepted one. */
export async function redeemAppCode(
  tx: Tx,
  secrets: SecretBox,
  { userId, code }: { userId: string; code: string },
  now: Temporal.Instant,
): Promise<boolean> {
  const app = await appOf(tx, userId)
  const secret = app && secrets.open(userId, app.sealedSecret)
  if (typeof secret !== 'string') return false
  const step = await stepOfCode(secret, code, now)
  if (step === undefined) return false
  const taken = await tx
    .update(authenticatorApps)
    .set({ lastStep: step, lastUsedAt: now })
    .where(and(eq(authenticatorApps.userId, userId), lt(authenticatorApps.lastStep, step)))
    .returning({ userId: authenticatorApps.userId })
  return taken.length > 0
}

/** A plain hash is enough for 120 random bits. The user id makes equal codes differ. */
const hashOf = (userId: string, code: string) => hashOfToken(`${userId}:${readCode(code)?.code}`)

/** Replaces the recovery codes. Only their hashes are stored. */
export async function makeRecoveryCodes(tx: Tx, userId: string, now: Temporal.Instant): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => recoveryCodeOf(randomBytes(RECOVERY_BYTES)))
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  await tx
    .insert(recoveryCodes)
    .values(codes.map((code) => ({ codeHash: hashOf(userId, code), userId, createdAt: now })))
  return codes
}

/** Uses up a recovery code. False if it is wrong or used. */
export async function redeemRecoveryCode(tx: Tx, { userId, code }: { userId: string; code: string }): Promise<boolean> {
  const isTheirs = and(eq(recoveryCodes.codeHash, hashOf(userId, code)), eq(recoveryCodes.userId, userId))
  const taken = await tx.delete(recoveryCodes).where(isTheirs).returning({ userId: recoveryCodes.userId })
  return taken.length > 0
}

export async function recoveryCodesLeft(reader: Reader, userId: string): Promise<number> {
  return await reader.$count(recoveryCodes, eq(recoveryCodes.userId, userId))
}

/** Encrypts the secrets of authenticator apps again under the newest key. Only admins have them, so there are few. */
export async function rotateAppSecrets(tx: Tx, secrets: SecretBox): Promise<number> {
  const apps = await tx.select().from(authenticatorApps).orderBy(authenticatorApps.userId).for('update')
  let total = 0
  for (const { userId, sealedSecret } of apps) {
    if (secrets.isCurrent(sealedSecret)) continue
    const secret = secrets.open(userId, sealedSecret)
    if (secret === undefined) continue
    await tx
      .update(authenticatorApps)
      .set({ sealedSecret: secrets.seal(userId, secret) })
      .where(eq(authenticatorApps.userId, userId))
    total++
  }
  return total
}
