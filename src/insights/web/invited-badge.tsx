import { mayBeInvited } from '#accounts/rules.ts'
import { Badge } from '#ui/badge.tsx'
import type { AdminUser } from '../contract.ts'

/** A member who cannot log in yet, and whether they were invited. */
export function InvitedBadge({ user }: { user: AdminUser }) {
  if (!mayBeInvited(user)) return null
  return user.invitedAt ? <Badge tone="clay">Invited</Badge> : <Badge tone="sand">Not invited yet</Badge>
}
