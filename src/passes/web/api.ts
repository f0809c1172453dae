import { apiClient } from '#foundation/api-client.ts'
import type * as contract from '../contract.ts'

export const passesApi = apiClient<typeof contract>('passes', {
  deletePass: 'DELETE /api/admin/user-passes/:id',
  giftCredits: 'POST /api/admin/users/:userId/gift-credits',
  listCredits: 'GET /api/user/credits',
  listPasses: 'GET /api/user/passes',
})
