import { apiClient } from '#foundation/api-client.ts'
import type * as contract from '../contract.ts'

export const importsApi = apiClient<typeof contract>('imports', {
  importMembers: 'POST /api/admin/import',
  listImports: 'GET /api/admin/imports',
  takeBackImport: 'DELETE /api/admin/imports/:id',
})
