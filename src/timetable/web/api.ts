import { apiClient } from '#foundation/api-client.ts'
import type * as contract from '../contract.ts'

export const timetableApi = apiClient<typeof contract>('timetable', {
  createClass: 'POST /api/classes',
  listClasses: 'GET /api/classes',
  listClosures: 'GET /api/closures',
})
