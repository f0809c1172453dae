import { eq } from 'drizzle-orm'
import type { Tx } from '../../server/database/database.ts'
import { users } from '../tables.ts'
import { issueLink } from './one-time-links.ts'
import { addUser, findByEmail } from './users.ts'

/**
 * Makes the user of an e-mail address an admin, adding one where there is none, and issues a link to set the password.
 * Whoever can run this owns the machine, so the address counts as verified.
 */
export async function makeAdmin(
  tx: Tx,
  email: string,
  now: Temporal.Instant,
): Promise<{ made: boolean; token: string }> {
  const known = await findByEmail(tx, email)
  if (known) {
    const emailVerifiedAt = known.emailVerifiedAt ?? now
    await tx.update(users).set({ isAdmin: true, emailVerifiedAt }).where(eq(users.id, known.id))
    return { made: false, token: await issueLink(tx, known.id, 'set_password', now) }
  }
  const user = await addUser(
    tx,
    {
      email,
      username: email,
      firstName: 'Studio',
      lastName: 'Admin',
      passwordHash: null,
      isAdmin: true,
      emailVerifiedAt: now,
    },
    now,
  )
  return { made: true, token: await issueLink(tx, user.id, 'set_password', now) }
}
