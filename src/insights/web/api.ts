import { apiClient } from '#foundation/api-client.ts'
import type * as contract from '../contract.ts'
import type * as security from '../contract-security.ts'
import type * as vitals from '../contract-vitals.ts'

export const insightsApi = apiClient<typeof security & typeof vitals & typeof contract>('insights', {
  reportVitals: 'POST /api/vitals',
  listVitals: 'GET /api/admin/vitals',
  listSecurityRecord: 'GET /api/admin/security',
  getAnalytics: 'GET /api/admin/analytics',
  getMemberPage: 'GET /api/admin/users/:id',
  getOverview: 'GET /api/admin/overview',
  getReport: 'GET /api/admin/report',
  listAudit: 'GET /api/admin/audit',
  listSlots: 'GET /api/admin/slots',
  listUsers: 'GET /api/admin/users',
})
