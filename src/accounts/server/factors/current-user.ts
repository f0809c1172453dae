import type { CurrentUser } from '../../contract.ts'
import type { UserRow } from '../../tables.ts'
import { toUser } from '../users.ts'
import type { SecondFactor } from './factors.ts'

/**
 * Who is signed in, as their session lets them be: where the site asks for a second step, an admin is a member until they
 * have taken one in this session.
 */
export function toCurrentUser(
  row: UserRow,
  { isStrong, hasFactor, secondFactor }: { isStrong: boolean; hasFactor: boolean; secondFactor: SecondFactor },
): CurrentUser {
  const user = toUser(row)
  if (!row.isAdmin || isStrong || secondFactor === 'off') return user
  return { ...user, isAdmin: false, secondStep: hasFactor ? 'take' : 'set_up' }
}
