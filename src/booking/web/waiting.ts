import { queryOptions, useQuery } from '@tanstack/react-query'
import { useSession } from '../../accounts/web/session.ts'
import { call } from '../../foundation/call.ts'
import type { listWaiting } from '../contract-waiting.ts'
import { waitingKey } from './stale.ts'

export const waitingList = queryOptions({
  queryKey: waitingKey,
  queryFn: () => call<typeof listWaiting>({ method: 'GET', path: '/api/user/waitlist' }),
})

/** The classes for which the member waits, next first. */
export function useWaiting() {
  const { isLikely } = useSession()
  return useQuery({ ...waitingList, enabled: isLikely })
}
