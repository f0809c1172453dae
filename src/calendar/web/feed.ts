import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemberMutation } from '../../accounts/web/member-mutation.ts'
import { call, sentenceOf } from '../../foundation/call.ts'
import { toast } from '../../ui/toast.ts'
import type { createCalendar, endCalendar, getCalendar } from '../contract.ts'

const calendarKey = ['calendar']

/** Whether there is a calendar address, and since when. */
export function useCalendarFeed() {
  return useQuery({
    queryKey: calendarKey,
    queryFn: () => call<typeof getCalendar>({ method: 'GET', path: '/api/user/calendar' }),
  })
}

/** Makes a new address; the answer is the only one that ever tells it. */
export function useNewAddress() {
  const queries = useQueryClient()
  return useMemberMutation({
    mutationFn: () => call<typeof createCalendar>({ method: 'POST', path: '/api/user/calendar' }),
    stale: [calendarKey],
    onError: (error) => {
      toast({ title: 'Error', description: sentenceOf(error, NOT_MADE), tone: 'error' })
      // Perhaps it was made and only its answer is lost: then the one before has ended.
      void queries.invalidateQueries({ queryKey: calendarKey })
    },
  })
}

/** Ends the address without a new one. */
export function useEndAddress() {
  const queries = useQueryClient()
  return useMemberMutation({
    mutationFn: () => call<typeof endCalendar>({ method: 'DELETE', path: '/api/user/calendar' }),
    stale: [calendarKey],
    onSuccess: ({ message }) => toast({ title: 'Success', description: message }),
    onError: (error) => {
      toast({ title: 'Error', description: sentenceOf(error, NOT_ENDED), tone: 'error' })
      void queries.invalidateQueries({ queryKey: calendarKey })
    },
  })
}

const NOT_MADE = 'The address could not be made. Please try again.'
const NOT_ENDED = 'The address could not be ended. Please try again.'
