import { apiClient } from '#foundation/api-client.ts'
import type * as classes from '../contract.ts'
import type * as several from '../contract-bulk.ts'
import type * as closures from '../contract-closures.ts'
import type * as emails from '../contract-emails.ts'
import type * as pauses from '../contract-pauses.ts'

type Contract = typeof classes & typeof several & typeof closures & typeof emails & typeof pauses

export const scheduleApi = apiClient<Contract>('schedule', {
  deleteClass: 'DELETE /api/classes/:id',
  editClass: 'PUT /api/classes/:id',
  listUndoable: 'GET /api/admin/cancellations',
  undoCancellation: 'POST /api/admin/cancellations/:id/undo',
  closeDays: 'POST /api/admin/closures',
  openDays: 'DELETE /api/admin/closures/:id',
  previewEmails: 'POST /api/admin/classes/emails',
  previewClosure: 'GET /api/admin/closures/preview',
  copyWeek: 'POST /api/admin/classes/copy-week',
  previewCopyWeek: 'POST /api/admin/classes/copy-week/preview',
  extendSeries: 'POST /api/admin/classes/:id/extend',
  giveClassesInBulk: 'POST /api/admin/classes/give',
  shiftClassesInBulk: 'POST /api/admin/classes/shift',
  takeOffClassesInBulk: 'POST /api/admin/classes/take-off',
  pausePass: 'POST /api/admin/user-passes/:id/pause',
  previewPause: 'GET /api/admin/user-passes/:id/pause',
})
