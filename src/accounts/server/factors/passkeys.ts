import { and, asc, eq, gt, isNull, lte } from 'drizzle-orm'
import { refuse } from '#foundation/refusal.ts'
import type { Database, Reader, Tx } from '#platform/database/database.ts'
import { studio } from '#studio.ts'
import type { User } from '../../contract.ts'
import { factorRefusals, type NewPasskeyAnswer, type Passkey, type PasskeyAnswer } from '../../contract-factors.ts'
import type { ChallengePurpose, relyingParty } from '../../factor-rules.ts'
import { type PasskeyRow, passkeyChallenges, passkeys, pendingSignIns } from '../../tables.ts'
import { hashOfToken, newToken } from '../one-time-links.ts'

/** The site as passkeys know it; undefined: its address is none that they work at. */
export type Site = ReturnType<typeof relyingParty>
/** So many passkeys at most; ours. */
export const MAX_PASSKEYS = 10

/** How long somebody may take to find their device and touch it; ours. */
const CHALLENGE_MINUTES = 5
const timeout = CHALLENGE_MINUTES * 60_000
/** Ed25519, ECDSA with SHA-256, RSA with SHA-256: what devices have. Left to itself the library tries out experimental ones. */
const supportedAlgorithmIDs = [-8, -7, -257]

/** Loaded when the first passkey is asked for: a process that meets none starts without it. */
const library = () => import('@simplewebauthn/server')

/** Somebody's passkeys, the oldest first. */
export async function passkeysOf(reader: Reader, userId: string): Promise<PasskeyRow[]> {
  return await reader.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.id))
}

export function toPasskey({ id, label, isSynced, createdAt, lastUsedAt }: PasskeyRow): Passkey {
  return { id, label, isSynced, createdAt: createdAt.toString(), lastUsedAt: lastUsedAt?.toString() ?? null }
}

const idOf = ({ credentialId, transports }: PasskeyRow) => ({
  id: credentialId.toString('base64url'),
  transports: transports.split(',').filter(Boolean),
})

/** What a browser is asked to sign with: any passkey of this site, or one of these. */
export async function passkeyRequestOptions(
  tx: Tx,
  site: Site,
  asked: ChallengeScope,
  now: Temporal.Instant,
  known: readonly PasskeyRow[] = [],
) {
  if (!site) refuse(factorRefusals.passkeys_unavailable)
  const { generateAuthenticationOptions } = await library()
  const challenge = await issueChallenge(tx, asked, now)
  return await generateAuthenticationOptions({
    rpID: site.id,
    challenge: Uint8Array.from(Buffer.from(challenge, 'base64url')),
    allowCredentials: known.map(idOf),
    userVerification: 'required',
    timeout,
  })
}

/** What a device is asked to make a passkey with: one that can be found without a name, and that asks who is touching it. */
export async function passkeyCreationOptions(tx: Tx, site: Site, user: User, now: Temporal.Instant) {
  if (!site) refuse(factorRefusals.passkeys_unavailable)
  const known = await passkeysOf(tx, user.id)
  if (known.length >= MAX_PASSKEYS) refuse(factorRefusals.too_many_passkeys)
  const { generateRegistrationOptions } = await library()
  const challenge = await issueChallenge(tx, { purpose: 'add', userId: user.id }, now)
  return await generateRegistrationOptions({
    rpID: site.id,
    rpName: studio.name,
    // Random as they are made, so it names nobody to whoever finds it on a device.
    userID: Uint8Array.from(Buffer.from(user.id)),
    userName: user.email,
    userDisplayName: `${user.firstName} ${user.lastName}`.trim() || user.email,
    challenge: Uint8Array.from(Buffer.from(challenge, 'base64url')),
    excludeCredentials: known.map(idOf),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestationType: 'none',
    supportedAlgorithmIDs,
    timeout,
  })
}

/**
 * The passkey that answered what it was asked, once per question. Refuses everything else: an answer to another question,
 * for another site, of another's or a removed passkey, of a copied one (its counter went back), without the person.
 */
export async function verifyPasskey(
  { database, site, now }: { database: Database; site: Site; now: Temporal.Instant },
  answer: PasskeyAnswer,
  asked: ChallengeScope,
): Promise<{ passkey: PasskeyRow; newCounter: number; isSynced: boolean }> {
  const expectedChallenge = await redeemChallenge(database, answer.response.clientDataJSON, asked, now)
  const credentialId = Buffer.from(answer.id, 'base64url')
  const [passkey] = await database.db.select().from(passkeys).where(eq(passkeys.credentialId, credentialId))
  if (!site || !passkey || (asked.userId !== null && passkey.userId !== asked.userId)) {
    refuse(factorRefusals.passkey_rejected)
  }
  const { userHandle } = answer.response
  if (userHandle && Buffer.from(userHandle, 'base64url').toString() !== passkey.userId) {
    refuse(factorRefusals.passkey_rejected)
  }
  const { verifyAuthenticationResponse } = await library()
  const checked = await refuseOnError(() =>
    verifyAuthenticationResponse({
      response: { ...plain(answer), response: { ...answer.response, userHandle: userHandle ?? undefined } },
      expectedChallenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      credential: { ...idOf(passkey), publicKey: Uint8Array.from(passkey.publicKey), counter: passkey.counter },
      requireUserVerification: true,
    }),
  )
  if (!checked.verified) refuse(factorRefusals.passkey_rejected)
  const { newCounter, credentialBackedUp } = checked.authenticationInfo
  return { passkey, newCounter, isSynced: credentialBackedUp }
}

/** Notes that a passkey was used. Refuses when it was removed, or used by a copy of it, in between. */
export async function recordPasskeyUse(
  tx: Tx,
  { passkey, newCounter, isSynced }: Awaited<ReturnType<typeof verifyPasskey>>,
  now: Temporal.Instant,
): Promise<void> {
  const noted = await tx
    .update(passkeys)
    .set({ counter: newCounter, isSynced, lastUsedAt: now })
    .where(and(eq(passkeys.id, passkey.id), eq(passkeys.counter, passkey.counter)))
    .returning({ id: passkeys.id })
  if (noted.length === 0) refuse(factorRefusals.passkey_rejected)
}

/** What a device made when it was asked to, checked; not kept yet. */
export async function verifyNewPasskey(
  { database, site, now }: { database: Database; site: Site; now: Temporal.Instant },
  answer: NewPasskeyAnswer,
  user: { id: string },
) {
  const asked: ChallengeScope = { purpose: 'add', userId: user.id }
  const expectedChallenge = await redeemChallenge(database, answer.response.clientDataJSON, asked, now)
  if (!site) refuse(factorRefusals.passkeys_unavailable)
  const { verifyRegistrationResponse } = await library()
  const transports = (answer.response.transports ?? []).filter((word) => /^[a-z-]{1,20}$/.test(word))
  const checked = await refuseOnError(() =>
    verifyRegistrationResponse({
      response: { ...plain(answer), response: { ...answer.response, transports } },
      expectedChallenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: true,
      supportedAlgorithmIDs,
    }),
  )
  if (!checked.verified) refuse(factorRefusals.passkey_rejected)
  const { credential, credentialBackedUp } = checked.registrationInfo
  return {
    userId: user.id,
    credentialId: Buffer.from(credential.id, 'base64url'),
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: transports.join(','),
    isSynced: credentialBackedUp,
  }
}

const plain = (answer: { id: string; rawId: string; type: 'public-key' }) => {
  const { id, rawId, type } = answer
  return { id, rawId, type, clientExtensionResults: {} }
}

/** The challenge that an answer names, used up by it: a wrong answer is no second try. */
async function redeemChallenge(
  database: Database,
  clientDataJSON: string,
  asked: ChallengeScope,
  now: Temporal.Instant,
): Promise<string> {
  const challenge = challengeIn(clientDataJSON) ?? refuse(factorRefusals.passkey_rejected)
  const isTaken = await database.transaction((tx) => takeChallenge(tx, challenge, asked, now))
  return isTaken ? challenge : refuse(factorRefusals.passkey_challenge_expired)
}

function challengeIn(clientDataJSON: string): string | undefined {
  try {
    const said: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
    const { challenge }: { challenge?: unknown } = Object(said)
    return typeof challenge === 'string' ? challenge : undefined
  } catch {
    return undefined
  }
}

/** The library throws at whatever is not as it must be; to whoever asks it is one refusal. */
async function refuseOnError<Result>(check: () => Promise<Result>): Promise<Result> {
  try {
    return await check()
  } catch {
    refuse(factorRefusals.passkey_rejected)
  }
}

/** What a challenge is for, and whose; null: anybody's, who is about to sign in. */
type ChallengeScope = { purpose: ChallengePurpose; userId: string | null }

/** Makes a challenge (base64url) that one answer may be given to. Those whose time is over go with it. */
async function issueChallenge(tx: Tx, { purpose, userId }: ChallengeScope, now: Temporal.Instant): Promise<string> {
  const challenge = newToken()
  await tx.delete(passkeyChallenges).where(lte(passkeyChallenges.expiresAt, now))
  await tx.insert(passkeyChallenges).values({
    challengeHash: hashOfToken(challenge),
    purpose,
    userId,
    expiresAt: now.add({ minutes: CHALLENGE_MINUTES }),
  })
  return challenge
}

/** Uses a challenge up, whatever the answer is worth. False: it was used, is too old, or was for something or somebody else. */
async function takeChallenge(
  tx: Tx,
  challenge: string,
  { purpose, userId }: ChallengeScope,
  now: Temporal.Instant,
): Promise<boolean> {
  const isTheirs = userId === null ? isNull(passkeyChallenges.userId) : eq(passkeyChallenges.userId, userId)
  const isThisOne = eq(passkeyChallenges.challengeHash, hashOfToken(challenge))
  const taken = await tx
    .delete(passkeyChallenges)
    .where(and(isThisOne, eq(passkeyChallenges.purpose, purpose), isTheirs, gt(passkeyChallenges.expiresAt, now)))
    .returning({ purpose: passkeyChallenges.purpose })
  return taken.length > 0
}

/** Deletes what was begun and never came to an end. */
export async function deleteExpiredSecondSteps(tx: Tx, now: Temporal.Instant): Promise<void> {
  await tx.delete(passkeyChallenges).where(lte(passkeyChallenges.expiresAt, now))
  await tx.delete(pendingSignIns).where(lte(pendingSignIns.expiresAt, now))
}
