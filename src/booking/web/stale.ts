import { passQueries } from '#passes/web/passes.ts'
import { timetableApi } from '#timetable/web/api.ts'
import { bookingApi } from './api.ts'

// What mutations make stale. The lists of members are named with the admin's: a query that was never made costs nothing.

/** Everything that shows classes and their free places. */
export const classQueries = [timetableApi.listClasses, bookingApi.listClassPeople, bookingApi.getClassForAdmin]

/** Everything that lists bookings. */
export const bookingQueries = [
  bookingApi.listBookings,
  bookingApi.listUpcomingBookings,
  bookingApi.listAllBookings,
  bookingApi.listSessions,
]

/** Taking or giving back a place changes free places, bookings and credits, and whoever has a place no longer waits. */
export const CHANGED = [...classQueries, ...bookingQueries, ...passQueries, bookingApi.listWaiting]
