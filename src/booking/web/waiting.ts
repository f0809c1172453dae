import { useQuery } from '@tanstack/react-query'
import { useSession } from '#accounts/web/session.ts'
import { bookingApi } from './api.ts'

/** The classes for which the member waits, next first. */
export function useWaiting() {
  const { isLikely } = useSession()
  return useQuery({ ...bookingApi.listWaiting.queryOptions(), enabled: isLikely })
}
