import { useQuery } from '@tanstack/react-query'
import { timetableApi } from './api.ts'

/** The classes of the days `from` to `to`, both included; admins are answered the inactive ones too. */
export const classesOfDays = (from: string, to: string) =>
  timetableApi.listClasses.queryOptions({ query: { from, to } })

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
