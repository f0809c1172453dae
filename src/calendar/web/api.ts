import { apiClient } from '#foundation/api-client.ts'
import type * as contract from '../contract.ts'

export const calendarApi = apiClient<typeof contract>('calendar', {
  createCalendar: 'POST /api/user/calendar',
  endCalendar: 'DELETE /api/user/calendar',
  getCalendar: 'GET /api/user/calendar',
})
