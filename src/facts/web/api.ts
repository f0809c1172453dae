import { apiClient } from '#foundation/api-client.ts'
import type * as contract from '../contract.ts'

export const factsApi = apiClient<typeof contract>('facts', {
  editStudio: 'PUT /api/admin/studio',
  readOwnStudio: 'GET /api/admin/studio',
  readStudio: 'GET /api/studio',
  readStudioBefore: 'GET /api/admin/studio/versions/:id/before',
})
