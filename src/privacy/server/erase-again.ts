import { eq } from 'drizzle-orm'
import { users } from '#accounts/tables.ts'
import type { Database } from '#platform/database/database.ts'
import { erasures } from '../tables.ts'
import { eraseLocked, lockMember } from './delete-user.ts'

/**
 * Erases again whoever was erased and is back, because a backup was restored that still held them. They are told nothing:
 * they were told when it was done. Their places are offered anew.
 *
 * @returns how many were back
 */
export async function eraseAgain(database: Database, now: Temporal.Instant): Promise<number> {
  const back = await database.db
    .select({ id: users.id })
    .from(users)
    .innerJoin(erasures, eq(erasures.userId, users.id))
    .orderBy(users.id)
  for (const { id } of back) {
    await database.transaction(async (tx) => {
      const user = await lockMember(tx, id)
      if (user) await eraseLocked(tx, user, now)
    })
  }
  return back.length
}
