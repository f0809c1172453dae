import { and, eq, gt, lte } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Reader, Tx } from '#platform/database/database.ts'
import { pendingSignIns, type UserRow, users } from '../../tables.ts'
import { hashOfToken, newToken } from '../one-time-links.ts'
import { signedCookie } from '../sessions/session-cookies.ts'

/** Our choice. */
const SECOND_STEP_MINUTES = 5

const tagOf = (passwordHash: string | null) => hashOfToken(passwordHash ?? '')

/** Saves a sign-in that awaits the second step; returns the token for its cookie. */
export async function beginPending(tx: Tx, user: UserRow, now: Temporal.Instant): Promise<string> {
  const token = newToken()
  await tx.delete(pendingSignIns).where(lte(pendingSignIns.expiresAt, now))
  await tx.insert(pendingSignIns).values({
    tokenHash: hashOfToken(token),
    userId: user.id,
    passwordTag: tagOf(user.passwordHash),
    expiresAt: now.add({ minutes: SECOND_STEP_MINUTES }),
  })
  return token
}

/** Undefined if the sign-in has expired or the password has changed. */
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

/** False if it has already ended. */
export async function endPending(tx: Tx, token: string): Promise<boolean> {
  const ended = await tx
    .delete(pendingSignIns)
    .where(eq(pendingSignIns.tokenHash, hashOfToken(token)))
    .returning({ userId: pendingSignIns.userId })
  return ended.length > 0
}

/** The cookie of a sign-in that awaits the second step. */
export function pendingCookies({ https }: { https: boolean }) {
  const cookie = signedCookie({ name: 'second-step', https })
  return {
    tokenOf: cookie.valueOf,
    set: (request: FastifyRequest, reply: FastifyReply, token: string) =>
      cookie.set(request, reply, token, SECOND_STEP_MINUTES * 60),
    clear: cookie.clear,
  }
}
export type PendingCookies = ReturnType<typeof pendingCookies>
