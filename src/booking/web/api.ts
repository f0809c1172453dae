import { apiClient, type For } from '#foundation/api-client.ts'
import type * as contract from '../contract.ts'
import type * as companions from '../contract-companions.ts'
import type * as regular from '../contract-regular.ts'
import type * as waiting from '../contract-waiting.ts'

type Contract = typeof companions & typeof regular & typeof waiting & typeof contract

export const bookingApi = apiClient<For<Contract, 'anyone' | 'member'>>('booking', {
  declineOffer: 'DELETE /api/user/waitlist/:id/offer',
  joinWaitingList: 'POST /api/classes/:id/waitlist',
  leaveWaitingList: 'DELETE /api/classes/:id/waitlist',
  listWaiting: 'GET /api/user/waitlist',
  setRegularBooking: 'POST /api/user/regular-bookings',
  listRegularBookings: 'GET /api/user/regular-bookings',
  skipRegularDate: 'POST /api/user/regular-bookings/:id/skip',
  endRegularBooking: 'DELETE /api/user/regular-bookings/:id',
  acceptInvitation: 'POST /api/invitations/accept',
  addCompanion: 'POST /api/bookings/:id/companion',
  cancelCompanion: 'DELETE /api/bookings/:id/companion',
  declineInvitation: 'POST /api/invitations/decline',
  readInvitation: 'POST /api/invitations',
  signUpInvited: 'POST /api/invitations/account',
  bookClass: 'POST /api/bookings',
  cancelBooking: 'PUT /api/bookings/:id/cancel',
  listBookings: 'GET /api/user/bookings',
  listPaidPlaces: 'GET /api/user/paid-places',
  listUpcomingBookings: 'GET /api/user/bookings/upcoming',
  undoCancel: 'POST /api/bookings/:id/undo-cancel',
  rescheduleBooking: 'POST /api/bookings/:id/reschedule',
})
