import { createHash, randomBytes } from 'node:crypto'
import { and, desc, eq, gt, inArray, lte } from 'drizzle-orm'
import type { Tx } from '#platform/database/database.ts'
import { studio } from '#studio.ts'
import type { LinkPurpose } from '../rules.ts'
import { emailChangeRequests, oneTimeLinks, users } from '../tables.ts'

const VALID_HOURS: Record<LinkPurpose, number> = {
  verify_email: 48,
  set_password: studio.policies.passwordLinkHours,
  invitation: studio.policies.invitationDays * 24,
}
/** Per user and purpose, because mails may arrive out of order. Source: docs/studio-rules.md#signing-in */
const MAX_VALID_LINKS = 3

/** Issues a link. Of the user's links for one purpose, the newest three work. */
export async function issueLink(tx: Tx, userId: string, purpose: LinkPurpose, token: string, now: Temporal.Instant) {
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

/** Issues links for locked members who have none of this purpose yet. */
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

/** Uses up a link and the user's others for these purposes. Returns the user's id, undefined if it is invalid. */
export async function redeemLink(
  tx: Tx,
  token: string,
  purposes: readonly LinkPurpose[],
  now: Temporal.Instant,
): Promise<string | undefined> {
  const isValid = and(
    eq(oneTimeLinks.tokenHash, hashOfToken(token)),
    inArray(oneTimeLinks.purpose, purposes),
    gt(oneTimeLinks.expiresAt, now),
  )
  const find = () => tx.select({ userId: oneTimeLinks.userId }).from(oneTimeLinks).where(isValid)
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

/** Serialises changes to a user's links. */
async function lockUser(tx: Tx, userId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
}

/** Ends every link of a user, and the change of address that they asked for. */
export async function revokeLinks(tx: Tx, userId: string): Promise<void> {
  await cancelEmailChange(tx, userId)
  await tx.delete(oneTimeLinks).where(eq(oneTimeLinks.userId, userId))
}

/** Ends the change of address that a user asked for; its link stops working. */
export async function cancelEmailChange(tx: Tx, userId: string): Promise<void> {
  await tx.delete(emailChangeRequests).where(eq(emailChangeRequests.userId, userId))
}

export async function deleteExpiredLinks(tx: Tx, now: Temporal.Instant): Promise<void> {
  await tx.delete(oneTimeLinks).where(lte(oneTimeLinks.expiresAt, now))
}

/** 256 random bits. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Tokens are random, so a plain SHA-256 is enough. */
export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
