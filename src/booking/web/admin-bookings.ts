import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemberMutation } from '#accounts/web/member-mutation.ts'
import { toastError } from '#ui/toast.ts'
import type { BookingOrder, BookingStatus } from '../contract.ts'
import { staffBookingApi } from './staff-api.ts'

export type BookingQuery = {
  limit?: number
  offset?: number
  search?: string
  status?: (typeof BookingStatus)['options'][number]
  from?: string
  to?: string
  order?: BookingOrder
}

// Members book and cancel all day, so a reopened tab fetches again.
const FRESH = { gcTime: 0 }

/** One page of all bookings, most recent first unless `order` is given. */
export function useAllBookings(query: BookingQuery) {
  return useQuery({
    ...staffBookingApi.listAllBookings.pageOptions({ query }),
    ...FRESH,
  })
}

/** The classes of some days with their members. Each fetch is recorded on the server. */
export const sessionsOf = (from: string, to: string) =>
  queryOptions({ ...staffBookingApi.listSessions.queryOptions({ query: { from, to } }), ...FRESH })

/** Fetches a day's health notes into {@link sessionsOf}, after a step-up. */
export function useShowNotes(day: string) {
  const queries = useQueryClient()
  return useMemberMutation({
    mutationFn: () => staffBookingApi.listSessions.call({ query: { from: day, to: day, withNotes: 'true' } }),
    changesNothing: true,
    onSuccess: (sessions) => {
      queries.setQueryData(sessionsOf(day, day).queryKey, sessions)
    },
    onError: (error) => toastError(error, 'The health notes could not be loaded.'),
  })
}

/** Members who booked or wait, by class. Classes without any are missing. */
export function useClassPeople(from: string, to: string) {
  return useQuery({
    ...staffBookingApi.listClassPeople.queryOptions({ query: { from, to } }),
    select: (people) => new Map(people.map((one) => [one.classId, one])),
    ...FRESH,
  })
}

export const classForAdmin = (id: number) =>
  queryOptions({ ...staffBookingApi.getClassForAdmin.queryOptions({ params: { id } }), ...FRESH })
