import { randomBytes } from 'node:crypto'
import { and, eq, lt } from 'drizzle-orm'
import type { Reader, Tx } from '#platform/database/database.ts'
import { RECOVERY_BYTES, RECOVERY_CODES, readCode, recoveryCodeOf } from '../../factor-rules.ts'
import { authenticatorApps, recoveryCodes } from '../../tables.ts'
import { hashOfToken } from '../one-time-links.ts'

/** How long a code of an app is shown, and how far its clock may be off: one code before and one after. Source: RFC 6238, 5.2. */
const STEP_SECONDS = 30

/** Loaded when the first code is asked for. */
const library = () => import('otplib')

/** A new secret for an authenticator app, and how an app takes it. */
export async function newAppSecret(issuer: string, label: string): Promise<{ secret: string; uri: string }> {
  const { generateSecret, generateURI } = await library()
  const secret = generateSecret()
  return { secret, uri: generateURI({ issuer, label, secret }) }
}

/** The half minute that a code was made in; undefined: it is none of this secret, or not of now. */
export async function stepOfCode(secret: string, code: string, now: Temporal.Instant): Promise<number | undefined> {
  const { verify } = await library()
  const epoch = Math.floor(now.epochMilliseconds / 1000)
  const checked = await verify({ secret, token: code, epoch, epochTolerance: STEP_SECONDS })
  return checked.valid && 'timeStep' in checked ? checked.timeStep : undefined
}

/** The app's row, or undefined. */
export async function appOf(reader: Reader, userId: string) {
  const [app] = await reader.select().from(authenticatorApps).where(eq(authenticatorApps.userId, userId))
  return app
}

/** Keeps an app in place of the one before. */
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

/** Takes a code of the app. False: it is wrong, or not newer than the newest that was taken. */
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

/** 120 random bits: a plain hash is enough. With whose it is, so that nobody finds equal ones. */
const hashOf = (userId: string, code: string) => hashOfToken(`${userId}:${readCode(code)?.code}`)

/** Makes recovery codes, in place of those before. They are known nowhere once they have been answered. */
export async function makeRecoveryCodes(tx: Tx, userId: string, now: Temporal.Instant): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => recoveryCodeOf(randomBytes(RECOVERY_BYTES)))
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  await tx
    .insert(recoveryCodes)
    .values(codes.map((code) => ({ codeHash: hashOf(userId, code), userId, createdAt: now })))
  return codes
}

/** Uses a recovery code up. False: it is none of theirs, or was used. */
export async function redeemRecoveryCode(tx: Tx, { userId, code }: { userId: string; code: string }): Promise<boolean> {
  const isTheirs = and(eq(recoveryCodes.codeHash, hashOf(userId, code)), eq(recoveryCodes.userId, userId))
  const taken = await tx.delete(recoveryCodes).where(isTheirs).returning({ userId: recoveryCodes.userId })
  return taken.length > 0
}

/** How many recovery codes somebody has left. */
export async function recoveryCodesLeft(reader: Reader, userId: string): Promise<number> {
  return await reader.$count(recoveryCodes, eq(recoveryCodes.userId, userId))
}

/** Seals what must be read again but not by whoever has a copy of the database. The assembly hands one in. */
export type SecretBox = {
  seal(owner: string, value: unknown): Buffer
  /** Undefined: it was changed, belongs to somebody else, or its key is lost. */
  open(owner: string, sealed: Buffer): unknown
  /** Whether it is sealed under the newest key. */
  isCurrent(sealed: Buffer): boolean
}

/** Seals the secrets of authenticator apps that are under an older key anew; admins have them, so they are few. */
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
