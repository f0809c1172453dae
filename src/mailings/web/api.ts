import { apiClient } from '#foundation/api-client.ts'
import type * as contract from '../contract.ts'
import type * as lists from '../contract-lists.ts'

export const mailingsApi = apiClient<typeof lists & typeof contract>('mailings', {
  getPrompts: 'GET /api/admin/prompts',
  listPrompted: 'GET /api/admin/prompts/people',
  listWeek: 'GET /api/admin/prompts/week',
  getMessage: 'GET /api/admin/messages/:id',
  listMessages: 'GET /api/admin/messages',
  previewMessage: 'POST /api/admin/messages/preview',
  sendMessage: 'POST /api/admin/messages',
  testMessage: 'POST /api/admin/messages/test',
})
