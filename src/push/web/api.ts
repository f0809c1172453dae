import { apiClient } from '#foundation/api-client.ts'
import type * as contract from '../contract.ts'

export const pushApi = apiClient<typeof contract>('push', {
  readNotifications: 'GET /api/user/notifications',
  chooseNotifications: 'PUT /api/user/notifications',
  subscribe: 'PUT /api/user/notifications/subscription',
  unsubscribe: 'DELETE /api/user/notifications/subscription',
})
