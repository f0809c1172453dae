import { apiClient } from '#foundation/api-client.ts'
import type * as contract from '../contract.ts'
import type * as complaints from '../contract-complaints.ts'
import type * as own from '../contract-own.ts'

export const privacyApi = apiClient<typeof complaints & typeof own & typeof contract>('privacy', {
  answerDataComplaint: 'POST /api/admin/data-complaints/:id/answer',
  listOutsideComplaints: 'GET /api/admin/data-complaints',
  makeOutsideComplaint: 'POST /api/data-complaints',
  recordMemberComplaint: 'POST /api/admin/users/:id/data-complaints',
  recordOutsideComplaint: 'POST /api/admin/data-complaints',
  listDataComplaints: 'GET /api/admin/users/:id/data-complaints',
  listOwnDataComplaints: 'GET /api/user/data-complaints',
  makeDataComplaint: 'POST /api/user/data-complaints',
  getConsents: 'GET /api/user/consents',
  getKeptUntil: 'GET /api/user/kept-until',
  withdrawHealthConsent: 'DELETE /api/user/health-consent',
  closeComplaint: 'DELETE /api/admin/users/:id/complaint',
  deleteOwnAccount: 'DELETE /api/user',
  deleteUser: 'DELETE /api/admin/users/:id',
  getDeletionFacts: 'GET /api/admin/users/:id/deletion',
  exportMemberData: 'GET /api/admin/users/:id/export',
  exportOwnData: 'GET /api/user/export',
  getComplaint: 'GET /api/admin/users/:id/complaint',
  listRetentionRuns: 'GET /api/admin/retention-runs',
  openComplaint: 'PUT /api/admin/users/:id/complaint',
})
