import '@fastify/cookie' // request.cookies
import { and, eq, gt, lte, ne, sql } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../foundation/clock.ts'
import type { Database, Db, Tx } from '../../platform/database/database.ts'
import type { User } from '../contract.ts'
import { SESSION_SECONDS, SIGNED_IN_COOKIE } from '../session-hint.ts'
import { sessions, users } from '../tables.ts'
import { hashOfToken, newToken } from './tokens.ts'
import { toUser } from './users.ts'

/** Begins a session in the given transaction and answers its token, which is known to the browser alone. */
export async function beginSession(tx: Tx, userId: string, now: Temporal.Instant): Promise<string> {
  const token = newToken()
  const expiresAt = now.add({ seconds: SESSION_SECONDS })
  await tx.insert(sessions).values({ tokenHash: hashOfToken(token), userId, createdAt: now, expiresAt })
  return token
}

/** Ends one session. */
export async function endSession(tx: Tx, token: string): Promise<void> {
  await tx.delete(sessions).where(eq(sessions.tokenHash, hashOfToken(token)))
}

/** Ends a user's sessions and answers how many; `except` is the token of one that goes on. */
export async function endSessionsOf(tx: Tx, userId: string, except?: string): Promise<number> {
  const others = except ? ne(sessions.tokenHash, hashOfToken(except)) : undefined
  const ended = await tx
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), others))
    .returning({ userId: sessions.userId })
  return ended.length
}

/** Deletes the sessions that have run out. */
export async function deleteExpiredSessions(tx: Tx, now: Temporal.Instant): Promise<void> {
  await tx.delete(sessions).where(lte(sessions.expiresAt, now))
}

function prepareUserOfSession(db: Db) {
  return db
    .select({ user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.tokenHash, sql.placeholder('tokenHash')), gt(sessions.expiresAt, sql.placeholder('now'))))
    .prepare('user_of_session')
}

/** Reads and writes the session cookie, and the one that says there is one; knows whose it is. */
export function sessionCookies(options: { database: Database; clock: Clock; https: boolean }) {
  const userOfSession = prepareUserOfSession(options.database.db)
  const secureFor = (request: FastifyRequest) => options.https || request.protocol === 'https'
  // `__Host-` binds the cookie to this very host; browsers accept it over HTTPS only.
  const nameFor = (request: FastifyRequest) => (secureFor(request) ? '__Host-session' : 'session')
  const attributesFor = (request: FastifyRequest) =>
    ({ path: '/', httpOnly: true, sameSite: 'lax', secure: secureFor(request) }) as const

  return {
    /** The token of a request, if its cookie carries our signature. */
    tokenOf(request: FastifyRequest): string | undefined {
      const cookie = request.cookies[nameFor(request)]
      if (!cookie) return undefined
      const { valid, value } = request.unsignCookie(cookie)
      return valid ? value : undefined
    },
    /** Who sends this request, or null. */
    async whoIs(request: FastifyRequest): Promise<(User & { blockedAt: Temporal.Instant | null }) | null> {
      const token = this.tokenOf(request)
      if (!token) return null
      const [row] = await userOfSession.execute({ tokenHash: hashOfToken(token), now: options.clock.now() })
      return row ? { ...toUser(row.user), blockedAt: row.user.blockedAt } : null
    },
    set(request: FastifyRequest, reply: FastifyReply, token: string): void {
      const attributes = { ...attributesFor(request), maxAge: SESSION_SECONDS }
      reply.setCookie(nameFor(request), token, { ...attributes, signed: true })
      reply.setCookie(SIGNED_IN_COOKIE, 'yes', { ...attributes, httpOnly: false })
    },
    clear(request: FastifyRequest, reply: FastifyReply): void {
      reply.clearCookie(nameFor(request), attributesFor(request))
      reply.clearCookie(SIGNED_IN_COOKIE, { ...attributesFor(request), httpOnly: false })
    },
  }
}
export type SessionCookies = ReturnType<typeof sessionCookies>
