import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { useSession } from '../../accounts/web/session.ts'
import { call } from '../../foundation/call.ts'
import type { Booking, listBookings, listUpcomingBookings } from '../contract.ts'
import { bookingsKey } from './stale.ts'

export const upcomingBookings = queryOptions({
  queryKey: [...bookingsKey, 'upcoming'],
  queryFn: () => call<typeof listUpcomingBookings>({ method: 'GET', path: '/api/user/bookings/upcoming' }),
})

/** Confirmed bookings of classes to come, next first. */
export function useUpcomingBookings({ enabled = true } = {}) {
  const { isLikely } = useSession()
  return useQuery({ ...upcomingBookings, enabled: enabled && isLikely })
}

/** Asks for them before anything on the page needs them. */
export function askForUpcomingBookings(queries: QueryClient): void {
  void queries.prefetchQuery(upcomingBookings)
}

export const allBookings = queryOptions({
  queryKey: [...bookingsKey, 'all'],
  queryFn: () => call<typeof listBookings>({ method: 'GET', path: '/api/user/bookings' }),
})

/** Every booking the member ever made, newest class first. */
export function useBookings({ enabled = true } = {}) {
  const { isLikely } = useSession()
  return useQuery({ ...allBookings, enabled: enabled && isLikely })
}

/** The member's bookings, asked anew. */
export function bookingsNow(queries: QueryClient): Promise<Booking[]> {
  return queries.fetchQuery({ ...allBookings, staleTime: 0 })
}

export const ALREADY_BOOKED = 'You already have a confirmed booking for this class. You can only book each class once.'

/** Why a class cannot be chosen although its row was clicked. */
export const CANNOT_CHOOSE = {
  started: { title: 'Cannot Book', description: 'This class has already started or is in the past.', tone: 'error' },
  booked: { title: 'Already Booked', description: ALREADY_BOOKED, tone: 'error' },
} as const
