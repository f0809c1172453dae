import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { call, callPage } from '../../foundation/call.ts'
import type { getMemberPage, listUsers } from '../contract.ts'

export const usersKey = ['admin', 'users'] as const

/** One page of the users that a search finds, and how many it finds in all. */
export const useUsers = (query: { limit: number; offset: number; search?: string }) =>
  useQuery({
    queryKey: [...usersKey, 'list', query],
    queryFn: () => callPage<typeof listUsers>({ method: 'GET', path: '/api/admin/users' }, { query }),
    placeholderData: keepPreviousData,
  })

export const memberPageOf = (id: string) =>
  queryOptions({
    queryKey: [...usersKey, 'one', id],
    queryFn: () => call<typeof getMemberPage>({ method: 'GET', path: '/api/admin/users/:id' }, { params: { id } }),
  })
