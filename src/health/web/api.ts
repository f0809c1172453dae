import { apiClient } from '#foundation/api-client.ts'
import type * as contract from '../contract.ts'
import type * as own from '../contract-own.ts'

export const healthApi = apiClient<typeof own & typeof contract>('health', {
  listOwnHealthReads: 'GET /api/user/health-reads',
  getEmergencyContact: 'GET /api/health/emergency-contact',
  getMemberHealth: 'GET /api/admin/users/:id/health',
  getQuestionnaire: 'GET /api/health/questionnaire',
  listHealthReads: 'GET /api/admin/health-reads',
  listHealthUpdates: 'GET /api/admin/health-updates',
  markHealthUpdateSent: 'POST /api/admin/health-updates/:id/mark-sent',
  saveEmergencyContact: 'POST /api/health/emergency-contact',
  saveQuestionnaire: 'POST /api/health/questionnaire',
})
