import { and, eq, gt, isNull, lte } from 'drizzle-orm'
import type { Tx } from '#platform/database/database.ts'
import type { ChallengePurpose } from '../../factor-rules.ts'
import { passkeyChallenges, pendingSignIns } from '../../tables.ts'
import { hashOfToken, newToken } from '../tokens.ts'

/** How long somebody may take to find their device and touch it; ours. */
export const CHALLENGE_MINUTES = 5

/** What a challenge is for, and whose; null: anybody's, who is about to sign in. */
export type Asked = { purpose: ChallengePurpose; userId: string | null }

/** Makes a challenge (base64url) that one answer may be given to. Those whose time is over go with it. */
export async function issueChallenge(tx: Tx, { purpose, userId }: Asked, now: Temporal.Instant): Promise<string> {
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
export async function takeChallenge(
  tx: Tx,
  challenge: string,
  { purpose, userId }: Asked,
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
