import { randomUUID } from 'node:crypto'
import { BROWSER_MAP, OS_MAP, parse } from 'bowser'
import { and, eq, gt, lte, ne, sql } from 'drizzle-orm'
import type { Reader, Tx } from '#platform/database/database.ts'
import type { SecurityDetails } from '#security/contract.ts'
import { recordSecurity } from '#security/server/security.ts'
import { SESSION_SECONDS, type SessionMethod } from '../../session-rules.ts'
import { pendingSignIns, type SessionRow, sessions, users } from '../../tables.ts'
import { hashOfToken, newToken } from '../one-time-links.ts'

/** Starts a session and returns its token, which only the browser keeps. */
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
  const times = { createdAt: now, lastUsedAt: now, confirmedAt: confirmedAt ?? now, expiresAt }
  await tx.insert(sessions).values({ tokenHash: hashOfToken(token), userId, method, ...device, ...times })
  return token
}

/** How long a replaced token still works for requests that are already on their way. Our choice. */
const GRACE_SECONDS = 30
/** The time of the last proof for a replaced token, so that it never counts as recent. */
const NEVER = Temporal.Instant.fromEpochMilliseconds(0)

/** False for a replaced token. */
export const isActive = ({ confirmedAt }: Pick<SessionRow, 'confirmedAt'>) => !confirmedAt.equals(NEVER)

/**
 * After a step-up, replaces a session's token and returns the new one. The old token soon stops working and is not
 * enough for sensitive actions. Undefined if the session has ended or another step-up replaced it first.
 */
export async function confirmSession(
  tx: Tx,
  read: Pick<SessionRow, 'id' | 'confirmedAt'>,
  now: Temporal.Instant,
): Promise<string | undefined> {
  const isUnchanged = and(eq(sessions.id, read.id), eq(sessions.confirmedAt, read.confirmedAt))
  const [session] = await tx.select().from(sessions).where(isUnchanged).for('update')
  if (!session) return undefined
  const soon = now.add({ seconds: GRACE_SECONDS })
  const expiresAt = Temporal.Instant.compare(soon, session.expiresAt) < 0 ? soon : session.expiresAt
  const replaced = { id: randomUUID(), confirmedAt: NEVER, expiresAt }
  await tx.update(sessions).set(replaced).where(eq(sessions.tokenHash, session.tokenHash))
  const token = newToken()
  await tx.insert(sessions).values({ ...session, tokenHash: hashOfToken(token), confirmedAt: now })
  return token
}

export async function endSession(tx: Tx, token: string): Promise<void> {
  await tx.delete(sessions).where(eq(sessions.tokenHash, hashOfToken(token)))
}

/** Ends a user's sessions and unfinished sign-ins, except the session with this id. Returns how many sessions. */
export async function endSessionsOf(tx: Tx, userId: string, except?: string): Promise<number> {
  // First, so that a session started by a concurrent completion is found below.
  await tx.delete(pendingSignIns).where(eq(pendingSignIns.userId, userId))
  const others = except ? ne(sessions.id, except) : undefined
  const ended = await tx
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), others))
    .returning({ confirmedAt: sessions.confirmedAt })
  return ended.filter(isActive).length
}

/** Records ended sessions, if there were any. */
export async function recordSessionsEnded(
  tx: Tx,
  sessions: number,
  { cause, ...who }: { cause: SecurityDetails['cause']; actor?: string; subject?: string },
  now: Temporal.Instant,
): Promise<void> {
  if (sessions > 0) await recordSecurity(tx, { kind: 'sessions_ended', ...who, details: { sessions, cause } }, now)
}

export async function deleteExpiredSessions(tx: Tx, now: Temporal.Instant): Promise<void> {
  await tx.delete(sessions).where(lte(sessions.expiresAt, now))
}

/** An unexpired session with its user. */
export function prepareUserOfSession(reader: Reader) {
  const { id, createdAt, expiresAt, lastUsedAt, method, confirmedAt } = sessions
  return reader
    .select({ user: users, session: { id, createdAt, expiresAt, lastUsedAt, method, confirmedAt } })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.tokenHash, sql.placeholder('tokenHash')), gt(sessions.expiresAt, sql.placeholder('now'))))
    .prepare('user_of_session')
}

export async function recordUse(db: Reader, id: string, now: Temporal.Instant): Promise<void> {
  await db
    .update(sessions)
    .set({ lastUsedAt: now })
    .where(and(eq(sessions.id, id), lte(sessions.lastUsedAt, now)))
}

/** Null if unknown. */
export type Device = { browser: string | null; system: string | null }

const MAX_USER_AGENT_LENGTH = 512
const BROWSERS = new Set<string>(Object.values(BROWSER_MAP))
const SYSTEMS = new Set<string>(Object.values(OS_MAP))

/** Only known names, because anyone can put any text into a `User-Agent`, and the rest of it could identify people. */
export function deviceOf(userAgent: string | undefined): Device {
  if (!userAgent) return { browser: null, system: null }
  const { browser, os } = parse(userAgent.slice(0, MAX_USER_AGENT_LENGTH))
  return { browser: knownIn(BROWSERS, browser.name), system: knownIn(SYSTEMS, os.name) }
}

const knownIn = (names: ReadonlySet<string>, name: string | undefined) => (name && names.has(name) ? name : null)
