import { apiClient } from '#foundation/api-client.ts'
import type * as contract from '../contract.ts'

export const packagesApi = apiClient<typeof contract>('packages', {
  createPackage: 'POST /api/packages',
  deletePackage: 'DELETE /api/packages/:id',
  editPackage: 'PUT /api/packages/:id',
  listAllPackages: 'GET /api/admin/packages',
  listPackages: 'GET /api/packages',
  togglePackageVisibility: 'PATCH /api/admin/packages/:id/toggle-visibility',
})
