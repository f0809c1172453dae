import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../foundation/call.ts'
import type { listWaiting } from '../contract-waiting.ts'
import { waitingKey } from './stale.ts'

export const waitingList = queryOptions({
  queryKey: waitingKey,
  queryFn: () => call<typeof listWaiting>({ method: 'GET', path: '/api/user/waitlist' }),
})

/** The classes for which the member waits, next first. */
export function useWaiting() {
  return useQuery(waitingList)
}
