import { apiClient } from '#foundation/api-client.ts'
import type * as contract from '../contract.ts'
import type * as term from '../contract-term.ts'

export const timetableApi = apiClient<typeof contract & typeof term>('timetable', {
  createClass: 'POST /api/classes',
  listBankHolidays: 'GET /api/admin/bank-holidays',
  listClasses: 'GET /api/classes',
  listClosures: 'GET /api/closures',
  planTerm: 'POST /api/admin/terms',
  previewTerm: 'POST /api/admin/terms/preview',
})
