import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../foundation/call.ts'
import type { getAnalytics, getOverview, getReport } from '../contract.ts'

export const analyticsKey = ['admin', 'analytics'] as const

// Members book and buy all day, and nobody tells this browser: a tab that is opened again asks again.
const FRESH = { gcTime: 0 }

export const useOverview = () =>
  useQuery({
    queryKey: ['admin', 'overview'],
    queryFn: () => call<typeof getOverview>({ method: 'GET', path: '/api/admin/overview' }),
    ...FRESH,
  })

export const useAnalytics = () =>
  useQuery({
    queryKey: analyticsKey,
    queryFn: () => call<typeof getAnalytics>({ method: 'GET', path: '/api/admin/analytics' }),
    ...FRESH,
  })

/** What happened between two dates; while another period is asked for, the one before stays. */
export const useReport = (from: string, to: string) =>
  useQuery({
    queryKey: ['admin', 'report', from, to],
    queryFn: () => call<typeof getReport>({ method: 'GET', path: '/api/admin/report' }, { query: { from, to } }),
    placeholderData: keepPreviousData,
    ...FRESH,
  })
