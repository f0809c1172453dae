import type { QueryClient } from '@tanstack/react-query'
import { useMemberQuery } from '#accounts/web/session.ts'
import { bookingApi } from './api.ts'

/** Confirmed bookings of future classes, next first. */
export function useUpcomingBookings({ enabled = true } = {}) {
  return useMemberQuery({ ...bookingApi.listUpcomingBookings.queryOptions(), enabled })
}

export function prefetchUpcomingBookings(queries: QueryClient): void {
  void queries.prefetchQuery(bookingApi.listUpcomingBookings.queryOptions())
}

/** All of the member's bookings, newest class first. */
export function useBookings({ enabled = true } = {}) {
  return useMemberQuery({ ...bookingApi.listBookings.queryOptions(), enabled })
}

export const ALREADY_BOOKED = 'You already have a confirmed booking for this class. You can only book each class once.'

export const CANNOT_CHOOSE = {
  started: { title: 'Cannot Book', description: 'This class has already started or is in the past.', tone: 'error' },
  booked: { title: 'Already Booked', description: ALREADY_BOOKED, tone: 'error' },
} as const

/** The classes that the member waits for, next first. */
export const useWaiting = () => useMemberQuery(bookingApi.listWaiting.queryOptions())
