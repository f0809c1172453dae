import { and, asc, eq, gt, isNull, lte } from 'drizzle-orm'
import { currentFacts } from '#facts/server/facts.ts'
import { refuse } from '#foundation/refusal.ts'
import type { Database, Reader, Tx } from '#platform/database/database.ts'
import type { Account } from '../../contract.ts'
import { factorRefusals, type NewPasskeyResponse, type PasskeyResponse } from '../../contract-factors.ts'
import type { ChallengePurpose, relyingParty } from '../../factor-rules.ts'
import { type PasskeyRow, passkeyChallenges, passkeys, pendingSignIns } from '../../tables.ts'
import { hashOfToken, newToken } from '../one-time-links.ts'

/** Undefined if passkeys do not work at the site's address. */
export type Site = ReturnType<typeof relyingParty>
/** Per user. Our choice. */
export const MAX_PASSKEYS = 10

/** Our choice. */
const CHALLENGE_MINUTES = 5
const timeout = CHALLENGE_MINUTES * 60_000
/** Ed25519, ECDSA and RSA with SHA-256. The library's default includes experimental algorithms. */
const supportedAlgorithmIDs = [-8, -7, -257]

const library = () => import('@simplewebauthn/server')

/** Oldest first. */
export async function passkeysOf(reader: Reader, userId: string): Promise<PasskeyRow[]> {
  return await reader.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.id))
}

const idOf = ({ credentialId, transports }: PasskeyRow) => ({
  id: credentialId.toString('base64url'),
  transports: transports.split(',').filter(Boolean),
})

/** Options to sign with any passkey of this site, or with one of these. */
export async function passkeyRequestOptions(
  tx: Tx,
  site: Site,
  scope: ChallengeScope,
  now: Temporal.Instant,
  known: readonly PasskeyRow[] = [],
) {
  if (!site) refuse(factorRefusals.passkeys_unavailable)
  const { generateAuthenticationOptions } = await library()
  const challenge = await issueChallenge(tx, scope, now)
  return await generateAuthenticationOptions({
    rpID: site.id,
    challenge: Uint8Array.from(Buffer.from(challenge, 'base64url')),
    allowCredentials: known.map(idOf),
    userVerification: 'required',
    timeout,
  })
}

/** Options to create a passkey that works without a username and verifies its user. */
export async function passkeyCreationOptions(tx: Tx, site: Site, user: Account, now: Temporal.Instant) {
  if (!site) refuse(factorRefusals.passkeys_unavailable)
  const known = await passkeysOf(tx, user.id)
  if (known.length >= MAX_PASSKEYS) refuse(factorRefusals.too_many_passkeys)
  const { generateRegistrationOptions } = await library()
  const challenge = await issueChallenge(tx, { purpose: 'add', userId: user.id }, now)
  return await generateRegistrationOptions({
    rpID: site.id,
    rpName: (await currentFacts(tx)).name,
    // A random id, which reveals nothing to someone who finds it on a device.
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
 * Verifies a passkey's response and uses up its challenge. Refuses responses to other challenges or sites, from other
 * users' or removed passkeys, from a copied passkey (its counter went back), and without user verification.
 */
export async function verifyPasskey(
  { database, site, now }: { database: Database; site: Site; now: Temporal.Instant },
  answer: PasskeyResponse,
  scope: ChallengeScope,
): Promise<{ passkey: PasskeyRow; newCounter: number; isSynced: boolean }> {
  const expectedChallenge = await redeemChallenge(database, answer.response.clientDataJSON, scope, now)
  const credentialId = Buffer.from(answer.id, 'base64url')
  const [passkey] = await database.db.select().from(passkeys).where(eq(passkeys.credentialId, credentialId))
  if (!site || !passkey || (scope.userId !== null && passkey.userId !== scope.userId)) {
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

/** Records the use of a passkey. Refuses if it was removed or its copy was used in the meantime. */
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

/** Verifies a new passkey without saving it. */
export async function verifyNewPasskey(
  { database, site, now }: { database: Database; site: Site; now: Temporal.Instant },
  answer: NewPasskeyResponse,
  user: { id: string },
) {
  const scope: ChallengeScope = { purpose: 'add', userId: user.id }
  const expectedChallenge = await redeemChallenge(database, answer.response.clientDataJSON, scope, now)
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

/** Uses up the challenge of a response, even if the response is wrong. */
async function redeemChallenge(
  database: Database,
  clientDataJSON: string,
  scope: ChallengeScope,
  now: Temporal.Instant,
): Promise<string> {
  const challenge = challengeIn(clientDataJSON) ?? refuse(factorRefusals.passkey_rejected)
  const isTaken = await database.transaction((tx) => takeChallenge(tx, challenge, scope, now))
  return isTaken ? challenge : refuse(factorRefusals.passkey_challenge_expired)
}

function challengeIn(clientDataJSON: string): string | undefined {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
    const { challenge }: { challenge?: unknown } = Object(data)
    return typeof challenge === 'string' ? challenge : undefined
  } catch {
    return undefined
  }
}

/** The library throws at any invalid response. */
async function refuseOnError<Result>(check: () => Promise<Result>): Promise<Result> {
  try {
    return await check()
  } catch {
    refuse(factorRefusals.passkey_rejected)
  }
}

/** `userId` is null when signing in. */
type ChallengeScope = { purpose: ChallengePurpose; userId: string | null }

/** Creates a base64url challenge for one response, and deletes expired ones. */
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

/** False if the challenge was used, has expired, or has another purpose or user. */
async function takeChallenge(
  tx: Tx,
  challenge: string,
  { purpose, userId }: ChallengeScope,
  now: Temporal.Instant,
): Promise<boolean> {
  const isForUser = userId === null ? isNull(passkeyChallenges.userId) : eq(passkeyChallenges.userId, userId)
  const isThisOne = eq(passkeyChallenges.challengeHash, hashOfToken(challenge))
  const taken = await tx
    .delete(passkeyChallenges)
    .where(and(isThisOne, eq(passkeyChallenges.purpose, purpose), isForUser, gt(passkeyChallenges.expiresAt, now)))
    .returning({ purpose: passkeyChallenges.purpose })
  return taken.length > 0
}

/** Deletes expired challenges and unfinished sign-ins. */
export async function deleteExpiredSecondSteps(tx: Tx, now: Temporal.Instant): Promise<void> {
  await tx.delete(passkeyChallenges).where(lte(passkeyChallenges.expiresAt, now))
  await tx.delete(pendingSignIns).where(lte(pendingSignIns.expiresAt, now))
}
