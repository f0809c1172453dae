import { useQuery } from '@tanstack/react-query'
import { apiClient } from '#foundation/api-client.ts'
import type * as contract from '../contract-own.ts'
import { busyInWords, clashOf } from '../rules.ts'

export const ownCalendarApi = apiClient<typeof contract>('calendar', {
  listBusyTimes: 'GET /api/admin/own-calendar/busy',
  listTermClashes: 'GET /api/admin/own-calendar/term',
  readOwnCalendar: 'GET /api/admin/own-calendar',
  removeOwnCalendar: 'DELETE /api/admin/own-calendar',
  setOwnCalendar: 'PUT /api/admin/own-calendar',
})

type Held = { date: string; startsAt: string; endsAt: string }

/** Returns a function that describes what a class clashes with, such as the owner's own calendar. */
export function useClashes(from: string, to: string): (held: Held) => string | undefined {
  const { data = [] } = useQuery(ownCalendarApi.listBusyTimes.queryOptions({ query: { from, to } }))
  return (held) => {
    const clash = clashOf(held, data)
    return clash && `You have something in your own calendar ${busyInWords(held.date, clash)}`
  }
}
