import { Badge } from '#ui/badge.tsx'

/** Whether members see a class and can book it. */
export function ActiveBadge({ isActive }: { isActive: boolean }) {
  return isActive ? <Badge tone="ok">Active</Badge> : <Badge tone="sand">Inactive</Badge>
}
