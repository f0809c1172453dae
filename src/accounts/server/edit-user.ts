import { eq } from 'drizzle-orm'
import { refuse } from '../../foundation/refusal.ts'
import type { Tx } from '../../server/database/database.ts'
import { accountRefusals } from '../contract.ts'
import { type UserRow, users } from '../tables.ts'
import { revokeLinks } from './one-time-links.ts'
import { refuseTakenNames, refusingTakenNames } from './users.ts'

/** What is absent or null stays as it is. */
export type UserEdit = {
  username?: string | null
  email?: string | null
  firstName?: string | null
  lastName?: string | null
  isAdmin?: boolean | null
}

/** Changes what is given. Admins cannot demote themselves, and the last admin stays one. */
export async function editUser(tx: Tx, adminId: string, id: string, edit: UserEdit): Promise<UserRow> {
  const [user] = await tx.select().from(users).where(eq(users.id, id)).for('update')
  if (!user) refuse(accountRefusals.user_not_found)
  if (user.isAdmin && edit.isAdmin === false) {
    if (id === adminId) refuse(accountRefusals.cannot_demote_self)
    await refuseLosingLastAdmin(tx, user)
  }
  await refuseTakenNames(tx, edit, id)
  const changes = Object.fromEntries(Object.entries(edit).filter(([, value]) => value != null))
  if (Object.keys(changes).length === 0) return user
  // A link that was mailed to the address before proves nothing about the new one.
  if (edit.email != null && edit.email !== user.email) await revokeLinks(tx, id)
  return await refusingTakenNames(async () => {
    const [row] = await tx.update(users).set(changes).where(eq(users.id, id)).returning()
    return row as UserRow
  })
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
