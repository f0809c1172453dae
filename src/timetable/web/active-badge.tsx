import { Badge } from '#ui/badge.tsx'

/** Whether members can see and book a class. */
export function ActiveBadge({ isActive }: { isActive: boolean }) {
  return isActive ? <Badge tone="ok">Active</Badge> : <Badge tone="sand">Inactive</Badge>
}
