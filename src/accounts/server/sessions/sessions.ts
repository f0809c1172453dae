import { randomUUID } from 'node:crypto'
import { BROWSER_MAP, OS_MAP, parse } from 'bowser'
import { and, eq, gt, lte, ne, sql } from 'drizzle-orm'
import type { Db, Tx } from '#platform/database/database.ts'
import { SESSION_SECONDS } from '../../session-hint.ts'
import type { SessionMethod } from '../../session-rules.ts'
import { pendingSignIns, type SessionRow, sessions, users } from '../../tables.ts'
import { hashOfToken, newToken } from '../one-time-links.ts'

/** Begins a session in the given transaction and answers its token, which is known to the browser alone. */
export async function beginSession(
  tx: Tx,
  {
    userId,
    method,
    device,
    confirmedAt,
  }: { userId: string; method: SessionMethod; device: Device; confirmedAt?: Temporal.Instant },
  now: Temporal.Instant,
): Promise<string> {
  const token = newToken()
  const expiresAt = now.add({ seconds: SESSION_SECONDS })
  const begun = { createdAt: now, lastUsedAt: now, confirmedAt: confirmedAt ?? now, expiresAt }
  await tx.insert(sessions).values({ tokenHash: hashOfToken(token), userId, method, ...device, ...begun })
  return token
}

/** What a browser has asked with a token before it was given another one is still answered; ours. */
const GRACE_SECONDS = 30
/** When somebody proved themselves with a token that was replaced: never. */
const NEVER = Temporal.Instant.fromEpochMilliseconds(0)

/** Whether a session goes on; what is left of a token that was replaced is none. */
export const isActive = ({ confirmedAt }: Pick<SessionRow, 'confirmedAt'>) => !confirmedAt.equals(NEVER)

/**
 * Whoever sits at a session has proved once more who they are: it goes on under another token, which is answered. With the one
 * before, nothing that asks who is there is done any more, and soon nothing at all. Undefined: it has ended, or another proof was faster.
 */
export async function confirmSession(
  tx: Tx,
  read: Pick<SessionRow, 'id' | 'confirmedAt'>,
  now: Temporal.Instant,
): Promise<string | undefined> {
  const asRead = and(eq(sessions.id, read.id), eq(sessions.confirmedAt, read.confirmedAt))
  const [session] = await tx.select().from(sessions).where(asRead).for('update')
  if (!session) return undefined
  const soon = now.add({ seconds: GRACE_SECONDS })
  const expiresAt = Temporal.Instant.compare(soon, session.expiresAt) < 0 ? soon : session.expiresAt
  const left = { id: randomUUID(), confirmedAt: NEVER, expiresAt }
  await tx.update(sessions).set(left).where(eq(sessions.tokenHash, session.tokenHash))
  const token = newToken()
  await tx.insert(sessions).values({ ...session, tokenHash: hashOfToken(token), confirmedAt: now })
  return token
}

/** Ends one session. */
export async function endSession(tx: Tx, token: string): Promise<void> {
  await tx.delete(sessions).where(eq(sessions.tokenHash, hashOfToken(token)))
}

/**
 * Ends a user's sessions, and sign-ins that wait for a second step. Returns how many sessions; `except` is the id of one that
 * goes on.
 */
export async function endSessionsOf(tx: Tx, userId: string, except?: string): Promise<number> {
  // First: completing one of them holds it, and the session it begins is found below.
  await tx.delete(pendingSignIns).where(eq(pendingSignIns.userId, userId))
  const others = except ? ne(sessions.id, except) : undefined
  const ended = await tx
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), others))
    .returning({ confirmedAt: sessions.confirmedAt })
  return ended.filter(isActive).length
}

/** Deletes the sessions that have run out. */
export async function deleteExpiredSessions(tx: Tx, now: Temporal.Instant): Promise<void> {
  await tx.delete(sessions).where(lte(sessions.expiresAt, now))
}

/** The session of a token with its user, unless its thirty days are over. */
export function prepareUserOfSession(db: Db) {
  const { id, createdAt, expiresAt, lastUsedAt, method, confirmedAt } = sessions
  return db
    .select({ user: users, session: { id, createdAt, expiresAt, lastUsedAt, method, confirmedAt } })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.tokenHash, sql.placeholder('tokenHash')), gt(sessions.expiresAt, sql.placeholder('now'))))
    .prepare('user_of_session')
}

/** Writes down that a session was used; two requests at once write it once. */
export async function recordUse(db: Db, id: string, now: Temporal.Instant): Promise<void> {
  await db
    .update(sessions)
    .set({ lastUsedAt: now })
    .where(and(eq(sessions.id, id), lte(sessions.lastUsedAt, now)))
}

/** What a browser says of itself, in two short words; null: it says nothing we know. */
export type Device = { browser: string | null; system: string | null }

/** Longer ones are no browser's. */
const MAX_USER_AGENT_LENGTH = 512
const BROWSERS = new Set<string>(Object.values(BROWSER_MAP))
const SYSTEMS = new Set<string>(Object.values(OS_MAP))

/**
 * The browser and the system that a `User-Agent` names. Nothing else of it is kept: the rest would tell people apart, and
 * anybody may write there what they like, which must not come to stand on a screen or in a mail.
 */
export function deviceOf(userAgent: string | undefined): Device {
  if (!userAgent) return { browser: null, system: null }
  const { browser, os } = parse(userAgent.slice(0, MAX_USER_AGENT_LENGTH))
  return { browser: knownIn(BROWSERS, browser.name), system: knownIn(SYSTEMS, os.name) }
}

const knownIn = (names: ReadonlySet<string>, name: string | undefined) => (name && names.has(name) ? name : null)
