import { type QueryClient, useQuery } from '@tanstack/react-query'
import { useSession } from '#accounts/web/session.ts'
import type { Booking } from '../contract.ts'
import { bookingApi } from './api.ts'

/** Confirmed bookings of classes to come, next first. */
export function useUpcomingBookings({ enabled = true } = {}) {
  const { isLikely } = useSession()
  return useQuery({ ...bookingApi.listUpcomingBookings.queryOptions(), enabled: enabled && isLikely })
}

/** Asks for them before anything on the page needs them. */
export function askForUpcomingBookings(queries: QueryClient): void {
  void queries.prefetchQuery(bookingApi.listUpcomingBookings.queryOptions())
}

/** Every booking the member ever made, newest class first. */
export function useBookings({ enabled = true } = {}) {
  const { isLikely } = useSession()
  return useQuery({ ...bookingApi.listBookings.queryOptions(), enabled: enabled && isLikely })
}

/** The member's bookings, asked anew. */
export function bookingsNow(queries: QueryClient): Promise<Booking[]> {
  return queries.fetchQuery({ ...bookingApi.listBookings.queryOptions(), staleTime: 0 })
}

export const ALREADY_BOOKED = 'You already have a confirmed booking for this class. You can only book each class once.'

/** Why a class cannot be chosen although its row was clicked. */
export const CANNOT_CHOOSE = {
  started: { title: 'Cannot Book', description: 'This class has already started or is in the past.', tone: 'error' },
  booked: { title: 'Already Booked', description: ALREADY_BOOKED, tone: 'error' },
} as const

/** The classes for which the member waits, next first. */
export function useWaiting() {
  const { isLikely } = useSession()
  return useQuery({ ...bookingApi.listWaiting.queryOptions(), enabled: isLikely })
}
