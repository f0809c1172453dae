import { eq } from 'drizzle-orm'
import { accountRefusals } from '../../accounts/contract.ts'
import { eraseUser, refuseLosingLastAdmin } from '../../accounts/server/accounts.ts'
import { users } from '../../accounts/tables.ts'
import { refuse } from '../../foundation/refusal.ts'
import { erasePasses } from '../../passes/server/passes.ts'
import type { Tx } from '../../server/database/database.ts'

/**
 * Erases a user: account, passes, the bookings they paid (their places are free again), health data and sessions.
 * Purchases stay without name or e-mail. The last admin cannot go.
 */
export async function deleteUser(tx: Tx, id: string): Promise<void> {
  const [user] = await tx.select().from(users).where(eq(users.id, id)).for('update')
  if (!user) refuse(accountRefusals.user_not_found)
  await refuseLosingLastAdmin(tx, user)
  await erasePasses(tx, id)
  await eraseUser(tx, id)
}
