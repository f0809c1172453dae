import { and, eq, exists, or } from 'drizzle-orm'
import { refuse } from '#foundation/refusal.ts'
import type { Tx } from '#platform/database/database.ts'
import { accountRefusals } from '../contract.ts'
import { type UserRow, users } from '../tables.ts'

/**
 * Locks a user, and with an admin all admins, by ascending id: of two admins who would go at once neither waits for the
 * other in a ring, and the second sees the first gone.
 */
export async function userForUpdate(tx: Tx, id: string): Promise<UserRow | undefined> {
  const asAdmin = tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, id), eq(users.isAdmin, true)))
  const locked = await tx
    .select()
    .from(users)
    .where(or(eq(users.id, id), and(eq(users.isAdmin, true), exists(asAdmin))))
    .orderBy(users.id)
    .for('update')
  return locked.find((user) => user.id === id)
}

/** Refuses to take away an admin when no other is left; locks the admins, so that two cannot leave at once. */
export async function refuseLosingLastAdmin(tx: Tx, leaving: UserRow): Promise<void> {
  if (!leaving.isAdmin) return
  const admins = await tx
    .select({ id: users.id })
    .from(users)
    .where(eq(users.isAdmin, true))
    .orderBy(users.id)
    .for('update')
  if (admins.every(({ id }) => id === leaving.id)) refuse(accountRefusals.last_admin)
}
