import { Badge } from '#ui/badge.tsx'

export function ActiveBadge({ isActive }: { isActive: boolean }) {
  return isActive ? <Badge tone="ok">Active</Badge> : <Badge tone="sand">Inactive</Badge>
}
