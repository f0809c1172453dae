import { apiClient, type For } from '#foundation/api-client.ts'
import type * as contract from '../contract.ts'
import type * as several from '../contract-bulk.ts'
import type * as classes from '../contract-classes.ts'
import type * as closures from '../contract-closures.ts'
import type * as companions from '../contract-companions.ts'
import type * as day from '../contract-day.ts'
import type * as emails from '../contract-emails.ts'
import type * as pauses from '../contract-pauses.ts'
import type * as regular from '../contract-regular.ts'
import type * as waiting from '../contract-waiting.ts'

type Contract = typeof classes &
  typeof companions &
  typeof day &
  typeof closures &
  typeof emails &
  typeof several &
  typeof pauses &
  typeof regular &
  typeof waiting &
  typeof contract

export const staffBookingApi = apiClient<For<Contract, 'teacher' | 'admin'>>('booking', {
  blockMember: 'PUT /api/admin/users/:id/block',
  unblockMember: 'DELETE /api/admin/users/:id/block',
  deleteClass: 'DELETE /api/classes/:id',
  editClass: 'PUT /api/classes/:id',
  getClassForAdmin: 'GET /api/admin/classes/:id',
  getDayHealth: 'GET /api/day/bookings/:id/health',
  listDay: 'GET /api/day',
  listSessionNotes: 'GET /api/admin/users/:id/session-notes',
  markDayAttendance: 'PUT /api/day/bookings/:id/attendance',
  writeSessionNote: 'PUT /api/day/bookings/:id/note',
  listSessions: 'GET /api/admin/sessions',
  listUndoable: 'GET /api/admin/cancellations',
  undoCancellation: 'POST /api/admin/cancellations/:id/undo',
  closeDays: 'POST /api/admin/closures',
  openDays: 'DELETE /api/admin/closures/:id',
  previewEmails: 'POST /api/admin/classes/emails',
  previewClosure: 'GET /api/admin/closures/preview',
  copyWeek: 'POST /api/admin/classes/copy-week',
  previewCopyWeek: 'POST /api/admin/classes/copy-week/preview',
  extendSeries: 'POST /api/admin/classes/:id/extend',
  listClassPeople: 'GET /api/admin/classes/people',
  shiftClassesInBulk: 'POST /api/admin/classes/shift',
  takeOffClassesInBulk: 'POST /api/admin/classes/take-off',
  pausePass: 'POST /api/admin/user-passes/:id/pause',
  previewPause: 'GET /api/admin/user-passes/:id/pause',
  confirmPlace: 'POST /api/admin/classes/:id/waitlist/:userId/confirm',
  joinForMember: 'POST /api/admin/classes/:id/waitlist',
  leaveForMember: 'DELETE /api/admin/classes/:id/waitlist/:userId',
  listRegularHolders: 'GET /api/admin/regular-bookings',
  listRegularBookingsOf: 'GET /api/admin/users/:id/regular-bookings',
  setRegularBookingFor: 'POST /api/admin/users/:id/regular-bookings',
  endRegularBookingFor: 'DELETE /api/admin/regular-bookings/:id',
  confirmHeldPlace: 'PUT /api/admin/held-places/:id/confirm',
  endHeldPlace: 'DELETE /api/admin/held-places/:id',
  listHeldPlaces: 'GET /api/admin/held-places',
  cancelForMember: 'PUT /api/admin/bookings/:id/cancel',
  listAllBookings: 'GET /api/admin/bookings',
  markAttendance: 'PUT /api/admin/bookings/:id/attendance',
  moveForMember: 'PUT /api/admin/bookings/:id/reschedule',
  returnForfeitedCredit: 'POST /api/admin/bookings/:id/return-credit',
})
