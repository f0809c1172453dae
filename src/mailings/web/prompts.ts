import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { call, callPage } from '../../foundation/call.ts'
import type { getPrompts, listPrompted, listWeek } from '../contract-lists.ts'
import type { ListName } from '../rules.ts'

export const promptsKey = ['admin', 'prompts'] as const

// Members book and buy all day: what is opened is asked anew.
const FRESH = { gcTime: 0, staleTime: 0 }

export const promptsNow = queryOptions({
  queryKey: [...promptsKey, 'counts'],
  queryFn: () => call<typeof getPrompts>({ method: 'GET', path: '/api/admin/prompts' }),
  ...FRESH,
})

export const useWeekAhead = () =>
  useQuery({
    queryKey: [...promptsKey, 'week'],
    queryFn: () => call<typeof listWeek>({ method: 'GET', path: '/api/admin/prompts/week' }),
    ...FRESH,
  })

/** One page of a list, and how many are on it in all. */
export const usePrompted = (list: ListName, page: { limit: number; offset: number }) =>
  useQuery({
    queryKey: [...promptsKey, list, page],
    queryFn: () =>
      callPage<typeof listPrompted>({ method: 'GET', path: '/api/admin/prompts/people' }, { query: { list, ...page } }),
    placeholderData: keepPreviousData,
    ...FRESH,
  })
