import { queryOptions, useQuery } from '@tanstack/react-query'
import { skipRefetchOfSsrData } from '../../foundation/api-client.ts'
import { call } from '../../foundation/call.ts'
import { formatDay } from '../../foundation/dates.ts'
import type { Closure, listClosures } from '../contract.ts'

export const closuresKey = ['closures'] as const

/** Days on which the studio is closed that are not over, the earliest first. */
export const closuresAhead = queryOptions({
  queryKey: closuresKey,
  queryFn: () => call<typeof listClosures>({ method: 'GET', path: '/api/closures' }),
})

/** The same, empty until they are known. */
export function useClosures(): readonly Closure[] {
  return useQuery({ ...closuresAhead, ...skipRefetchOfSsrData }).data ?? NONE
}
const NONE: readonly Closure[] = []

/** `Thursday 24 December`, or `Thursday 24 December to Sunday 27 December`. */
export const daysOf = ({ from, to }: Closure) =>
  from === to ? formatDay(from) : `${formatDay(from)} to ${formatDay(to)}`
