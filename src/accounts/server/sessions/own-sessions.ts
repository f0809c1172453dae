import { and, desc, eq } from 'drizzle-orm'
import { refuse } from '#foundation/refusal.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { sessionsWithPush } from '#push/server/push.ts'
import { sessionRefusals } from '../../contract-sessions.ts'
import { isStaff } from '../../rules.ts'
import { sessionEndsAt } from '../../session-rules.ts'
import { emailChanges, sessions } from '../../tables.ts'
import { pendingEmail } from '../addresses/request-email-change.ts'
import type { SignedIn } from './session-cookies.ts'
import { type Device, isActive } from './sessions.ts'

/**
 * A user's active sessions: this browser first, then by last use.
 *
 * @param user.device this browser, used if its name was unknown at the sign-in
 */
export async function sessionsOf(
  reader: Reader,
  user: Pick<SignedIn, 'id' | 'isAdmin' | 'isTeacher' | 'session'> & { device: Device },
  { mode, now }: { mode: 'demo' | 'live'; now: Temporal.Instant },
) {
  const rows = await reader
    .select()
    .from(sessions)
    .where(eq(sessions.userId, user.id))
    .orderBy(desc(eq(sessions.id, user.session.id)), desc(sessions.lastUsedAt), desc(sessions.createdAt))
  const notified = await sessionsWithPush(reader, user.id)
  return rows.filter(isActive).flatMap((row) => {
    const endsAt = sessionEndsAt(row, { isStaff: isStaff(user), mode })
    if (Temporal.Instant.compare(endsAt, now) <= 0) return []
    const isCurrent = row.id === user.session.id
    const session = { ...row, beganAt: row.createdAt, endsAt, isCurrent, isNotified: notified.has(row.id) }
    return [session.isCurrent && !session.browser && !session.system ? { ...session, ...user.device } : session]
  })
}

/** Ends one of the user's own sessions and returns its device. */
export async function endOwnSession(tx: Tx, userId: string, id: string): Promise<Device> {
  const [ended] = await tx
    .delete(sessions)
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId)))
    .returning({ browser: sessions.browser, system: sessions.system })
  return ended ?? refuse(sessionRefusals.session_not_found)
}

/** For the user's data export. */
export async function signInDataOf(reader: Reader, userId: string, now: Temporal.Instant) {
  const rows = await reader.select().from(sessions).where(eq(sessions.userId, userId)).orderBy(sessions.createdAt)
  const changes = await reader
    .select()
    .from(emailChanges)
    .where(eq(emailChanges.userId, userId))
    .orderBy(emailChanges.id)
  return {
    sessions: rows.filter(isActive).map((row) => ({ ...row, beganAt: row.createdAt })),
    addressAskedFor: await pendingEmail(reader, userId, now),
    addressesBefore: changes.map((row) => ({ ...row, email: row.oldEmail, keptUntil: row.expiresAt })),
  }
}
