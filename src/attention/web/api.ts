import { apiClient } from '#foundation/api-client.ts'
import type * as contract from '../contract.ts'

export const attentionApi = apiClient<typeof contract>('attention', {
  confirm: 'POST /api/admin/attention/confirm',
  listAttention: 'GET /api/admin/attention',
  markDone: 'POST /api/admin/attention/done',
  sendAgain: 'POST /api/admin/attention/send-again',
})
