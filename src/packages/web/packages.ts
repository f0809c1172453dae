import { useQuery } from '@tanstack/react-query'
import { apiClient } from '#foundation/api-client.ts'
import type * as contract from '../contract.ts'
import type { Package } from '../contract.ts'

export const packagesApi = apiClient<typeof contract>('packages', {
  createPackage: 'POST /api/packages',
  deletePackage: 'DELETE /api/packages/:id',
  editPackage: 'PUT /api/packages/:id',
  listAllPackages: 'GET /api/admin/packages',
  listPackages: 'GET /api/packages',
  togglePackageVisibility: 'PATCH /api/admin/packages/:id/toggle-visibility',
})

export function usePackages({ enabled = true } = {}) {
  return useQuery({
    ...packagesApi.listPackages.queryOptions(),
    enabled,
    select: (packages) => [...packages].sort((a, b) => a.classCount - b.classCount).map(withDefaults),
  })
}

/** Agreed with the studio. */
function withDefaults(sold: Package): Package {
  return { ...sold, maxParticipants: sold.maxParticipants ?? 2, isLimitedOffer: sold.isLimitedOffer ?? false }
}

/** The checkout of a package, or of a gift voucher for it, at its displayed price. */
export function checkoutOf(sold: Package, isGift = false): string {
  return `/checkout?packageId=${sold.id}&amount=${Number(sold.price)}${isGift ? '&gift=true' : ''}`
}

export function validity(months: number): string {
  return `Valid for ${months} month${months === 1 ? '' : 's'}`
}

export function classes(count: number): string {
  return `${count} class${count === 1 ? '' : 'es'}`
}
