import { createHash, randomBytes } from 'node:crypto'
import { and, desc, eq, gt, inArray, lte } from 'drizzle-orm'
import type { Tx } from '#platform/database/database.ts'
import { studio } from '#studio.ts'
import type { LinkPurpose } from '../rules.ts'
import { oneTimeLinks, users } from '../tables.ts'

const VALID_HOURS: Record<LinkPurpose, number> = {
  verify_email: 48,
  set_password: 2,
  invitation: studio.policies.invitationDays * 24,
}
/** Links of one purpose that work side by side: an earlier mail may arrive later. Source: docs/studio-rules.md#signing-in */
const MAX_VALID_LINKS = 3

/** Makes a link of this token work; of the user's links for the same purpose the newest three do. */
export async function issueLink(
  tx: Tx,
  userId: string,
  purpose: LinkPurpose,
  token: string,
  now: Temporal.Instant,
): Promise<void> {
  await lockUser(tx, userId)
  const expiresAt = now.add({ hours: VALID_HOURS[purpose] })
  await tx.insert(oneTimeLinks).values({ tokenHash: hashOfToken(token), userId, purpose, createdAt: now, expiresAt })
  const superseded = tx
    .select({ tokenHash: oneTimeLinks.tokenHash })
    .from(oneTimeLinks)
    .where(and(eq(oneTimeLinks.userId, userId), eq(oneTimeLinks.purpose, purpose)))
    .orderBy(desc(oneTimeLinks.id))
    .offset(MAX_VALID_LINKS)
  await tx.delete(oneTimeLinks).where(inArray(oneTimeLinks.tokenHash, superseded))
}

/** Makes links work of members who have none of this purpose yet: one statement. The caller holds the members. */
export async function issueLinks(
  tx: Tx,
  links: readonly { userId: string; token: string }[],
  purpose: LinkPurpose,
  now: Temporal.Instant,
): Promise<void> {
  const expiresAt = now.add({ hours: VALID_HOURS[purpose] })
  await tx
    .insert(oneTimeLinks)
    .values(
      links.map(({ userId, token }) => ({ tokenHash: hashOfToken(token), userId, purpose, createdAt: now, expiresAt })),
    )
}

/** Uses a link up, and the user's others for these purposes. Answers whose it was; undefined: unknown, used or out of date. */
export async function redeemLink(
  tx: Tx,
  token: string,
  purposes: readonly LinkPurpose[],
  now: Temporal.Instant,
): Promise<string | undefined> {
  const isThisOne = and(
    eq(oneTimeLinks.tokenHash, hashOfToken(token)),
    inArray(oneTimeLinks.purpose, purposes),
    gt(oneTimeLinks.expiresAt, now),
  )
  const find = () => tx.select({ userId: oneTimeLinks.userId }).from(oneTimeLinks).where(isThisOne)
  const [seen] = await find()
  if (!seen) return undefined
  await lockUser(tx, seen.userId)
  const [link] = await find()
  if (!link) return undefined
  await tx
    .delete(oneTimeLinks)
    .where(and(eq(oneTimeLinks.userId, link.userId), inArray(oneTimeLinks.purpose, purposes)))
  return link.userId
}

/** Whoever issues, uses or ends a user's links holds the user: of two at once the later one sees what the other did. */
async function lockUser(tx: Tx, userId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
}

/** Ends all of a user's links. */
export async function revokeLinks(tx: Tx, userId: string): Promise<void> {
  await tx.delete(oneTimeLinks).where(eq(oneTimeLinks.userId, userId))
}

/** Deletes the links that have run out. */
export async function deleteExpiredLinks(tx: Tx, now: Temporal.Instant): Promise<void> {
  await tx.delete(oneTimeLinks).where(lte(oneTimeLinks.expiresAt, now))
}

/** A secret of 256 random bits for a cookie or a link. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** What the database keeps of a token. It is random, so a plain SHA-256 is enough. */
export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
