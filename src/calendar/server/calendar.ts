/** What other parts may call of calendar. */

export {
  failingOwnCalendar,
  pollOwnCalendar,
  rotateCalendarAddress,
} from './own-calendar.ts'

import { eq } from 'drizzle-orm'
import type { User } from '#accounts/contract.ts'
import { hashOfToken, newToken } from '#accounts/server/accounts.ts'
import { users } from '#accounts/tables.ts'
import { commonRefusals, refuse } from '#foundation/refusal.ts'
import { type Reader, type Tx, violates } from '#platform/database/database.ts'
import { calendarFeeds } from '../tables.ts'

/** Replaces the secret address of a member's feed. Returns the secret, of which only a hash is kept. */
export async function createFeedAddress(tx: Tx, user: User, now: Temporal.Instant): Promise<string> {
  const secret = newToken()
  const shows = user.isAdmin ? 'studio' : 'own_bookings'
  const address = { secretHash: hashOfToken(secret), shows, createdAt: now } as const
  await tx
    .insert(calendarFeeds)
    .values({ userId: user.id, ...address })
    .onConflictDoUpdate({ target: calendarFeeds.userId, set: address })
    .catch((error) => {
      // The account has just been deleted.
      if (violates(error, 'calendar_feeds_user_id_fkey')) refuse(commonRefusals.unauthorized)
      throw error
    })
  return secret
}

/** Ends a member's feed address. */
export async function endAddress(tx: Tx, userId: string): Promise<void> {
  await tx.delete(calendarFeeds).where(eq(calendarFeeds.userId, userId))
}

/** When a member's feed was created and what it shows, without its secret; null without one. */
export async function addressOf(reader: Reader, userId: string) {
  const [row] = await reader.select().from(calendarFeeds).where(eq(calendarFeeds.userId, userId))
  return row ?? null
}

/** The feed of a secret, found by its hash, so that timing reveals nothing. The studio's needs a current admin. */
export async function findFeed(reader: Reader, secret: string) {
  const [row] = await reader
    .select({ userId: users.id, isAdmin: users.isAdmin, shows: calendarFeeds.shows })
    .from(calendarFeeds)
    .innerJoin(users, eq(users.id, calendarFeeds.userId))
    .where(eq(calendarFeeds.secretHash, hashOfToken(secret)))
  return row && (row.shows === 'own_bookings' || row.isAdmin) ? row : undefined
}
