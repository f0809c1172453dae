import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { callPage } from '../../foundation/call.ts'
import type { listPurchases } from '../contract.ts'

export const purchasesKey = ['admin', 'purchases'] as const

type PurchaseQuery = { limit: number; offset: number; search?: string; userId?: string; attention?: 'true' }

/** One page of what was sold, the newest first. */
export const usePurchases = (query: PurchaseQuery) =>
  useQuery({
    queryKey: [...purchasesKey, query],
    queryFn: () => callPage<typeof listPurchases>({ method: 'GET', path: '/api/admin/purchases' }, { query }),
    placeholderData: keepPreviousData,
  })
