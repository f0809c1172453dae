import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemberMutation } from '../../accounts/web/member-mutation.ts'
import { call, callPage, sentenceOf } from '../../foundation/call.ts'
import { classesKey } from '../../timetable/web/classes.ts'
import { toast } from '../../ui/toast.ts'
import type { BookingOrder, BookingStatus, listAllBookings } from '../contract.ts'
import type { getClassForAdmin, listSessions } from '../contract-classes.ts'
import type { listClassPeople } from '../contract-several.ts'
import { bookingsKey } from './stale.ts'

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
    queryKey: [...bookingsKey, 'admin', query],
    queryFn: () => callPage<typeof listAllBookings>({ method: 'GET', path: '/api/admin/bookings' }, { query }),
    placeholderData: (before) => before,
    ...FRESH,
  })
}

const sessionsKey = (from: string, to: string) => [...bookingsKey, 'admin', 'sessions', from, to]

/** The classes of a few days with who comes. Each reading is recorded on the server. */
export function useSessions(from: string, to: string) {
  return useQuery({
    queryKey: sessionsKey(from, to),
    queryFn: () => call<typeof listSessions>({ method: 'GET', path: '/api/admin/sessions' }, { query: { from, to } }),
    ...FRESH,
  })
}

/** Fetches the hidden health notes of a day into {@link useSessions}; the server asks the admin to confirm who they are first. */
export function useShowNotes(day: string) {
  const queries = useQueryClient()
  return useMemberMutation({
    mutationFn: () =>
      call<typeof listSessions>(
        { method: 'GET', path: '/api/admin/sessions' },
        { query: { from: day, to: day, withNotes: 'true' } },
      ),
    onSuccess: (sessions) => {
      queries.setQueryData(sessionsKey(day, day), sessions)
    },
    onError: (error) =>
      toast({ title: 'Error', description: sentenceOf(error, 'The health notes could not be loaded.'), tone: 'error' }),
  })
}

/** Who comes to the classes of some days and who waits, by class; classes without anybody are not in it. */
export function useClassPeople(from: string, to: string) {
  return useQuery({
    queryKey: [...classesKey, 'admin', 'people', from, to],
    queryFn: () =>
      call<typeof listClassPeople>({ method: 'GET', path: '/api/admin/classes/people' }, { query: { from, to } }),
    select: (people) => new Map(people.map((one) => [one.classId, one])),
    ...FRESH,
  })
}

/** One class with who comes and what a change would touch; always as it is now. */
export const classForAdmin = (id: number) =>
  queryOptions({
    queryKey: [...classesKey, 'admin', 'one', id],
    queryFn: () => call<typeof getClassForAdmin>({ method: 'GET', path: '/api/admin/classes/:id' }, { params: { id } }),
    ...FRESH,
  })
