import { eq } from 'drizzle-orm'
import { refuse } from '#foundation/refusal.ts'
import type { Tx } from '#platform/database/database.ts'
import { accountRefusals } from '../../contract.ts'
import { isStaff } from '../../rules.ts'
import { users } from '../../tables.ts'
import { removeFactors } from '../factors/factors.ts'
import { passkeysOf } from '../factors/passkeys.ts'
import { welcomeOnce } from '../members/register-member.ts'
import { redeemLink } from '../one-time-links.ts'
import { type Device, endSessionsOf } from '../sessions/sessions.ts'
import { findUser, verifyAddress, withEmail } from '../users.ts'
import { reportPasswordChange } from './change-password.ts'

/**
 * Sets the password of the account that an emailed link is for: ends its sessions and keys, and removes the passkeys of
 * members. Refuses a link that has expired or was used.
 *
 * @param change.endKeys ends access without a session, such as calendar feeds
 */
export async function setPassword(
  tx: Tx,
  {
    token,
    passwordHash,
    device,
    endKeys,
  }: { token: string; passwordHash: string; device: Device; endKeys: (tx: Tx, userId: string) => Promise<void> },
  now: Temporal.Instant,
) {
  const id = (await redeemLink(tx, token, ['set_password', 'invitation'], now)) ?? refuse(accountRefusals.link_expired)
  const hadPassword = (await findUser(tx, id))?.passwordHash != null
  await tx.update(users).set({ passwordHash }).where(eq(users.id, id))
  const user = withEmail((await verifyAddress(tx, id, now)) ?? refuse(accountRefusals.link_expired))
  // Someone with the old password may have added passkeys. An emailed link alone must not remove those of staff.
  const { passkeys: removed } = isStaff(user)
    ? { passkeys: [] }
    : await removeFactors(tx, user, { cause: 'password', actor: id, now })
  const passkeys = { removed, kept: await passkeysOf(tx, id) }
  const sessions = await endSessionsOf(tx, id)
  // The first password of a new account needs no email.
  if (hadPassword || removed.length + passkeys.kept.length > 0) {
    await reportPasswordChange(tx, user, { kind: 'password_reset', sessions, passkeys, device, now })
  }
  // Someone with the old password may know the calendar feed's URL.
  await endKeys(tx, id)
  if (user.invitedAt) await welcomeOnce(tx, id, now)
  return { user, passkeys }
}
