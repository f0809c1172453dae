import { and, desc, eq } from 'drizzle-orm'
import { refuse } from '#foundation/refusal.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { sessionRefusals, type UserSession } from '../../contract-sessions.ts'
import { sessionEndsAt } from '../../session-rules.ts'
import { emailChanges, type SessionRow, sessions } from '../../tables.ts'
import type { Device } from './device.ts'
import type { SignedIn } from './session-cookies.ts'
import { goesOn } from './sessions.ts'

/**
 * Where somebody is signed in: this browser first, then the one used last. What has run out is left out.
 *
 * @param user.device the browser that asks: what it says now stands for what it did not say when it signed in
 */
export async function sessionsOf(
  reader: Reader,
  user: Pick<SignedIn, 'id' | 'isAdmin' | 'session'> & { device: Device },
  { mode, now }: { mode: 'demo' | 'live'; now: Temporal.Instant },
): Promise<UserSession[]> {
  const rows = await reader
    .select()
    .from(sessions)
    .where(eq(sessions.userId, user.id))
    .orderBy(desc(eq(sessions.id, user.session.id)), desc(sessions.lastUsedAt), desc(sessions.createdAt))
  return rows.filter(goesOn).flatMap((row) => {
    const endsAt = sessionEndsAt(row, { isAdmin: user.isAdmin, mode })
    if (Temporal.Instant.compare(endsAt, now) <= 0) return []
    const session = toSession(row, endsAt, user.session.id)
    return [session.isCurrent && !session.browser && !session.system ? { ...session, ...user.device } : session]
  })
}

function toSession(row: SessionRow, endsAt: Temporal.Instant, current: string): UserSession {
  const { id, browser, system, method, createdAt, lastUsedAt } = row
  const times = { beganAt: createdAt.toString(), lastUsedAt: lastUsedAt.toString(), endsAt: endsAt.toString() }
  return { id, browser, system, method, ...times, isCurrent: id === current }
}

/** Ends one of somebody's own sessions and answers where it was. Another's is not found, as one that has ended. */
export async function endOwnSession(tx: Tx, userId: string, id: string): Promise<Device> {
  const [ended] = await tx
    .delete(sessions)
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId)))
    .returning({ browser: sessions.browser, system: sessions.system })
  return ended ?? refuse(sessionRefusals.session_not_found)
}

/** What is kept of where somebody is signed in, and of the addresses they had until lately, for themselves to download. */
export async function waysInOf(reader: Reader, userId: string) {
  const rows = await reader.select().from(sessions).where(eq(sessions.userId, userId)).orderBy(sessions.createdAt)
  const changes = await reader
    .select()
    .from(emailChanges)
    .where(eq(emailChanges.userId, userId))
    .orderBy(emailChanges.id)
  return {
    sessions: rows.filter(goesOn).map(({ id, browser, system, method, createdAt, lastUsedAt }) => {
      return { id, browser, system, method, beganAt: createdAt.toString(), lastUsedAt: lastUsedAt.toString() }
    }),
    addressesBefore: changes.map(({ oldEmail, changedAt, expiresAt }) => {
      return { email: oldEmail, changedAt: changedAt.toString(), keptUntil: expiresAt.toString() }
    }),
  }
}
