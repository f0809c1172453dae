import { and, eq, gt, lte } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Reader, Tx } from '#platform/database/database.ts'
import { pendingSignIns, type UserRow, users } from '../../tables.ts'
import { signedCookie } from '../sessions/signed-cookie.ts'
import { hashOfToken, newToken } from '../tokens.ts'

/** How long the second step may take; ours. */
const MINUTES = 5

/** Another password makes another tag. */
const tagOf = (passwordHash: string | null) => hashOfToken(passwordHash ?? '')

/** Notes that the password was right in a browser, and answers the token by which it is known again. */
export async function beginPending(tx: Tx, user: UserRow, now: Temporal.Instant): Promise<string> {
  const token = newToken()
  await tx.delete(pendingSignIns).where(lte(pendingSignIns.expiresAt, now))
  await tx.insert(pendingSignIns).values({
    tokenHash: hashOfToken(token),
    userId: user.id,
    passwordTag: tagOf(user.passwordHash),
    expiresAt: now.add({ minutes: MINUTES }),
  })
  return token
}

/** Who is signing in; undefined: nobody, too late, or the password was changed since. */
export async function pendingUser(
  reader: Reader,
  token: string | undefined,
  now: Temporal.Instant,
): Promise<UserRow | undefined> {
  if (!token) return undefined
  const [row] = await reader
    .select({ user: users, tag: pendingSignIns.passwordTag })
    .from(pendingSignIns)
    .innerJoin(users, eq(users.id, pendingSignIns.userId))
    .where(and(eq(pendingSignIns.tokenHash, hashOfToken(token)), gt(pendingSignIns.expiresAt, now)))
  return row?.tag.equals(tagOf(row.user.passwordHash)) ? row.user : undefined
}

/** Ends it. False: somebody else has, so it completes nothing. */
export async function endPending(tx: Tx, token: string): Promise<boolean> {
  const ended = await tx
    .delete(pendingSignIns)
    .where(eq(pendingSignIns.tokenHash, hashOfToken(token)))
    .returning({ userId: pendingSignIns.userId })
  return ended.length > 0
}

/** The cookie by which the browser is known in which the password was right. */
export function pendingCookies({ https }: { https: boolean }) {
  const cookie = signedCookie({ name: 'second-step', https })
  return {
    tokenOf: cookie.valueOf,
    set: (request: FastifyRequest, reply: FastifyReply, token: string) =>
      cookie.set(request, reply, token, MINUTES * 60),
    clear: cookie.clear,
  }
}
export type PendingCookies = ReturnType<typeof pendingCookies>
