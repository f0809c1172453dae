import { useQuery } from '@tanstack/react-query'
import { call, callPage } from '../../foundation/call.ts'
import type { getMemberHealth, listHealthReads, listHealthUpdates } from '../contract.ts'
import { healthKey } from './health.ts'

type Page = { limit: number; offset: number; search?: string }

/** What is read here is recorded, so it is kept no longer than it is looked at: the record then says the truth. */
const FRESH = { gcTime: 0 }

export const healthUpdatesKey = [...healthKey, 'updates'] as const

/** One page of the members' changes, the newest first. */
export function useHealthUpdates(query: Page) {
  return useQuery({
    queryKey: [...healthUpdatesKey, query],
    queryFn: () => callPage<typeof listHealthUpdates>({ method: 'GET', path: '/api/admin/health-updates' }, { query }),
    placeholderData: (before) => before,
    ...FRESH,
  })
}

/** One page of who read whose health data. */
export function useHealthReads(query: Page) {
  return useQuery({
    queryKey: [...healthKey, 'reads', query],
    queryFn: () => callPage<typeof listHealthReads>({ method: 'GET', path: '/api/admin/health-reads' }, { query }),
    placeholderData: (before) => before,
    ...FRESH,
  })
}

/** Everything one member has told. */
export function useMemberHealth(id: string) {
  return useQuery({
    queryKey: [...healthKey, 'of', id],
    queryFn: () =>
      call<typeof getMemberHealth>({ method: 'GET', path: '/api/admin/users/:id/health' }, { params: { id } }),
    ...FRESH,
  })
}
