import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemberMutation } from '#accounts/web/member-mutation.ts'
import { sentenceOf } from '#foundation/call.ts'
import { toast } from '#ui/toast.ts'
import type { BookingOrder, BookingStatus } from '../contract.ts'
import { bookingApi } from './api.ts'

/** Which bookings an admin asks for. */
export type BookingQuery = {
  limit?: number
  offset?: number
  search?: string
  status?: (typeof BookingStatus)['options'][number]
  from?: string
  to?: string
  order?: BookingOrder
}

// A tab that is opened again asks again: members book and cancel all day, and nobody tells this browser.
const FRESH = { gcTime: 0 }

/** One page of everybody's bookings, the last booked first unless `order` says else. While the next page comes, this one stays. */
export function useAllBookings(query: BookingQuery) {
  return useQuery({
    ...bookingApi.listAllBookings.pageOptions({ query }),
    ...FRESH,
  })
}

/** The classes of a few days with who comes. Each reading is recorded on the server. */
export const sessionsOf = (from: string, to: string) =>
  queryOptions({ ...bookingApi.listSessions.queryOptions({ query: { from, to } }), ...FRESH })

/** Fetches the hidden health notes of a day into {@link sessionsOf}; the server asks the admin to confirm who they are first. */
export function useShowNotes(day: string) {
  const queries = useQueryClient()
  return useMemberMutation({
    mutationFn: () => bookingApi.listSessions.call({ query: { from: day, to: day, withNotes: 'true' } }),
    onSuccess: (sessions) => {
      queries.setQueryData(sessionsOf(day, day).queryKey, sessions)
    },
    onError: (error) =>
      toast({ title: 'Error', description: sentenceOf(error, 'The health notes could not be loaded.'), tone: 'error' }),
  })
}

/** Who comes to the classes of some days and who waits, by class; classes without anybody are not in it. */
export function useClassPeople(from: string, to: string) {
  return useQuery({
    ...bookingApi.listClassPeople.queryOptions({ query: { from, to } }),
    select: (people) => new Map(people.map((one) => [one.classId, one])),
    ...FRESH,
  })
}

/** One class with who comes and what a change would touch; always as it is now. */
export const classForAdmin = (id: number) =>
  queryOptions({ ...bookingApi.getClassForAdmin.queryOptions({ params: { id } }), ...FRESH })
