import { and, eq, gt, lte } from 'drizzle-orm'
import type { Tx } from '../../server/database/database.ts'
import { oneTimeLinks } from '../tables.ts'
import { hashOfToken, newToken } from './tokens.ts'

type Purpose = 'verify_email' | 'set_password'
const VALID_HOURS: Record<Purpose, number> = { verify_email: 48, set_password: 2 }

/** Makes a link's token; earlier links of the same purpose stop working. */
export async function issueLink(tx: Tx, userId: string, purpose: Purpose, now: Temporal.Instant): Promise<string> {
  await tx.delete(oneTimeLinks).where(and(eq(oneTimeLinks.userId, userId), eq(oneTimeLinks.purpose, purpose)))
  const token = newToken()
  const expiresAt = now.add({ hours: VALID_HOURS[purpose] })
  await tx.insert(oneTimeLinks).values({ tokenHash: hashOfToken(token), userId, purpose, createdAt: now, expiresAt })
  return token
}

/** Uses a link up. Answers whose it was, or undefined when it is unknown, used or out of date. */
export async function redeemLink(
  tx: Tx,
  token: string,
  purpose: Purpose,
  now: Temporal.Instant,
): Promise<string | undefined> {
  const [row] = await tx
    .delete(oneTimeLinks)
    .where(
      and(
        eq(oneTimeLinks.tokenHash, hashOfToken(token)),
        eq(oneTimeLinks.purpose, purpose),
        gt(oneTimeLinks.expiresAt, now),
      ),
    )
    .returning({ userId: oneTimeLinks.userId })
  return row?.userId
}

/** Ends all of a user's links. */
export async function revokeLinks(tx: Tx, userId: string): Promise<void> {
  await tx.delete(oneTimeLinks).where(eq(oneTimeLinks.userId, userId))
}

/** Deletes the links that have run out. */
export async function deleteExpiredLinks(tx: Tx, now: Temporal.Instant): Promise<void> {
  await tx.delete(oneTimeLinks).where(lte(oneTimeLinks.expiresAt, now))
}
