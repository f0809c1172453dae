import { apiClient } from '#foundation/api-client.ts'
import type * as contract from '../contract.ts'

export const messagesApi = apiClient<typeof contract>('messages', {
  subscribe: 'POST /api/newsletter',
})
