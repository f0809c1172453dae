import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../foundation/call.ts'
import type { listClasses } from '../contract.ts'

export const classesKey = ['classes'] as const

/** The classes of the days `from` to `to`, both included. */
export const classesOfDays = (from: string, to: string) =>
  queryOptions({
    queryKey: [...classesKey, from, to],
    queryFn: () => call<typeof listClasses>({ method: 'GET', path: '/api/classes' }, { query: { from, to } }),
  })

/** Those of them that take place, by start. */
export function useClasses(from: string, to: string, { enabled = true } = {}) {
  return useQuery({
    ...classesOfDays(from, to),
    enabled,
    select: (classes) =>
      classes
        .filter((c) => c.isActive)
        .sort((a, b) => `${a.date}${a.startTime}`.localeCompare(`${b.date}${b.startTime}`)),
  })
}

/** The same days as an admin sees them: inactive classes too. */
export function useAllClasses(from: string, to: string) {
  return useQuery({
    queryKey: [...classesKey, 'admin', 'list', from, to],
    queryFn: () => call<typeof listClasses>({ method: 'GET', path: '/api/classes' }, { query: { from, to } }),
  })
}
