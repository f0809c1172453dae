import { apiClient, type For } from '#foundation/api-client.ts'
import type * as contract from '../contract.ts'
import type * as classes from '../contract-classes.ts'
import type * as companions from '../contract-companions.ts'
import type * as day from '../contract-day.ts'
import type * as regular from '../contract-regular.ts'
import type * as waiting from '../contract-waiting.ts'

type Contract = typeof classes & typeof companions & typeof day & typeof regular & typeof waiting & typeof contract

export const staffBookingApi = apiClient<For<Contract, 'teacher' | 'admin'>>('booking', {
  getClassForAdmin: 'GET /api/admin/classes/:id',
  listSessions: 'GET /api/admin/sessions',
  listClassPeople: 'GET /api/admin/classes/people',
  blockMember: 'PUT /api/admin/users/:id/block',
  unblockMember: 'DELETE /api/admin/users/:id/block',
  getDayHealth: 'GET /api/day/bookings/:id/health',
  listDay: 'GET /api/day',
  listSessionNotes: 'GET /api/admin/users/:id/session-notes',
  markDayAttendance: 'PUT /api/day/bookings/:id/attendance',
  writeSessionNote: 'PUT /api/day/bookings/:id/note',
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
