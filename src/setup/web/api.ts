import { apiClient } from '#foundation/api-client.ts'
import type * as contract from '../contract.ts'

export const setUpApi = apiClient<typeof contract>('setup', {
  confirmSetUp: 'POST /api/admin/set-up/:item',
  readSetUp: 'GET /api/admin/set-up',
})
