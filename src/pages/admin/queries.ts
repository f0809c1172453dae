import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import type { getClassForAdmin } from '../../booking/contract.ts'
import { call, callPage } from '../../foundation/call.ts'
import type { getMemberPage, listUsers } from '../../insights/contract.ts'
import type { listAllPackages } from '../../packages/contract.ts'
import type { listPurchases } from '../../payments/contract.ts'

export const usersKey = ['admin', 'users'] as const
export const purchasesKey = ['admin', 'purchases'] as const
export const analyticsKey = ['admin', 'analytics'] as const

type ListQuery = { limit: number; offset: number; search?: string }

/** One page of the users that a search finds, and how many it finds in all. */
export const useUsers = (query: ListQuery) =>
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

/** One class with who comes and what a change would touch; always as it is now. */
export const classForAdmin = (id: number) =>
  queryOptions({
    queryKey: ['classes', 'admin', 'one', id],
    queryFn: () => call<typeof getClassForAdmin>({ method: 'GET', path: '/api/admin/classes/:id' }, { params: { id } }),
    gcTime: 0,
  })

export const allPackages = queryOptions({
  queryKey: ['packages', 'admin'],
  queryFn: () => call<typeof listAllPackages>({ method: 'GET', path: '/api/admin/packages' }),
})

export const usePurchases = (query: ListQuery & { userId?: string; attention?: 'true' }) =>
  useQuery({
    queryKey: [...purchasesKey, query],
    queryFn: () => callPage<typeof listPurchases>({ method: 'GET', path: '/api/admin/purchases' }, { query }),
    placeholderData: keepPreviousData,
  })
