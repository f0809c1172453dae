import { apiClient } from '#foundation/api-client.ts'
import type * as contract from '../contract.ts'
import type * as texts from '../contract-texts.ts'

export const messagesApi = apiClient<typeof contract & Pick<typeof texts, 'getTextUse'>>('messages', {
  subscribe: 'POST /api/newsletter',
  getTextUse: 'GET /api/admin/texts',
})
